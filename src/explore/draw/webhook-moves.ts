/** Moves of webhooks: added, changed, deleted, and receivers that answer in all the ways of real ones. */

import { LIMITS } from '../../specification/limits.ts';
import { printFor } from './job-moves.ts';
import { oneOf, pick, together, type Choice, type Draft, type Moves } from './draft.ts';
import type { RawStep } from './raw-day.ts';

const ANY = { answers: 'any' } as const;
const MESSAGES = [
  ['*'],
  ['*'],
  ['print job state'],
  ['computer state'],
  ['print job state', 'computer state'],
] as const;
type RawReply = string | { readonly reply: string; readonly after: string };
const REPLIES: readonly [RawReply, ...RawReply[]] = [
  'status 500',
  'redirect',
  'header missing',
  'no content',
  'reset',
  'header in lower case',
  'ok',
  'header wrong',
  'header longer',
  'status 404',
  { reply: 'ok', after: '3s' },
  { reply: 'status 500', after: '3s' },
  'header empty',
  'accepted in chunks',
];

function add(draft: Draft, { form }: Choice): void {
  const as = draft.newName('hook');
  draft.webhooks.push(as);
  draft.add({ 'add-webhook': { as, messages: draft.spelt(oneOf(MESSAGES, form)), secret: `Secret of ${as}`, ...ANY } });
}

function creation(url: string, secret: string): RawStep {
  return { request: { method: 'POST', path: '/webhook', body: { url, secret, messages: ['*'] }, ...ANY } };
}

/** All that there may be, and one more; now and then once more after a deletion. */
function fill(draft: Draft, choice: Choice): void {
  if (draft.sharesAccount) return;
  while (draft.webhooks.length < LIMITS.webhooksPerAccount.value - 1) add(draft, choice);
  if (choice.form % 3 === 0) change(draft, choice);
  if (choice.form % 4 === 1) {
    const [one, other] = ['one', 'other'].map((name) => creation(`{receiver}/${draft.newName(name)}`, name));
    draft.add(together(one ?? {}, other ?? {}), { request: { path: '/webhooks', ...ANY } });
  }
  add(draft, choice);
  add(draft, choice);
  for (let round = 0; round < choice.form % 3; round++) {
    remove(draft, { ...choice, form: round });
    add(draft, choice);
  }
}

/** A webhook of the day; there is one from now on. */
function someWebhook(draft: Draft, choice: Choice): string {
  if (draft.webhooks.length === 0) add(draft, choice);
  return pick(draft.webhooks, choice.which) ?? '';
}

function patch(webhook: string, body: object): RawStep {
  return { request: { method: 'PATCH', path: `/webhook/{webhook:${webhook}}`, body, ...ANY } };
}

function change(draft: Draft, choice: Choice): void {
  const webhook = someWebhook(draft, choice);
  const moved = `{receiver}/${draft.newName('moved')}`;
  const bodies: readonly [object, ...object[]] = [
    { secret: draft.newName('secret') },
    { url: moved },
    { messages: draft.spelt(['computer state']) },
    { messages: ['*'] },
    {},
    { url: `${moved}?Till=North` },
    { messages: ['*', 'computer state'] },
    { url: moved, messages: draft.spelt(['print job state']) },
  ];
  draft.add(patch(webhook, oneOf(bodies, choice.form)), patch(webhook, oneOf(bodies, choice.form + 3)));
  if (choice.other % 2 === 0) printFor(draft, choice);
}

function deletion(webhook: string): RawStep {
  return { request: { method: 'DELETE', path: `/webhook/{webhook:${webhook}}`, ...ANY } };
}

function remove(draft: Draft, choice: Choice): void {
  const webhook = someWebhook(draft, choice);
  draft.add(deletion(webhook));
  // Once more, now that it is gone.
  if (choice.form % 4 === 0) draft.add(deletion(webhook));
  if (choice.form % 4 === 1) printFor(draft, choice);
}

function addWrong(draft: Draft, { form }: Choice): void {
  const sound = { url: '{receiver}/wrong', secret: 's3cret', messages: ['*'] };
  const { url, secret, messages } = sound;
  const bodies = [
    { url, secret },
    { url, messages },
    { secret, messages },
    { ...sound, messages: ['*', 'computer state'] },
  ];
  for (const body of [pick(bodies, form), pick(bodies, form + 1)])
    draft.add({ request: { method: 'POST', path: '/webhook', body, ...ANY } });
}

function reply(draft: Draft, choice: Choice): void {
  const { other, form } = choice;
  const webhook = someWebhook(draft, choice);
  const first = Array.from({ length: form % 4 }, () => oneOf(REPLIES, other));
  const lasting = form % 4 === 0 ? oneOf(REPLIES, other) : 'ok';
  draft.add({ 'receiver-replies': { webhook, first, lasting } });
  draft.isRetrying = true;
}

/** A receiver fails, and something happens before the event comes again. */
function retry(draft: Draft, choice: Choice): void {
  const { other, which, form } = choice;
  const webhook = someWebhook(draft, choice);
  reply(draft, choice);
  printFor(draft, choice);
  const moved = { url: `{receiver}/${draft.newName('moved')}` };
  const between: readonly [() => void, ...(() => void)[]] = [
    () => undefined,
    () => draft.add(patch(webhook, moved)),
    () => draft.add(patch(webhook, { secret: draft.newName('secret') })),
    () => draft.add(patch(webhook, { messages: draft.spelt(['computer state']) })),
    () => draft.add(deletion(webhook)),
    () => draft.pass('4s'),
    () => draft.restart(),
    () => draft.add({ 'receiver-replies': { webhook, first: ['status 500'], lasting: 'ok' } }),
  ];
  oneOf(between, which + other)();
  if (other % 3 !== 0) printFor(draft, choice);
  // More events than a service may send at a time wait for the next request.
  if (form % 5 === 0) printFor(draft, choice, { times: 12 });
  draft.pass(oneOf(['6s', '11s', '4s'], other));
}

/** An address with all that addresses may have, or one that two webhooks share. */
function addOdd(draft: Draft, choice: Choice): void {
  const { form } = choice;
  const path = `{receiver}/${draft.newName('Odd')}`;
  const urls = [`${path}?Till=North&Floor=3`, `${path}/${'long'.repeat(64)}`, `${path}/a%20b`] as const;
  const url = oneOf(urls, form);
  draft.add(creation(url, 'the one'), ...(form % 2 === 0 ? [creation(url, 'the other')] : []));
  draft.add({ request: { path: '/webhooks', ...ANY } });
  printFor(draft, choice);
}

/** Two webhooks, of which one takes its time or fails: the other does not wait for it. */
function twoTargets(draft: Draft, choice: Choice): void {
  while (draft.webhooks.length < 2) add(draft, { ...choice, form: 0 });
  const slow: RawReply = { reply: 'ok', after: '3s' };
  draft.add({
    'receiver-replies': { webhook: someWebhook(draft, choice), first: [slow], lasting: oneOf(REPLIES, choice.form) },
  });
  draft.isRetrying = true;
  printFor(draft, choice);
  if (choice.form % 2 === 0) draft.pass('1s');
  printFor(draft, choice);
}

/** What was counted, and what is left of it after a part of a measure's scale. */
function list(draft: Draft, choice: Choice): void {
  const { other, form } = choice;
  const look = { request: { path: '/webhooks', ...ANY } };
  if (form % 3 === 0) return draft.add(look);
  someWebhook(draft, choice);
  printFor(draft, choice);
  draft.pass('6s');
  draft.add(look);
  for (const length of oneOf([['5m', '12h'], ['1h1m'], ['4d']], other)) {
    draft.pass(length);
    // What is counted anew joins what is left.
    if (form % 3 === 1) printFor(draft, choice);
    draft.add(look);
  }
}

export const WEBHOOK_MOVES: Moves = {
  'add-webhook': { weight: 3, play: add },
  'fill-webhooks': { weight: 1, play: fill },
  'change-webhook': { weight: 3, play: change },
  'delete-webhook': { weight: 2, play: remove },
  'wrong-webhook': { weight: 1, play: addWrong },
  'receiver-replies': { weight: 2, play: reply },
  'retry-webhook': { weight: 4, play: retry },
  'odd-webhook': { weight: 1, play: addOdd },
  'two-targets': { weight: 2, play: twoTargets },
  'list-webhooks': { weight: 2, play: list },
};
