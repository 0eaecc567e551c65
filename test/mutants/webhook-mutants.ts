/**
 * Mutants of webhooks as settings, and of their statistics.
 */

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/specification/clauses.ts';
import type { Meddle, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { acceptRefused, asStranger, instead, jsonOf, refuse, sent, status } from './mutant-tools.ts';
import { broken, inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';

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
  sent(UPDATE, (fields: Fields) => Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name)));

const starAlone = (pattern: RegExp): Rewrite =>
  sent(pattern, (fields: Fields) =>
    Array.isArray(fields['messages']) && fields['messages'].includes('*') ? { ...fields, messages: ['*'] } : fields,
  );

/** Every webhook in every list, changed. */
/** The list that was shown last. */
function listBefore(pattern: RegExp): Meddle {
  let shown = '[]';
  return ({ method, path, status: code, body }) => {
    if (code < 300 && pattern.test(`${method} ${path}`)) return { body: shown };
    if (`${method} ${path}` === 'GET /webhooks') shown = body;
    return undefined;
  };
}

const each = (change: (webhook: Webhook) => object): Meddle => json(ANY, (list: Webhook[]) => list.map(change));

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

const mistyped = (field: string, clause: ClauseId, value: unknown): Mutant =>
  inAnswers(
    clause,
    `${field} of a webhook is ${JSON.stringify(value)}`,
    each((webhook) => ({ ...webhook, [field]: value })),
  );

const withoutMeasure = (statistic: Statistic, clause: ClauseId): Mutant =>
  inAnswers(
    clause,
    `${statistic} without exp1d`,
    each((webhook) => ({
      ...webhook,
      [statistic]: { ...webhook[statistic], exp1d: undefined },
    })),
  );

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

/** A webhook whose url was changed counts nothing any more. */
function resetByUrl(): Meddle {
  const reset = new Set<number>();
  const list = each((one) =>
    reset.has(Number(one['webhookId'])) ? { ...one, receivedEvents: { ...one.receivedEvents, counts: 0 } } : one,
  );
  return (answer) => {
    const { method, path, request } = answer;
    const isChange = UPDATE.test(`${method} ${path}`) && Object.hasOwn(jsonOf(request) ?? {}, 'url');
    if (isChange) reset.add(Number(path.split('/').at(-1)));
    return list(answer);
  };
}

/** A webhook that was listed under this url goes on with what the first one there has received. */
function inherited(): Meddle {
  const first = new Map<unknown, Webhook>();
  return each((one) => {
    const before = first.get(one['url']);
    if (before && before['webhookId'] !== one['webhookId']) return { ...one, receivedEvents: before.receivedEvents };
    first.set(one['url'], one);
    return one;
  });
}

/** The webhooks that a deletion leaves have received nothing. */
function resetByDelete(): Meddle {
  const listed = new Set<unknown>();
  const reset = new Set<unknown>();
  const list = each((one) => {
    listed.add(one['webhookId']);
    return reset.has(one['webhookId']) ? { ...one, receivedEvents: { ...one.receivedEvents, counts: 0 } } : one;
  });
  return (answer) => {
    if (DELETE.test(`${answer.method} ${answer.path}`)) for (const id of listed) reset.add(id);
    return list(answer);
  };
}

/** What happens several times at once counts once, but in the plain counts. */
function onceAtOnce(): Partial<ServiceRules> {
  const { decayingCounts } = SERVICE_RULES;
  const add: typeof decayingCounts.add = (count, happenings, nowMs) => {
    const { counts } = decayingCounts.add(count, happenings, nowMs).measures;
    const once = decayingCounts.add(count, Math.min(1, happenings), nowMs);
    return { ...once, measures: { ...once.measures, counts } };
  };
  return { decayingCounts: { ...decayingCounts, add } };
}

const lengthOf = (body: string): number => (JSON.parse(body) as unknown[]).length;
const isEmptyUpdate = ({ request }: { readonly request: PassingRequest }): boolean =>
  Object.keys(jsonOf(request) ?? {}).length === 0;

const hasOddUrl = (request: PassingRequest): boolean => {
  const fields = jsonOf(request);
  return typeof fields === 'object' && fields !== null && 'url' in fields && typeof fields.url !== 'string';
};

export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  broken('service/body-refused-does-nothing', 'a PATCH with an odd url is refused, and changes the other fields', {
    rewrite: instead(UPDATE, (request) =>
      hasOddUrl(request) ? sent(UPDATE, ({ url: _odd, ...fields }: Fields) => fields)(request) : undefined,
    ),
    meddle: refuse(UPDATE, ({ request }) => hasOddUrl(request)),
  }),
  // Creating and listing
  inAnswers(
    'webhooks/list',
    'GET /webhooks wraps its list',
    json(LIST, (webhooks) => ({ webhooks })),
  ),
  inRequests('webhooks/list-own-only', 'webhooks of others are listed', asStranger(LIST)),
  inAnswers(
    'webhooks/create',
    'webhooks are taken and not kept',
    json(LIST, () => []),
  ),
  inAnswers(
    'webhooks/create-answers-list',
    'POST /webhook answers the new webhook',
    json(CREATE, ([first]: Webhook[]) => first),
  ),
  inRequests(
    'webhooks/create-url',
    'url gets a slash',
    sent(CREATE, (fields: Fields) => ({ ...fields, url: `${String(fields['url'])}/` })),
  ),
  inRequests(
    'webhooks/create-url',
    'url ends after 255 characters',
    sent(CREATE, ({ url, ...fields }: Fields) => ({
      ...fields,
      url: typeof url === 'string' ? url.slice(0, 255) : url,
    })),
  ),
  inAnswers(
    'webhooks/create-secret',
    'secret is hidden',
    each((one) => ({ ...one, secret: '***' })),
  ),
  inAnswers(
    'webhooks/create-messages',
    'messages are numbered',
    each((one) => ({ ...one, messages: ['0'] })),
  ),
  inRequests('webhooks/create-url-missing-refused', 'url is optional', filledIn('url', 'https://x.example/')),
  inRequests('webhooks/create-secret-missing-refused', 'secret is optional', filledIn('secret', '')),
  inRequests('webhooks/create-messages-missing-refused', 'messages are optional', filledIn('messages', ['*'])),
  broken('webhooks/create-refused-leaves-nothing', 'a webhook without secret is refused and kept', {
    rewrite: filledIn('secret', ''),
    meddle: refuse(CREATE, ({ request }) => !request.body.includes('secret')),
  }),
  inAnswers('webhooks/messages-star-alone', '* is refused', refuse(CREATE)),
  inRequests('webhooks/messages-star-with-others-refused', '* goes with others', starAlone(CREATE)),
  inAnswers(
    'webhooks/id-assigned-by-service',
    'all webhooks have one id',
    each((one) => ({ ...one, webhookId: 1 })),
  ),

  // Changing and deleting
  inAnswers('webhooks/update', 'PATCH is not there', status(UPDATE, 404)),
  inAnswers(
    'webhooks/update-answers-list',
    'PATCH answers true',
    json(UPDATE, () => true),
  ),
  inAnswers('webhooks/update-answer-shows-change', 'PATCH answers the list before it', listBefore(UPDATE)),
  inRequests(
    'webhooks/update',
    'PATCH changes the first field alone',
    sent(UPDATE, (fields: Fields) => Object.fromEntries(Object.entries(fields).slice(0, 1))),
  ),
  inRequests('webhooks/update-url', 'PATCH leaves url', withoutField('url')),
  inRequests('webhooks/update-secret', 'PATCH leaves secret', withoutField('secret')),
  inRequests('webhooks/update-messages', 'PATCH leaves messages', withoutField('messages')),
  inAnswers('webhooks/update-nothing', 'PATCH wants a field', refuse(UPDATE, isEmptyUpdate)),
  inRequests(
    'webhooks/update-leaves-the-rest',
    'PATCH empties secret',
    sent(UPDATE, (fields: Fields) => ({ secret: '', ...fields })),
  ),
  inAnswers('webhooks/update-leaves-the-rest', 'PATCH of url resets the counts', resetByUrl()),
  inRequests('webhooks/update-star-with-others-refused', 'PATCH takes * with others', starAlone(UPDATE)),
  inRequests('webhooks/update-foreign-refused', 'PATCH of foreign webhooks', asStranger(UPDATE)),
  inRequests(
    'webhooks/delete',
    'DELETE only looks',
    instead(DELETE, () => ({ method: 'GET', path: '/webhooks' })),
  ),
  inAnswers(
    'webhooks/delete-answers-list',
    'DELETE answers true',
    json(DELETE, () => true),
  ),
  inAnswers('webhooks/delete-answer-shows-change', 'DELETE answers the list before it', listBefore(DELETE)),
  inAnswers('webhooks/delete-leaves-other-webhooks', 'DELETE removes all', emptyAfterDelete()),
  inRequests('webhooks/delete-foreign-refused', 'DELETE of foreign webhooks', asStranger(DELETE)),

  // How many
  inAnswers(
    'limits/webhooks-per-account',
    'four webhooks at most',
    refuse(CREATE, ({ body }) => lengthOf(body) > 4),
  ),
  inAnswers('limits/webhooks-sixth-refused', 'a sixth webhook succeeds', acceptRefused(CREATE)),
  inAnswers('limits/webhooks-freed', 'no webhook after the fifth, ever', fullForEver()),

  inAnswers(
    'limits/webhooks-none-at-first',
    'a new account has a webhook',
    json(LIST, (list: Webhook[]) => (list.length === 0 ? [{ webhookId: 1 }] : list)),
  ),

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
  inAnswers(
    'webhooks/received-counts-triggers',
    'triggers are not counted',
    counted('receivedEvents', () => 0),
  ),
  inAnswers(
    'webhooks/received-not-retries',
    'retries count as received',
    counted('receivedEvents', (one) => Number(one.receivedEvents['counts']) + Number(one.failedRequests['counts'])),
  ),
  inAnswers(
    'webhooks/dropped-counts-given-up',
    'dropped events are not counted',
    counted('droppedEvents', () => 0),
  ),
  inAnswers(
    'webhooks/dropped-counts-given-up',
    'a request that drops several events counts once',
    counted('droppedEvents', ({ droppedEvents, failedRequests }) =>
      Math.min(Number(droppedEvents['counts']), Math.max(0, Number(failedRequests['counts']) - 1)),
    ),
  ),
  inAnswers(
    'webhooks/successful-counts-requests',
    'every request counts as successful',
    counted(
      'successfulRequests',
      (one) => Number(one.successfulRequests['counts']) + Number(one.failedRequests['counts']),
    ),
  ),
  inAnswers(
    'webhooks/failed-counts-requests',
    'failed requests are not counted',
    counted('failedRequests', () => 0),
  ),
  inAnswers(
    'webhooks/requests-not-events',
    'events count as requests',
    counted('successfulRequests', (one) => Number(one.receivedEvents['counts']) - Number(one.droppedEvents['counts'])),
  ),
  inRules(
    'webhooks/measure-counts',
    'counts begin at one',
    measures(({ counts = 0 }) => ({ counts: counts + 1 })),
  ),
  inAnswers('webhooks/measure-counts', 'a new webhook inherits the statistics of its url', inherited()),
  inAnswers('webhooks/delete-leaves-other-webhooks', 'DELETE resets the counts of the others', resetByDelete()),
  inRules('webhooks/measure-exp7d', 'what is dropped at once counts once', onceAtOnce()),
  ...(['droppedEvents', 'successfulRequests'] as const).map((statistic) =>
    inAnswers(
      'webhooks/measure-exp5m',
      `the second of ${statistic} undoes the decay`,
      each((one) => ({
        ...one,
        [statistic]: { ...one[statistic], ...(one[statistic]['counts'] === 2 && { exp5m: 2 }) },
      })),
    ),
  ),
  inRules(
    'webhooks/measure-exp5m',
    'exp5m decays in an hour',
    measures(({ exp1h }) => ({ exp5m: exp1h })),
  ),
  inRules('webhooks/measure-exp5m', 'an event undoes the decay until then', {
    decayingCounts: {
      ...SERVICE_RULES.decayingCounts,
      add: (count, happenings, nowMs) => SERVICE_RULES.decayingCounts.add({ ...count, atMs: nowMs }, happenings, nowMs),
    },
  }),
  inRules(
    'webhooks/measure-exp1h',
    'exp1h decays in five minutes',
    measures(({ exp5m }) => ({ exp1h: exp5m })),
  ),
  inRules(
    'webhooks/measure-exp1d',
    'exp1d decays in seven days',
    measures(({ exp7d }) => ({ exp1d: exp7d })),
  ),
  inRules(
    'webhooks/measure-exp7d',
    'exp7d decays in a day',
    measures(({ exp1d }) => ({ exp7d: exp1d })),
  ),
  inRules(
    'webhooks/measures-decay',
    'nothing decays',
    measures(({ counts }) => ({ exp5m: counts })),
  ),
  inRules(
    'webhooks/counts-do-not-decay',
    'counts decay',
    measures(({ exp5m = 0 }) => ({ counts: exp5m })),
  ),
];
