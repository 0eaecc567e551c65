/** Moves of accounts: tags, API keys, Child Accounts and their suspension, another account that meddles. */

import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import { oneOf, pick, together, type Choice, type Draft, type Moves } from './draft.ts';
import type { RawStep } from './raw-day.ts';

const ANY = { answers: 'any' } as const;
const TAG_NAMES = ['floor', 'customer.no', 'floor', 'no blanks', 'Shelf_2', '_shelf', '-3', '.hidden'] as const;
const TAG_VALUES = ['3', 'north wing', ' blanks around ', 'ÄÖÜ', ''] as const;
type Alike = readonly [string, string];
/** Names that are alike: as long as one of them is removed, the other stays. */
const ALIKE: readonly [Alike, ...Alike[]] = [
  ['floor', 'floorx'],
  ['Shelf_2', 'Shelfx2'],
  ['constructor', 'Constructor'],
  ['floor', 'Floor'],
];
const MOST_KEYS = 10;
const MANY_TAGS = 12;
/** Longer than a column for names mostly is, and of characters of four bytes. */
const LONG_NAME = 'of a long line of printers and scales, '.padEnd(100, 'x');
const WIDE_NAME = '𝔄𝔫𝔫 🖨';
/** More bytes than some hashes take. */
const LONG_PASSWORD = 'a password of eighty characters, '.padEnd(80, 'x');

type Runs = readonly [readonly RawStep[], ...(readonly RawStep[])[]];

/** The caller acts for a Child, or for itself without one. */
function asking(method: string, path: string, { child, body }: { child?: string | undefined; body?: unknown } = {}) {
  const headers = { [REQUEST_HEADERS.childAccountById.name]: `{value:${child}}` };
  return {
    request: { method, path, ...(child !== undefined && { headers }), ...(body !== undefined && { body }), ...ANY },
  };
}

function tag(draft: Draft, { which, other, form }: Choice): void {
  const name = oneOf(TAG_NAMES, which);
  const child = which % 3 === 0 ? pick(draft.children, other) : undefined;
  const path = `/account/tag/${draft.own(encodeURIComponent(name))}`;
  if (child === undefined) draft.tags.add(path);
  const set = (value: number): RawStep => asking('POST', path, { child, body: oneOf(TAG_VALUES, other + value) });
  const [read, remove] = [asking('GET', path, { child }), asking('DELETE', path, { child })];
  const whoami = asking('GET', '/whoami', { child });
  const many = Array.from({ length: MANY_TAGS }, (_, index) =>
    asking('POST', `/account/tag/${draft.own(`shelf-${index}`)}`, { child, body: 'full' }),
  );
  draft.add(
    ...oneOf(
      [
        [set(0), read],
        [set(0), whoami],
        [read],
        [remove, read],
        [set(0), set(1), read],
        [set(0), set(1), set(2), read],
        [set(0), remove, read],
        [set(0), remove, set(1), read],
        [together(set(0), set(1)), read, read, whoami],
        [...many, whoami],
      ],
      form,
    ),
  );
}

/** Two tags whose names are alike, of which one is removed. */
function tagsAlike(draft: Draft, { which, other, form }: Choice): void {
  const child = form % 3 === 0 ? pick(draft.children, other) : undefined;
  const [one, another] = oneOf(ALIKE, which);
  const [first, second] = [`/account/tag/${draft.own(one)}`, `/account/tag/${draft.own(another)}`];
  const ask = (method: string, path: string, body?: string): RawStep => asking(method, path, { child, body });
  draft.add(ask('POST', first, 'one'), ask('POST', second, 'two'), ask('DELETE', first), ask('GET', second));
  if (form % 2 === 0) draft.add(ask('GET', first), asking('GET', '/whoami', { child }));
}

/** A new key, wherever the answer has it. */
function savedAs(draft: Draft, name: string): object {
  const from = draft.keyPlace(draft.own(name));
  return { as: name, ...(from !== undefined && { from }) };
}

/** Makes an API key, which is saved under this name. */
export function makeKey(draft: Draft, name: string, child?: string): RawStep {
  const { request } = asking('POST', `/account/apikey/${draft.own(name)}`, { child });
  return { request: { ...request, save: savedAs(draft, name) } };
}

function key(draft: Draft, { which, other, form }: Choice): void {
  const child = which % 3 === 0 ? pick(draft.children, other) : undefined;
  const name = draft.newName('key');
  const path = `/account/apikey/${draft.own(name)}`;
  const used = use(name);
  const [read, revoke] = [asking('GET', path, { child }), asking('DELETE', path, { child })];
  const more = Array.from({ length: MOST_KEYS - 1 }, () =>
    asking('POST', `/account/apikey/${draft.own(draft.newName('key'))}`),
  );
  // Called alike: the one stays when the other is revoked.
  const longer = `${name}0`;
  const alike = [makeKey(draft, longer, child), revoke, use(longer)];
  draft.keys.push(name);
  draft.add(
    makeKey(draft, name, child),
    ...oneOf(
      [[used], [used, read], [read, revoke, used], [used, revoke, used], [revoke, read], [used, ...more], alike],
      form,
    ),
  );
}

function createChild(draft: Draft, { form }: Choice): void {
  if (draft.isChild) return;
  const name = draft.newName('child');
  const account = {
    firstname: '-',
    lastname: '-',
    email: draft.address(name),
    password: 'long enough',
    ...(form % 2 === 0 && { creatorRef: draft.own(name) }),
  };
  const { email: _email, ...incomplete } = account;
  const isWrong = form % 8 === 5 || form % 8 === 4;
  const Account = form % 8 === 5 ? incomplete : form % 8 === 4 ? { ...account, password: 'short' } : account;
  const Tags = { [oneOf(['floor', 'customer.no', 'no blanks'], form >> 3)]: '2' };
  const body = { Account, ...(form % 3 === 0 && { ApiKeys: ['till'], Tags }) };
  if (!isWrong) draft.children.push(name);
  draft.add({ request: { method: 'POST', path: '/account', body, save: { as: name, from: 'Account.id' }, ...ANY } });
}

/** A Child of the day; there is one from now on, unless the day is one itself. */
function someChild(draft: Draft, { which, other }: Choice): string | undefined {
  if (draft.children.length === 0) createChild(draft, { which, other, form: 2 });
  return pick(draft.children, which);
}

/** What becomes of a Child: suspended, active again, deleted. */
function childState(draft: Draft, choice: Choice): void {
  const child = someChild(draft, choice);
  if (child === undefined) return;
  const as = (method: string, path: string, body?: unknown): RawStep => asking(method, path, { child, body });
  const state = (body: string): RawStep => as('PUT', '/account/state', body);
  const [read, whoami, own] = [as('GET', '/account/state'), as('GET', '/whoami'), asking('GET', '/whoami')];
  const runs: Runs = [
    [state('suspended'), read, whoami, state('active'), whoami],
    [state('suspended'), read, state('asleep'), read],
    [state('suspended'), state('active'), state('suspended'), state('active'), read],
    [read, state('active'), read, state('asleep'), read],
    [as('GET', '/printjobs'), as('GET', '/webhooks'), own],
    [as('DELETE', '/account'), whoami, own],
    [state('suspended'), as('DELETE', '/account'), own],
  ];
  draft.add(...oneOf(runs, choice.form));
}

function byReference(reference: string): RawStep {
  const headers = { [REQUEST_HEADERS.childAccountByCreatorRef.name]: reference };
  return { request: { path: '/whoami', headers, ...ANY } };
}

/** What a Child is called, and by what it is found. */
function childChange(draft: Draft, choice: Choice): void {
  const child = someChild(draft, choice);
  if (child === undefined) return;
  const sibling = draft.children.find((one) => one !== child) ?? child;
  const change = (body: object): RawStep => asking('PATCH', '/account', { child, body });
  const [whoami, own] = [asking('GET', '/whoami', { child }), asking('GET', '/whoami')];
  const name = draft.newName('Ann');
  const runs: Runs = [
    [change({ firstname: name }), whoami, change({ lastname: `${name} Lee` }), whoami, own],
    [change({ email: draft.address(name) }), change({ password: 'longer still' }), whoami],
    [change({ creatorRef: draft.own(name) }), byReference(draft.own(name)), byReference(draft.own(child)), whoami],
    [change({ firstname: name, lastname: name, password: 'short' }), whoami],
    [change({ firstname: name, lastname: `${name} Lee` }), change({ password: LONG_PASSWORD }), whoami],
    [change({ firstname: name, creatorRef: draft.own(sibling) }), whoami],
    [change({ firstname: `${name} ${LONG_NAME}` }), whoami],
    [change({ firstname: `${name} ${WIDE_NAME}` }), whoami],
  ];
  draft.add(...oneOf(runs, choice.form));
}

function use(name: string): RawStep {
  return { request: { path: '/whoami', key: `{value:${name}}`, ...ANY } };
}

/** Keys of a Child, and what is left of them once it is gone. */
function childKeys(draft: Draft, { which, other, form }: Choice): void {
  if (draft.isChild) return;
  createChild(draft, { which, other, form: 6 });
  const child = draft.children.at(-1);
  const [first, second] = [draft.newName('key'), draft.newName('key')];
  for (const name of [first, second]) draft.add(makeKey(draft, name, child), use(name));
  const end = oneOf(
    [
      [asking('DELETE', '/account', { child })],
      [asking('PUT', '/account/state', { child, body: 'suspended' })],
      [asking('DELETE', `/account/apikey/${draft.own(first)}`, { child })],
    ],
    form,
  );
  draft.add(...end, use(first), use(second));
}

/** As many webhooks as a Child may have, and one more. */
function childWebhooks(draft: Draft, { which, other, form }: Choice): void {
  if (draft.isChild) return;
  createChild(draft, { which, other, form: 6 });
  const child = draft.children.at(-1);
  const name = draft.newName('hook');
  const add = (number: number): RawStep => {
    const body = { url: `{receiver}/${name}/${number}`, secret: `Secret ${number}`, messages: ['*'] };
    return asking('POST', '/webhook', { child, body });
  };
  const numbers = Array.from({ length: LIMITS.webhooksPerAccount.value + 1 }, (_, index) => index);
  draft.add(...numbers.map(add), asking('GET', '/webhooks', { child: form % 2 === 0 ? child : undefined }));
}

function suspend(draft: Draft, { form }: Choice): void {
  if (!draft.isChild) return;
  for (const computer of draft.computers) if (computer.standing === 'connected') computer.standing = 'unsure';
  draft.add({ 'account-state': 'suspended' }, ...(form % 2 === 0 ? [{ advance: '6s' }] : []), {
    'account-state': 'active',
  });
}

function whoami(draft: Draft, { form }: Choice): void {
  draft.add({
    request: { path: oneOf(['/whoami', '/account/controllable', '/noop', '/account/state'], form), ...ANY },
  });
}

const plainJob = { contentType: 'raw_base64', content: 'aGVsbG8=', title: 'meddling' };

/** An unrelated account tries to reach what is not its own. */
function meddle(draft: Draft, { which, form }: Choice): void {
  const [job, printer] = [pick(draft.jobs, which), pick(draft.printers, which)];
  const [webhook, computer] = [pick(draft.webhooks, which), pick(draft.computers, which)];
  const requests = [
    { path: '/printjobs' },
    { path: '/printers' },
    { path: '/computers' },
    { path: '/webhooks' },
    { path: '/whoami' },
    { path: '/printjobs/states' },
    ...(job === undefined
      ? []
      : [
          { path: `/printjobs/{job:${job}}` },
          { path: `/printjobs/{job:${job}}/states` },
          { method: 'DELETE', path: `/printjobs/{job:${job}}` },
        ]),
    ...(printer && !draft.isBorrowed
      ? [
          { method: 'DELETE', path: `/printers/{printer:${printer.name}}/printjobs` },
          { method: 'POST', path: '/printjobs', body: { ...plainJob, printerId: `{printer:${printer.name}}` } },
        ]
      : []),
    ...(webhook === undefined
      ? []
      : [
          { method: 'DELETE', path: `/webhook/{webhook:${webhook}}` },
          { method: 'PATCH', path: `/webhook/{webhook:${webhook}}`, body: { secret: 'taken over' } },
        ]),
    ...(computer
      ? [
          { path: `/computer/{computer:${computer.name}}/scales` },
          { method: 'DELETE', path: `/computers/{computer:${computer.name}}` },
        ]
      : []),
  ];
  // What it may have changed comes last in the list; each time two of them are tried.
  for (const request of new Set([pick(requests, form), pick(requests.toReversed(), form >> 2)]))
    draft.add({ request: { ...request, key: '{second}', ...ANY } });
}

/** Credentials that belong to no account. */
function strangeKey(draft: Draft, { form }: Choice): void {
  const path = oneOf(['/whoami', '/printjobs', '/webhooks'], form);
  draft.add({ request: { path, key: oneOf(['no-such-key', 'TEST-KEY'], form >> 2), ...ANY } });
}

/** A last look at everything of accounts that a day has touched. */
export function lookAtAccounts(draft: Draft): readonly RawStep[] {
  return [
    ...[...draft.tags].map((path) => asking('GET', path)),
    ...draft.children.map((child) => asking('GET', '/whoami', { child })),
    ...(draft.children.length > 0 ? [asking('GET', '/whoami'), asking('GET', '/account/controllable')] : []),
  ];
}

export const ACCOUNT_MOVES: Moves = {
  tag: { weight: 3, play: tag },
  'tags-alike': { weight: 1, play: tagsAlike },
  key: { weight: 2, play: key },
  'create-child': { weight: 2, play: createChild },
  'child-state': { weight: 3, play: childState },
  'child-change': { weight: 3, play: childChange },
  'child-keys': { weight: 1, play: childKeys },
  'child-webhooks': { weight: 1, play: childWebhooks },
  suspend: { weight: 1, play: suspend },
  whoami: { weight: 1, play: whoami },
  meddle: { weight: 2, play: meddle },
  'strange-key': { weight: 1, play: strangeKey },
};

/** Kinds of moves that make Child Accounts. */
export const OF_INTEGRATOR: ReadonlySet<string> = new Set([
  'create-child',
  'child-state',
  'child-change',
  'child-keys',
  'child-webhooks',
]);
