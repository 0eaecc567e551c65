/** Moves of accounts: tags, API keys, Child Accounts and their suspension, another account that meddles. */

import { REQUEST_HEADERS } from '../../spec/headers.ts';
import { oneOf, pick, type Choice, type Draft, type Moves } from './draft.ts';

const ANY = { answers: 'any' } as const;
const TAG_NAMES = ['floor', 'customer.no', 'no blanks'] as const;
const TAG_VALUES = ['3', 'north wing', ' blanks around ', 'ÄÖÜ'] as const;

function tag(draft: Draft, { which, other, form }: Choice): void {
  const path = `/account/tag/${encodeURIComponent(oneOf(TAG_NAMES, which))}`;
  const make = { request: { method: 'POST', path, body: oneOf(TAG_VALUES, other), ...ANY } };
  const read = { request: { path, ...ANY } };
  const remove = { request: { method: 'DELETE', path, ...ANY } };
  draft.add(...oneOf([[make], [make, read], [read], [make, remove, read]], form));
}

function key(draft: Draft, { which, form }: Choice): void {
  const known = pick(draft.keys, which);
  if (known === undefined || form % 4 === 0) {
    const name = draft.newName('key');
    draft.keys.push(name);
    draft.add({ request: { method: 'POST', path: `/account/apikey/${name}`, save: { as: name }, ...ANY } });
    return;
  }
  const steps = [
    { request: { path: '/whoami', key: `{value:${known}}`, ...ANY } },
    { request: { path: '/printjobs', key: `{value:${known}}`, ...ANY } },
    { request: { method: 'DELETE', path: `/account/apikey/${known}`, ...ANY } },
    { request: { path: `/account/apikey/${known}`, ...ANY } },
  ];
  draft.add(oneOf([steps[0] ?? {}, ...steps], form));
}

function createChild(draft: Draft, { form }: Choice): void {
  if (draft.isChild) return;
  const name = draft.newName('child');
  draft.children.push(name);
  const account = {
    firstname: '-',
    lastname: '-',
    email: `${name}@example.test`,
    password: 'long enough',
    ...(form % 2 === 0 && { creatorRef: name }),
  };
  const { email: _email, ...incomplete } = account;
  const Account = form % 6 === 5 ? incomplete : form % 6 === 4 ? { ...account, password: 'short' } : account;
  const body = { Account, ...(form % 3 === 0 && { ApiKeys: ['till'], Tags: { floor: '2' } }) };
  draft.add({ request: { method: 'POST', path: '/account', body, save: { as: name, from: 'Account.id' }, ...ANY } });
}

function useChild(draft: Draft, { which, other, form }: Choice): void {
  const child = pick(draft.children, which);
  if (child === undefined) return;
  const headers = { [REQUEST_HEADERS.childAccountById.name]: `{value:${child}}` };
  const as = (method: string, path: string, body?: unknown): object => ({
    request: { method, path, headers, ...(body !== undefined && { body }), ...ANY },
  });
  const steps = [
    as('GET', '/whoami'),
    as('GET', '/account/state'),
    as('PUT', '/account/state', 'suspended'),
    as('PUT', '/account/state', 'active'),
    as('PUT', '/account/state', 'asleep'),
    as('PATCH', '/account', { firstname: draft.newName('Ann') }),
    as('PATCH', '/account', { lastname: draft.newName('Bee') }),
    as('GET', '/printjobs'),
    as('GET', '/webhooks'),
    as('POST', `/account/tag/floor`, oneOf(TAG_VALUES, other)),
    as('GET', '/account/tag/floor'),
    as('DELETE', '/account'),
  ] as const;
  draft.add(oneOf([{ ...steps[0] }, ...steps.map((step) => ({ ...step }))], form));
}

function suspend(draft: Draft, { form }: Choice): void {
  if (!draft.isChild) return;
  for (const computer of draft.computers) if (computer.standing === 'connected') computer.standing = 'unsure';
  draft.add({ 'account-state': 'suspended' }, ...(form % 2 === 0 ? [{ advance: '6s' }] : []), {
    'account-state': 'active',
  });
}

function whoami(draft: Draft, { form }: Choice): void {
  draft.add({ request: { path: oneOf(['/whoami', '/account/controllable', '/noop'], form), ...ANY } });
}

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
    ...(printer ? [{ method: 'DELETE', path: `/printers/{printer:${printer.name}}/printjobs` }] : []),
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
  draft.add({ request: { ...pick(requests, form), key: '{second}', ...ANY } });
}

/** Credentials that belong to no account. */
function strangeKey(draft: Draft, { form }: Choice): void {
  const path = oneOf(['/whoami', '/printjobs', '/webhooks'], form);
  draft.add({ request: { path, key: oneOf(['no-such-key', 'TEST-KEY'], form >> 2), ...ANY } });
}

export const ACCOUNT_MOVES: Moves = {
  tag: { weight: 2, play: tag },
  key: { weight: 2, play: key },
  'create-child': { weight: 1, play: createChild },
  child: { weight: 3, play: useChild },
  suspend: { weight: 1, play: suspend },
  whoami: { weight: 2, play: whoami },
  meddle: { weight: 2, play: meddle },
  'strange-key': { weight: 1, play: strangeKey },
};
