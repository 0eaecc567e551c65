/**
 * Mutants of what is alike, many, or done again: names that differ in little, one more than was counted on, a
 * second use. The plain example of a rule does not show them.
 */

import type { WebhookFields } from '../../src/conformance/context/webhook-settings.ts';
import { actAs } from '../../src/service/gate/child-account.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { AskingMeddle, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { headerOf, instead, isForChild, jsonOf, refuse, sent } from './mutant-tools.ts';
import { broken, inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';
import { events, sender } from './webhook-sender.ts';

const CREATE = /^POST \/account$/;
const SUBMIT = /^POST \/printjobs$/;
const UPDATE = /^PATCH \/account$/;
const WHOAMI = /^GET \/whoami/;
const KEY = 'X-Idempotency-Key';
const MANY = 20;

type Fields = Record<string, unknown>;
type Creation = { readonly Account: Fields; readonly Tags?: Fields };

const withoutLeadingZeros = (ref: unknown): unknown =>
  typeof ref === 'string' && /^\d+$/.test(ref) ? String(Number(ref)) : ref;

/** A DELETE of this takes what is at another path with it. */
function takingAlong(pattern: RegExp, other: (path: string) => string): AskingMeddle {
  return async ({ method, path, asked }, ask) => {
    if (method !== 'DELETE' || !pattern.test(path)) return undefined;
    await ask({ method, path: other(path), headers: asked.headers });
    return undefined;
  };
}

/** Headers with another value of one of them, or without it. */
function withHeader(
  { headers }: PassingRequest,
  name: string,
  change: (value: string) => string | undefined,
): string[] {
  const pairs = Array.from({ length: headers.length / 2 }, (_, at) => headers.slice(2 * at, 2 * at + 2));
  return pairs.flatMap(([other = '', value = '']) => {
    if (other.toLowerCase() !== name.toLowerCase()) return [other, value];
    const changed = change(value);
    return changed === undefined ? [] : [other, changed];
  });
}

function inHeader(name: string, change: (value: string, request: PassingRequest) => string | undefined): Rewrite {
  return (request) => {
    if (headerOf(request, name) === undefined) return undefined;
    return { headers: withHeader(request, name, (value) => change(value, request)) };
  };
}

/** A key counts as new when that many others were used after it. */
function forgettingKeys(most: number): Rewrite {
  const recent: string[] = [];
  let forgotten = 0;
  return inHeader(KEY, (key) => {
    const isForgotten = recent.includes(key) && !recent.slice(-most).includes(key);
    recent.push(key);
    return isForgotten ? `${key}-${++forgotten}` : key;
  });
}

/** A header finds the first Child whose email begins with it. */
const BY_BEGINNING_OF_EMAIL: Partial<ServiceRules> = {
  actAs: (authenticated, header, accounts) =>
    actAs(
      authenticated,
      (name) => {
        const value = header(name);
        if (!name.endsWith('email') || value === undefined) return value;
        return accounts.childrenOf(authenticated).find(({ email }) => email.startsWith(value))?.email ?? value;
      },
      accounts,
    ),
};

/** Events beyond the first few that come at once wait for another request, which never comes. */
function fewEvents(most: number): Partial<ServiceRules> {
  return events((all) => all.slice(0, most));
}

/** Sends to only the first of several webhooks with one url. */
function oneWebhookForEachUrl(): Partial<ServiceRules> {
  return sender((send) => {
    const firsts = new Map<string, number>();
    return async (target, body) => {
      const first = firsts.get(target.url) ?? target.webhookId;
      firsts.set(target.url, first);
      return first === target.webhookId ? send(target, body) : 'success';
    };
  });
}

/** Each failure in a row makes the wait longer. */
function backingOff(): Pick<ServiceRules, 'dueMs'> {
  const failures = new Set<number>();
  return {
    dueMs(lastRequest, nowMs) {
      if (lastRequest?.outcome === 'failure') failures.add(lastRequest.endedMs);
      else failures.clear();
      return SERVICE_RULES.dueMs(lastRequest, nowMs) + 5_000 * Math.max(0, failures.size - 1);
    },
  };
}

/** What comes in one millisecond is counted once. */
const ONCE_A_MILLISECOND: Partial<ServiceRules> = {
  decayingCounts: {
    ...SERVICE_RULES.decayingCounts,
    add: (count, happenings, nowMs) =>
      count.atMs === nowMs && count.measures.counts > 0
        ? count
        : SERVICE_RULES.decayingCounts.add(count, happenings, nowMs),
  },
};

/** What had to wait for a slow request is sent by itself, event for event; or what was in it is forgotten. */
function afterSlowRequests(forgets: boolean): Partial<ServiceRules> {
  const slow = new Set<string>();
  return sender((send, { clock }) => async (target, body) => {
    const all = slow.has(target.url) && !forgets ? (JSON.parse(body) as unknown[]).map((one) => [one]) : undefined;
    if (all) {
      const outcomes = [];
      for (const one of all) outcomes.push(await send(target, JSON.stringify(one)));
      return outcomes.find((outcome) => outcome === 'failure') ?? 'success';
    }
    const fromMs = clock.now();
    const outcome = await send(target, body);
    const isSlow = clock.now() - fromMs > 1_000;
    if (isSlow) slow.add(target.url);
    return isSlow && forgets ? 'success' : outcome;
  });
}

/** Webhooks as they are made: their urls with the newest secrets, and the first with each list of messages. */
class Made {
  readonly #secrets = new Map<string, string>();
  readonly #types = new Map<string, string>();
  readonly #listeners = new Map<string, string>();

  readonly watch: AskingMeddle = ({ method, path, request, status }) => {
    if (method !== 'POST' || path !== '/webhook' || status >= 300) return undefined;
    const { url, secret, messages } = jsonOf(request) as WebhookFields;
    this.#secrets.set(url, secret);
    const types = messages.join();
    if (types !== '*' && !this.#listeners.has(types)) this.#listeners.set(types, url);
    this.#types.set(url, types);
    return undefined;
  };

  newestSecrets(): Partial<ServiceRules> {
    return sender(
      (send) => (target, body) => send({ ...target, secret: this.#secrets.get(target.url) ?? target.secret }, body),
    );
  }

  oneForEachList(): Partial<ServiceRules> {
    return sender((send) => async (target, body) => {
      const first = this.#listeners.get(this.#types.get(target.url) ?? '*') ?? target.url;
      return first === target.url ? send(target, body) : 'success';
    });
  }
}

const sharingSecrets = new Made();
const sharingLists = new Made();

export const LIKENESS_MUTANTS: readonly Mutant[] = [
  inAnswers(
    'accounts/tag-delete',
    'a tag takes one with a longer name with it',
    takingAlong(/\/tag\//, (path) => `${path}x`),
  ),
  inAnswers(
    'accounts/tag-delete',
    'an underscore in a name stands for any character',
    takingAlong(/\/tag\/.*_/, (path) => path.replace(/_(?=[^_]*$)/, 'x')),
  ),
  inAnswers(
    'accounts/api-key-delete',
    'a key takes one with a longer name with it',
    takingAlong(/\/apikey\//, (path) => `${path}0`),
  ),
  inRequests(
    'authentication/child-by-unknown-id-401',
    'an id ends where its digits end',
    inHeader('X-Child-Account-By-Id', (id) => String(Number.parseInt(id, 10) || id)),
  ),
  inRequests(
    'authentication/child-by-unknown-email-401',
    'an empty header counts as none',
    inHeader('X-Child-Account-By-Email', (email) => email || undefined),
  ),
  inRules('authentication/child-by-unknown-email-401', 'the beginning of an email is enough', BY_BEGINNING_OF_EMAIL),
  inRequests(
    'authentication/child-by-creator-ref',
    'the case of a creatorRef is lost',
    inHeader('X-Child-Account-By-CreatorRef', (ref) => ref.toLowerCase()),
  ),
  inRequests(
    'accounts/create-tags',
    'a creation keeps ten tags',
    sent(CREATE, ({ Tags, ...rest }: Creation) => ({
      ...rest,
      ...(Tags && { Tags: Object.fromEntries(Object.entries(Tags).slice(0, 10)) }),
    })),
  ),
  inAnswers(
    'accounts/create-creator-ref',
    'a creatorRef of digits is shown as a number',
    json(WHOAMI, (account: Fields) => ({
      ...account,
      creatorRef: /^\d+$/.test(String(account['creatorRef'])) ? Number(account['creatorRef']) : account['creatorRef'],
    })),
  ),
  inRequests(
    'accounts/create-creator-ref',
    'a creatorRef of digits loses its leading zeros',
    sent(CREATE, ({ Account, ...rest }: Creation) => ({
      ...rest,
      Account: { ...Account, creatorRef: withoutLeadingZeros(Account['creatorRef']) },
    })),
  ),
  inAnswers(
    'accounts/update-creator-ref',
    'a creatorRef of a zero is shown as none',
    json(UPDATE, (account: Fields) => ({
      ...account,
      creatorRef: account['creatorRef'] === '0' ? null : account['creatorRef'],
    })),
  ),
  inAnswers(
    'accounts/field-child-accounts',
    'childAccounts ends with the newest twenty',
    json(WHOAMI, ({ childAccounts, ...account }: Fields & { readonly childAccounts: readonly unknown[] }) => ({
      ...account,
      childAccounts: childAccounts.slice(-20),
    })),
  ),
  ...Object.entries({
    'in composed characters': (name: string) => name.normalize('NFC'),
    'up to its 64th character': (name: string) => name.slice(0, 64),
    'without characters of four bytes': (name: string) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
  }).map(([how, change]) =>
    inAnswers(
      'accounts/update-firstname',
      `a name is shown ${how}`,
      json(UPDATE, (account: Fields) => ({ ...account, firstname: change(String(account['firstname'])) })),
    ),
  ),
  inAnswers(
    'accounts/create-lastname',
    'a name is shown with its markup escaped',
    json(WHOAMI, (account: Fields) => ({ ...account, lastname: String(account['lastname']).replaceAll('<', '&lt;') })),
  ),
  inAnswers(
    'accounts/create',
    'a name of a zero counts as empty',
    refuse(CREATE, ({ request }) => (jsonOf(request) as Creation | undefined)?.Account['lastname'] === '0'),
  ),
  inAnswers('accounts/state-activate', 'a suspension takes tags', async ({ method, path, asked }, ask) => {
    if (method === 'PUT' && path === '/account/state') {
      await ask({ method: 'DELETE', path: '/account/tag/floor', headers: asked.headers });
    }
    return undefined;
  }),
  inAnswers('misc/noop-body-is-request-id', 'a Child is answered OK', (answer) =>
    answer.path === '/noop' && answer.status < 300 && isForChild(answer.request) ? { body: '"OK"' } : undefined,
  ),
  inRequests(
    'errors/invalid-content',
    'what follows a body is cut off',
    instead(SUBMIT, ({ body }) => ({ body: body.toString('utf8').replace(/([\]}])[^\]}"]*$/, '$1') })),
  ),
  inRequests('print-jobs/idempotency-conflict', 'a key is forgotten after twenty others', forgettingKeys(MANY)),
  inRequests(
    'print-jobs/idempotency-conflict',
    'a key is forgotten after two hundred others',
    forgettingKeys(10 * MANY),
  ),
  inRequests(
    'print-jobs/idempotency-conflict',
    'a key counts for nothing beside a Child header',
    inHeader(KEY, (key, request) => (isForChild(request) ? undefined : key)),
  ),
  inRequests(
    'print-jobs/idempotency-conflict',
    'the key 0 counts for nothing',
    inHeader(KEY, (key) => (key === '0' ? undefined : key)),
  ),
  inRequests(
    'print-jobs/idempotency-key-counts',
    'each printer counts its own keys',
    inHeader(KEY, (key, request) => `${key}${String((jsonOf(request) as Fields | undefined)?.['printerId'])}`),
  ),
  inRules('events/all-due-in-one', 'a request has twenty events at most', fewEvents(MANY)),
  inRules(
    'webhooks/messages-star-means-every',
    'of two webhooks with one url one is sent events',
    oneWebhookForEachUrl(),
  ),
  broken('events/listed-types-trigger', 'of two webhooks with the same messages one is triggered', {
    rules: sharingLists.oneForEachList(),
    meddle: sharingLists.watch,
  }),
  broken('events/secret-sent', 'webhooks with one url are sent the secret of the newest', {
    rules: sharingSecrets.newestSecrets(),
    meddle: sharingSecrets.watch,
  }),
  inRules('events/due-after-failure', 'each failure in a row adds five seconds', backingOff()),
  inRules('webhooks/received-counts-triggers', 'what comes in one millisecond counts once', ONCE_A_MILLISECOND),
  inRules('events/all-due-in-one', 'what waited for a slow request is sent one by one', afterSlowRequests(false)),
  inRules('events/failed-requeued', 'what failed slowly is forgotten', afterSlowRequests(true)),
  inRules(
    'events/query-sent',
    'a url is written in lower case',
    sender((send) => (target, body) => {
      const url = new URL(target.url);
      url.search = url.search.toLowerCase();
      return send({ ...target, url: url.href }, body);
    }),
  ),
];
