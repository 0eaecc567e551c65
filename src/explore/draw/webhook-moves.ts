/** Moves of webhooks: added, changed, deleted, and receivers that answer in all the ways of real ones. */

import { oneOf, pick, type Choice, type Draft, type Moves } from './draft.ts';

const MESSAGES = [
  ['*'],
  ['*'],
  ['print job state'],
  ['computer state'],
  ['print job state', 'computer state'],
] as const;
const REPLIES = [
  'ok',
  'no content',
  'header missing',
  'header in lower case',
  'header wrong',
  'status 500',
  'status 404',
  'redirect',
  'reset',
] as const;

function add(draft: Draft, { form }: Choice): void {
  const as = draft.newName('hook');
  draft.webhooks.push(as);
  draft.add({ 'add-webhook': { as, messages: oneOf(MESSAGES, form), secret: `secret of ${as}`, answers: 'any' } });
}

function fill(draft: Draft, choice: Choice): void {
  while (draft.webhooks.length < 4) add(draft, choice);
  add(draft, choice);
  add(draft, choice);
}

function change(draft: Draft, { which, form }: Choice): void {
  const webhook = pick(draft.webhooks, which);
  if (webhook === undefined) return;
  const bodies: readonly [object, ...object[]] = [
    { secret: draft.newName('secret') },
    { url: `{receiver}/${draft.newName('moved')}` },
    { messages: ['computer state'] },
    { messages: ['*'] },
    {},
    { messages: ['*', 'computer state'] },
  ];
  const body = oneOf(bodies, form);
  draft.add({ request: { method: 'PATCH', path: `/webhook/{webhook:${webhook}}`, body, answers: 'any' } });
}

function remove(draft: Draft, { which, form }: Choice): void {
  const webhook = pick(draft.webhooks, which);
  if (webhook === undefined) return;
  const step = { request: { method: 'DELETE', path: `/webhook/{webhook:${webhook}}`, answers: 'any' } };
  draft.add(step);
  // Once more, now that it is gone.
  if (form % 4 === 0) draft.add(step);
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
  draft.add({ request: { method: 'POST', path: '/webhook', body: pick(bodies, form), answers: 'any' } });
}

function reply(draft: Draft, { which, other, form }: Choice): void {
  const webhook = pick(draft.webhooks, which);
  if (webhook === undefined) return;
  const first = form % 3 === 0 ? [] : Array.from({ length: 1 + (form % 2) }, () => oneOf(REPLIES, other));
  const lasting = form % 3 === 0 ? oneOf(REPLIES, other) : 'ok';
  draft.add({ 'receiver-replies': { webhook, first, lasting } });
  draft.isRetrying = true;
}

function list(draft: Draft): void {
  draft.add({ request: { path: '/webhooks', answers: 'any' } });
}

export const WEBHOOK_MOVES: Moves = {
  'add-webhook': { weight: 4, play: add },
  'fill-webhooks': { weight: 1, play: fill },
  'change-webhook': { weight: 2, play: change },
  'delete-webhook': { weight: 2, play: remove },
  'wrong-webhook': { weight: 1, play: addWrong },
  'receiver-replies': { weight: 3, play: reply },
  'list-webhooks': { weight: 2, play: list },
};
