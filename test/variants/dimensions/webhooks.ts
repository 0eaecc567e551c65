/** What is open about webhooks and the events that they are sent. */

import { ForwardingClock, type Clock, type Timer } from '../../../src/common/clock.ts';
import { decayingCounts } from '../../../src/service/domain/decaying-count.ts';
import type { PassingRequest } from '../../mutants/meddling-proxy.ts';
import {
  answered,
  eventData,
  field,
  fieldsOf,
  fieldsSent,
  json,
  refusedWith,
  sending,
  sentEvents,
  type JsonObject,
} from '../changes.ts';
import { decides, type Change, type Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const WEBHOOKS = /^\w+ \/webhooks?\b/;
const STATISTICS = ['receivedEvents', 'droppedEvents', 'successfulRequests', 'failedRequests'] as const;

const statistics = (change: (measures: JsonObject) => unknown): Change =>
  json(WEBHOOKS, (webhooks: readonly JsonObject[]) =>
    webhooks.map((webhook) => ({
      ...webhook,
      ...Object.fromEntries(STATISTICS.map((name) => [name, change(webhook[name] as JsonObject)])),
    })),
  );

const each = (change: (message: unknown) => unknown) => (list: unknown) =>
  Array.isArray(list) ? list.map(change) : list;

/** Other words for the types of events, wherever `messages` stands. */
function spelt(computer: string, job: string): Change {
  const printed = new Map([
    [computer, 'computer state'],
    [job, 'print job state'],
  ]);
  const ours = new Map([...printed].map(([own, word]) => [word, own]));
  // What is printed for types of events is no word of this service.
  const readInForm = (text: string): string =>
    encodeURIComponent(printed.get(decodeURIComponent(text)) ?? decodeURIComponent(text));
  const read = each((one) => printed.get(String(one)) ?? (ours.has(String(one)) ? `unknown ${String(one)}` : one));
  const inJson = fieldsSent(/^(POST|PATCH) \/webhook/, (fields) =>
    'messages' in fields ? { ...fields, messages: read(fields['messages']) } : fields,
  );
  return {
    rewrite: (request) => {
      const body = request.body.toString('utf8');
      const isForm = /^\/+webhook/.test(request.path) && /(^|&)messages%5B/.test(body);
      return isForm ? { body: body.replaceAll(/(?<=(^|&)messages%5B[^=]*=)[^&]+/g, readInForm) } : inJson(request);
    },
    meddle:
      field(
        WEBHOOKS,
        'messages',
        each((one) => ours.get(String(one)) ?? one),
      ).meddle ?? (() => undefined),
  };
}

/** An event of a type that is yet to come, for webhooks that want every type. */
function thirdType(): Change {
  const wantsEvery = new Map<string, boolean>();
  return {
    rewrite: (request) => {
      const { url, messages } = fieldsOf(request);
      if (/^\/+webhook/.test(request.path) && typeof url === 'string' && Array.isArray(messages)) {
        wantsEvery.set(url, messages.includes('*'));
      }
      return undefined;
    },
    ...sending((send) => (target, body, onAnswer) => {
      const events = JSON.parse(body) as JsonObject[];
      if (wantsEvery.get(target.url) !== true) return send(target, body, onAnswer);
      const another = { ...events[0], type: 'account state', data: { state: 'active' } };
      return send(target, JSON.stringify([another, ...events]), onAnswer);
    }),
  };
}

class OtherDelay extends ForwardingClock {
  readonly #delayMs: number;

  constructor(to: () => Clock, delayMs: number) {
    super(to);
    this.#delayMs = delayMs;
  }

  override schedule(_: number, task: () => void): Timer {
    return super.schedule(this.#delayMs, task);
  }
}

/** Gives a request up after another time than the service does. */
const patience = (limitMs: number): Change => ({
  rules: ({ webhookSender }) => ({
    webhookSender: ({ clock, ...options }) =>
      webhookSender({
        ...options,
        clock: new OtherDelay(() => clock, limitMs),
      }),
  }),
});

/** Finds what is due by a look once in a while. */
const lookingEvery = (intervalMs: number): Change => ({
  rules: ({ dueMs }) => ({
    dueMs: (last, nowMs) => Math.ceil(dueMs(last, nowMs) / intervalMs) * intervalMs,
  }),
});

async function isUnknown({ path, headers }: PassingRequest, ask: Parameters<NonNullable<Change['rewrite']>>[1]) {
  const list = await ask({ method: 'GET', path: '/webhooks', headers });
  const id = Number(path.split('/').at(-1));
  return list.status === 200 && !(JSON.parse(list.body) as JsonObject[]).some(({ webhookId }) => webhookId === id);
}

/** An event that is sent again has its keys in another order. */
function turningKeys(): Change {
  let turns = 0;
  return sentEvents((events) => {
    turns++;
    return events.map((event) => {
      const members = Object.entries(event);
      return Object.fromEntries(members.map((_, index) => members[(index + turns) % members.length] ?? ['', null]));
    });
  });
}

const createdAt = (change: (timestamp: string) => string): Change =>
  sentEvents((events) => events.map((event) => ({ ...event, createdAt: change(String(event['createdAt'])) })));

export const WEBHOOK_DIMENSIONS: Dimensions = {
  'statistics-nesting': decides(
    'gap/webhook-statistics-nesting',
    'How are the measures nested in a statistic?',
    'as its members',
    {
      'the other way round: statistics in measures': { choices: { statisticsNesting: 'by-measure' } },
      'one level deeper': statistics((values) => ({ values })),
      'counts apart from those that decay': statistics(({ counts, ...decay }) => ({ straight: { counts }, decay })),
      'as an array of names and values': statistics((values) =>
        Object.entries(values ?? {}).map(([measure, value]) => ({ measure, value })),
      ),
      'as an array of pairs': statistics((values) => Object.entries(values ?? {})),
    },
  ),
  'statistics-decay': decides(
    'webhooks/measure-exp5m',
    'What is the scale of a decaying measure?',
    'the time in which it falls to 1/e',
    { 'its half-life': { rules: () => ({ decayingCounts: halfLives() }) } },
  ),
  'webhook-urls': decides('gap/webhook-target-identity', 'May two webhooks have one url?', 'yes', {
    no: {
      rewrite: async (request, ask) => {
        if (!/^POST \/+webhook$/.test(`${request.method} ${request.path}`)) return undefined;
        const { url } = fieldsOf(request);
        const { status, body } = await ask({ method: 'GET', path: '/webhooks', headers: request.headers });
        const there = status === 200 ? (JSON.parse(body) as readonly JsonObject[]) : [];
        return there.some((webhook) => webhook['url'] === url) ? refused(400, 'BadRequest') : undefined;
      },
    },
  }),
  'webhooks-order': decides(
    'gap/webhooks-order',
    'In what order does GET /webhooks list webhooks?',
    'the newest first',
    { 'the oldest first': { choices: { webhooksNewestFirst: false } } },
  ),
  'webhook-created': decides('webhooks/create', 'With which status is a webhook created?', '200', {
    '201': answered(/^POST \/webhook$/, 201),
  }),
  'webhook-refused': decides('gap/webhook-sixth-code', 'Which status does a webhook get that is refused?', '400', {
    '409': refusedWith(/^POST \/webhook$/, 400, [409, 'TooManyWebhooks']),
    '403': refusedWith(/^POST \/webhook$/, 400, [403, 'Forbidden']),
  }),
  'unknown-webhook': decides('gap/unknown-webhook', 'What does DELETE of a webhook get that is not there?', '404', {
    '200 with the list': {
      rewrite: async (request, ask) =>
        request.method === 'DELETE' && /^\/webhook\/\d+$/.test(request.path) && (await isUnknown(request, ask))
          ? { method: 'GET', path: '/webhooks' }
          : undefined,
    },
    '400': refusedWith(/^(PATCH|DELETE) \/webhook/, 404, [400, 'UnknownWebhook']),
  }),
  'webhook-of-integrator': decides(
    'gap/webhook-of-integrator',
    'Does a webhook of an Integrator hear of its Children?',
    'yes',
    { no: { choices: { integratorHearsChildren: false } } },
  ),
  'message-identifiers': decides(
    'gap/message-identifiers',
    'How are the types spelt in messages?',
    'as those of events',
    {
      'in one word': spelt('ComputerState', 'PrintJobState'),
      'with underscores': spelt('computer_state', 'print_job_state'),
    },
  ),
  'message-types': decides('gap/message-types-all', 'Which types of events are there?', 'two', {
    'a third one': thirdType,
  }),
  'computer-event-data': decides(
    'gap/computer-event-data',
    'What does data of a computer state event contain?',
    'the id, the state and the connections',
    {
      'no id but the host of the connection': eventData('computer state', (data) => ({
        ...data,
        computerId: undefined,
      })),
      'the computer in an object': eventData('computer state', ({ computerId, state }) => ({
        computer: { id: computerId, state },
      })),
    },
  ),
  'job-event-data': decides(
    'gap/print-job-event-data',
    'What does data of a print job state event contain?',
    'the job, the state and the message',
    {
      'all as strings': eventData('print job state', (data) =>
        Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)])),
      ),
      'its printer as well, and the state as status': eventData('print job state', ({ state, ...data }) => ({
        ...data,
        status: state,
        printer: { id: 1, state: 'online' },
      })),
      'the job in an object': eventData('print job state', ({ printJobId, state, ...data }) => ({
        ...data,
        job: { id: printJobId },
        transition: { to: state },
      })),
    },
  ),
  'event-keys': decides('events/field-type', 'Has an event keys that the specification does not print?', 'none', {
    some: sentEvents((events) => events.map((event) => ({ ...event, eventId: 7, data: { ...event.data, more: [] } }))),
    'none, in another order in each request': turningKeys,
  }),
  'event-times': decides(
    'events/field-created-at',
    'How is createdAt of an event written?',
    'as ISO 8601 with milliseconds',
    {
      'in microseconds': createdAt((timestamp) => timestamp.replace('Z', '000Z')),
      'in the basic format': createdAt((timestamp) => timestamp.replaceAll(/[-:]/g, '')),
      'with a blank between day and time': createdAt((timestamp) => timestamp.replace('T', ' ')),
    },
  ),
  'event-order': decides('gap/event-order', 'In what order does a request list its events?', 'the oldest first', {
    'the newest first': sentEvents((events) => events.toReversed()),
    'in no order': sentEvents((events) => [...events.slice(1), ...events.slice(0, 1)]),
  }),
  'secret-transmission': decides('gap/secret-transmission', 'How does a request carry the secret?', 'in a header', {
    'in the query': sending(
      (send) =>
        ({ url, secret, ...target }, body, onAnswer) =>
          send(
            { ...target, url: `${url}${url.includes('?') ? '&' : '?'}secret=${secret}`, secret: '' },
            body,
            onAnswer,
          ),
    ),
    'in a header, in base64': sending(
      (send) =>
        ({ secret, ...target }, body, onAnswer) =>
          send({ ...target, secret: Buffer.from(secret).toString('base64') }, body, onAnswer),
    ),
    'in each event': sending((send) => ({ secret, ...target }, body, onAnswer) => {
      const events = (JSON.parse(body) as JsonObject[]).map((event) => ({ ...event, secret }));
      return send({ ...target, secret: '' }, JSON.stringify(events), onAnswer);
    }),
  }),
  'webhook-request-timeout': decides(
    'gap/webhook-request-timeout',
    'How long does the service wait for a receiver?',
    '10 seconds',
    { '30 seconds': patience(30_000), 'a minute': patience(60_000) },
  ),
  'event-looks': decides('limits/webhook-retry-delay', 'When is an event sent that is due?', 'as soon as it is due', {
    'when a look once in 1.4 seconds finds it': lookingEvery(1_400),
  }),
};

const slow = (ms: number): number => ms * Math.LN2;

/** The same arithmetic on a clock that is slower by ln 2. */
function halfLives(): typeof decayingCounts {
  return {
    nothing: (nowMs) => decayingCounts.nothing(slow(nowMs)),
    add: (count, happenings, nowMs) => decayingCounts.add(count, happenings, slow(nowMs)),
    read: (count, nowMs) => decayingCounts.read(count, slow(nowMs)),
  };
}
