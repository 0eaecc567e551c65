/**
 * Mutants of webhooks as settings, and of their statistics.
 */

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/spec/clauses.ts';
import { SECOND_KEY } from '../support/running-service.ts';
import type { Meddle, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { acceptRefused, instead, jsonOf, refuse, sent, status } from './mutant-tools.ts';
import { basicOf, json, type Mutant } from './mutants.ts';

type Fields = Record<string, unknown>;
type Measures = Record<string, unknown>;
type Statistic = 'receivedEvents' | 'droppedEvents' | 'successfulRequests' | 'failedRequests';
type Webhook = Fields & Record<Statistic, Measures>;

const CREATE = /^POST \/webhook$/;
const UPDATE = /^PATCH \/webhook\//;
const DELETE = /^DELETE \/webhook\//;
const LIST = /^GET \/webhooks$/;
/** What every answer about webhooks is. */
const ANY = /\/webhook/;

/** Fills in a field that is missing in a creation, so that it is not refused. */
const filledIn = (name: string, value: unknown): Rewrite =>
  sent(CREATE, (fields: Fields) => ({ ...fields, [name]: fields[name] ?? value }));

const withoutField = (name: string): Rewrite =>
  sent(UPDATE, (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name)),
  );

const starAlone = (pattern: RegExp): Rewrite =>
  sent(pattern, (fields: Fields) =>
    Array.isArray(fields['messages']) && fields['messages'].includes('*')
      ? { ...fields, messages: ['*'] }
      : fields,
  );

/** Acts for the second account, whoever asks. */
const asStranger = (pattern: RegExp): Rewrite =>
  instead(pattern, ({ headers }: PassingRequest) => ({
    headers: headers.map((value, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'authorization' ? basicOf(SECOND_KEY) : value,
    ),
  }));

/** Every webhook in every list, changed. */
const each = (change: (webhook: Webhook) => object): Meddle =>
  json(ANY, (list: Webhook[]) => list.map(change));

const counted = (statistic: Statistic, count: (webhook: Webhook) => unknown): Meddle =>
  each((webhook) => ({
    ...webhook,
    [statistic]: { ...webhook[statistic], counts: count(webhook) },
  }));

/** The measures of a statistic, read wrong. */
function measures(change: (read: Record<string, number>) => object): Partial<ServiceRules> {
  const { decayingCounts } = SERVICE_RULES;
  const read: typeof decayingCounts.read = (count, nowMs) => {
    const right = decayingCounts.read(count, nowMs);
    return { ...right, ...change(right) };
  };
  return { decayingCounts: { ...decayingCounts, read } };
}

const mistyped = (field: string, clause: ClauseId, value: unknown): Mutant => ({
  name: `${field} of a webhook is ${JSON.stringify(value)}`,
  clause,
  meddle: each((webhook) => ({ ...webhook, [field]: value })),
});

const withoutMeasure = (statistic: Statistic, clause: ClauseId): Mutant => ({
  name: `${statistic} without exp1d`,
  clause,
  meddle: each((webhook) => ({
    ...webhook,
    [statistic]: { ...webhook[statistic], exp1d: undefined },
  })),
});

/** Lists are empty from the first deletion on. */
function emptyAfterDelete(): Meddle {
  let isDeleted = false;
  return ({ method, path }) => {
    isDeleted ||= DELETE.test(`${method} ${path}`);
    return isDeleted && method === 'GET' && path === '/webhooks' ? { body: '[]' } : undefined;
  };
}

/** Nothing is created any more from the first deletion on. */
function fullForEver(): Meddle {
  let isDeleted = false;
  return (answer) => {
    isDeleted ||= DELETE.test(`${answer.method} ${answer.path}`);
    return isDeleted ? refuse(CREATE)(answer) : undefined;
  };
}

const lengthOf = (body: string): number => (JSON.parse(body) as unknown[]).length;
const isEmptyUpdate = ({ request }: { readonly request: PassingRequest }): boolean =>
  Object.keys(jsonOf(request) ?? {}).length === 0;

export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  // Creating and listing
  {
    name: 'GET /webhooks wraps its list',
    clause: 'webhooks/list',
    meddle: json(LIST, (webhooks) => ({ webhooks })),
  },
  { name: 'webhooks of others are listed', clause: 'webhooks/list-own-only', rewrite: asStranger(LIST) },
  { name: 'webhooks are taken and not kept', clause: 'webhooks/create', meddle: json(LIST, () => []) },
  {
    name: 'POST /webhook answers the new webhook',
    clause: 'webhooks/create-answers-list',
    meddle: json(CREATE, ([first]: Webhook[]) => first),
  },
  {
    name: 'url gets a slash',
    clause: 'webhooks/create-url',
    rewrite: sent(CREATE, (fields: Fields) => ({ ...fields, url: `${String(fields['url'])}/` })),
  },
  {
    name: 'secret is hidden',
    clause: 'webhooks/create-secret',
    meddle: each((one) => ({ ...one, secret: '***' })),
  },
  {
    name: 'messages are numbered',
    clause: 'webhooks/create-messages',
    meddle: each((one) => ({ ...one, messages: ['0'] })),
  },
  {
    name: 'url is optional',
    clause: 'webhooks/create-url-missing-refused',
    rewrite: filledIn('url', 'https://x.example/'),
  },
  {
    name: 'secret is optional',
    clause: 'webhooks/create-secret-missing-refused',
    rewrite: filledIn('secret', ''),
  },
  {
    name: 'messages are optional',
    clause: 'webhooks/create-messages-missing-refused',
    rewrite: filledIn('messages', ['*']),
  },
  {
    name: 'a webhook without secret is refused and kept',
    clause: 'webhooks/create-refused-leaves-nothing',
    rewrite: filledIn('secret', ''),
    meddle: refuse(CREATE, ({ request }) => !request.body.includes('secret')),
  },
  { name: '* is refused', clause: 'webhooks/messages-star-alone', meddle: refuse(CREATE) },
  {
    name: '* goes with others',
    clause: 'webhooks/messages-star-with-others-refused',
    rewrite: starAlone(CREATE),
  },
  {
    name: 'all webhooks have one id',
    clause: 'webhooks/id-assigned-by-service',
    meddle: each((one) => ({ ...one, webhookId: 1 })),
  },

  // Changing and deleting
  { name: 'PATCH is not there', clause: 'webhooks/update', meddle: status(UPDATE, 404) },
  { name: 'PATCH answers true', clause: 'webhooks/update-answers-list', meddle: json(UPDATE, () => true) },
  { name: 'PATCH leaves url', clause: 'webhooks/update-url', rewrite: withoutField('url') },
  { name: 'PATCH leaves secret', clause: 'webhooks/update-secret', rewrite: withoutField('secret') },
  { name: 'PATCH leaves messages', clause: 'webhooks/update-messages', rewrite: withoutField('messages') },
  { name: 'PATCH wants a field', clause: 'webhooks/update-nothing', meddle: refuse(UPDATE, isEmptyUpdate) },
  {
    name: 'PATCH empties secret',
    clause: 'webhooks/update-leaves-the-rest',
    rewrite: sent(UPDATE, (fields: Fields) => ({ secret: '', ...fields })),
  },
  {
    name: 'PATCH takes * with others',
    clause: 'webhooks/update-star-with-others-refused',
    rewrite: starAlone(UPDATE),
  },
  {
    name: 'PATCH of nothing succeeds',
    clause: 'webhooks/update-unknown-refused',
    meddle: acceptRefused(UPDATE),
  },
  {
    name: 'PATCH of foreign webhooks',
    clause: 'webhooks/update-foreign-refused',
    rewrite: asStranger(UPDATE),
  },
  {
    name: 'DELETE only looks',
    clause: 'webhooks/delete',
    rewrite: instead(DELETE, () => ({ method: 'GET', path: '/webhooks' })),
  },
  { name: 'DELETE answers true', clause: 'webhooks/delete-answers-list', meddle: json(DELETE, () => true) },
  { name: 'DELETE removes all', clause: 'webhooks/delete-leaves-other-webhooks', meddle: emptyAfterDelete() },
  {
    name: 'DELETE of nothing succeeds',
    clause: 'webhooks/delete-unknown-refused',
    meddle: acceptRefused(DELETE),
  },
  {
    name: 'DELETE of foreign webhooks',
    clause: 'webhooks/delete-foreign-refused',
    rewrite: asStranger(DELETE),
  },

  // How many
  {
    name: 'four webhooks at most',
    clause: 'limits/webhooks-per-account',
    meddle: refuse(CREATE, ({ body }) => lengthOf(body) > 4),
  },
  {
    name: 'a sixth webhook succeeds',
    clause: 'limits/webhooks-sixth-refused',
    meddle: acceptRefused(CREATE),
  },
  { name: 'no webhook after the fifth, ever', clause: 'limits/webhooks-freed', meddle: fullForEver() },

  {
    name: 'a new account has a webhook',
    clause: 'limits/webhooks-none-at-first',
    meddle: json(LIST, (list: Webhook[]) => (list.length === 0 ? [{ webhookId: 1 }] : list)),
  },

  // The object
  mistyped('webhookId', 'webhooks/field-webhook-id', '1'),
  mistyped('url', 'webhooks/field-url', null),
  mistyped('secret', 'webhooks/field-secret', null),
  mistyped('messages', 'webhooks/field-messages', '*'),
  withoutMeasure('receivedEvents', 'webhooks/field-received-events'),
  withoutMeasure('droppedEvents', 'webhooks/field-dropped-events'),
  withoutMeasure('successfulRequests', 'webhooks/field-successful-requests'),
  withoutMeasure('failedRequests', 'webhooks/field-failed-requests'),

  // Statistics
  {
    name: 'triggers are not counted',
    clause: 'webhooks/received-counts-triggers',
    meddle: counted('receivedEvents', () => 0),
  },
  {
    name: 'retries count as received',
    clause: 'webhooks/received-not-retries',
    meddle: counted(
      'receivedEvents',
      (one) => Number(one.receivedEvents['counts']) + Number(one.failedRequests['counts']),
    ),
  },
  {
    name: 'dropped events are not counted',
    clause: 'webhooks/dropped-counts-given-up',
    meddle: counted('droppedEvents', () => 0),
  },
  {
    name: 'every request counts as successful',
    clause: 'webhooks/successful-counts-requests',
    meddle: counted(
      'successfulRequests',
      (one) => Number(one.successfulRequests['counts']) + Number(one.failedRequests['counts']),
    ),
  },
  {
    name: 'failed requests are not counted',
    clause: 'webhooks/failed-counts-requests',
    meddle: counted('failedRequests', () => 0),
  },
  {
    name: 'events count as requests',
    clause: 'webhooks/requests-not-events',
    meddle: counted(
      'successfulRequests',
      (one) => Number(one.receivedEvents['counts']) - Number(one.droppedEvents['counts']),
    ),
  },
  {
    name: 'counts begin at one',
    clause: 'webhooks/measure-counts',
    rules: measures(({ counts = 0 }) => ({ counts: counts + 1 })),
  },
  {
    name: 'exp5m decays in an hour',
    clause: 'webhooks/measure-exp5m',
    rules: measures(({ exp1h }) => ({ exp5m: exp1h })),
  },
  {
    name: 'exp1h decays in five minutes',
    clause: 'webhooks/measure-exp1h',
    rules: measures(({ exp5m }) => ({ exp1h: exp5m })),
  },
  {
    name: 'exp1d decays in seven days',
    clause: 'webhooks/measure-exp1d',
    rules: measures(({ exp7d }) => ({ exp1d: exp7d })),
  },
  {
    name: 'exp7d decays in a day',
    clause: 'webhooks/measure-exp7d',
    rules: measures(({ exp1d }) => ({ exp7d: exp1d })),
  },
  {
    name: 'nothing decays',
    clause: 'webhooks/measures-decay',
    rules: measures(({ counts }) => ({ exp5m: counts })),
  },
  {
    name: 'counts decay',
    clause: 'webhooks/counts-do-not-decay',
    rules: measures(({ exp5m = 0 }) => ({ counts: exp5m })),
  },
];
