/**
 * Mutants of events: what is sent, to whom, when, how often, and what counts as a success.
 */

import { sleep, systemClock } from '../../src/common/clock.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { Meddle } from './meddling-proxy.ts';
import { instead, jsonOf } from './mutant-tools.ts';
import type { Mutant } from './mutants.ts';
import { eachEvent, events, judging, late, patient, sender, type SentEvent } from './webhook-sender.ts';

const HOUR_MS = 3_600_000;
const DELAY_MS = 5_000;
const isOk = (status: number): boolean => status >= 200 && status < 300;

const without = (unwanted: (event: SentEvent) => boolean): Partial<ServiceRules> =>
  events((all) => all.filter((event) => !unwanted(event)));

/** Adds to each event another one. */
const doubled = (change: (event: SentEvent) => object): Partial<ServiceRules> =>
  events((all) => all.flatMap((event) => [event, change(event)]));

const dueAfter = (delayMs: number): Partial<ServiceRules> => ({
  dueMs: (lastRequest, nowMs) =>
    lastRequest?.outcome === 'failure'
      ? lastRequest.endedMs + delayMs
      : SERVICE_RULES.dueMs(lastRequest, nowMs),
});

/** Sends requests to all targets one after the other. */
function oneAfterTheOther(): Partial<ServiceRules> {
  return sender((send) => {
    let last: Promise<unknown> = Promise.resolve();
    return (target, body) => {
      const sending = last.then(() => send(target, body));
      last = sending;
      return sending;
    };
  });
}

/** Keeps failed events to itself and sends them again in a request of their own. */
function retriesAside(): Partial<ServiceRules> {
  return sender((send, { clock }) => async (target, body) => {
    if ((await send(target, body)) === 'failure') clock.schedule(DELAY_MS, () => void send(target, body));
    return 'success';
  });
}

/** Sends nothing more to an address that failed twice. */
function disabledAfterTwo(): Partial<ServiceRules> {
  return sender((send) => {
    const failures = new Map<string, number>();
    return async (target, body) => {
      const failed = failures.get(target.url) ?? 0;
      if (failed >= 2) return 'success';
      const outcome = await send(target, body);
      if (outcome === 'failure') failures.set(target.url, failed + 1);
      return outcome;
    };
  });
}

/** Gives a whole request up as soon as one of its events was given up. */
function allOrNothing(): Partial<ServiceRules> {
  let hasGivenUp = false;
  return {
    mayTryAgain: (attempts) => {
      const may = SERVICE_RULES.mayTryAgain(attempts) && !hasGivenUp;
      hasGivenUp = !may && !hasGivenUp;
      return may;
    },
  };
}

/** Where each webhook leads, as requests of the suite change it. */
class Changes {
  readonly urls = new Map<number, string>();
  readonly touched = new Set<number>();

  /** Takes notice of changes that match. */
  watch(pattern: RegExp): Meddle {
    return ({ method, path, request }) => {
      if (!pattern.test(`${method} ${path}`)) return undefined;
      const id = Number(path.split('/').at(-1));
      const { url } = { ...(jsonOf(request) as { readonly url?: string } | undefined) };
      this.touched.add(id);
      if (url !== undefined) this.urls.set(id, url);
      return undefined;
    };
  }

  /** Sends nothing for webhooks that were changed or deleted. */
  dropping(): Partial<ServiceRules> {
    return sender(
      (send) => async (target, body) => (this.touched.has(target.webhookId) ? 'success' : send(target, body)),
    );
  }

  /** Sends to where a webhook leads now. */
  following(): Partial<ServiceRules> {
    return sender(
      (send) => (target, body) =>
        send({ ...target, url: this.urls.get(target.webhookId) ?? target.url }, body),
    );
  }
}

/** Sends everything of a webhook to where it first led. */
function firstUrlForEver(): Partial<ServiceRules> {
  return sender((send) => {
    const urls = new Map<number, string>();
    return (target, body) => {
      const url = urls.get(target.webhookId) ?? target.url;
      urls.set(target.webhookId, url);
      return send({ ...target, url }, body);
    };
  });
}

const onDelete = new Changes();
const onMove = new Changes();
const onRetype = new Changes();

/** The second job of a run waits for its answer. */
function slowSubmission(delayMs: number): Meddle {
  let jobs = 0;
  return async ({ method, path }) => {
    if (method !== 'POST' || path !== '/printjobs') return undefined;
    jobs++;
    if (jobs > 1) await sleep(systemClock, delayMs);
    return undefined;
  };
}

const isComputer = ({ type }: SentEvent): boolean => type === 'computer state';
const isIn = (state: string) => (event: SentEvent) => event.data['state'] === state;

export const EVENT_MUTANTS: readonly Mutant[] = [
  // What emits, and who gets it
  { name: 'connecting emits nothing', clause: 'events/computer-connects', rules: without(isIn('connected')) },
  {
    name: 'disconnecting emits nothing',
    clause: 'events/computer-changes',
    rules: without(isIn('disconnected')),
  },
  { name: 'done emits nothing', clause: 'events/print-job-state', rules: without(isIn('done')) },
  {
    name: 'an unstable state is published',
    clause: 'events/stable-states-only',
    rules: doubled((event) =>
      isIn('done')(event) ? { ...event, data: { ...event.data, state: 'preparing_to_print' } } : event,
    ),
  },
  {
    name: 'older events come along',
    clause: 'events/before-webhook-not-sent',
    rules: doubled((event) => ({
      ...event,
      data: { ...event.data, printJobId: Number(event.data['printJobId']) - 1 },
    })),
  },
  {
    name: 'computer states trigger nothing',
    clause: 'events/listed-types-trigger',
    rules: without(isComputer),
  },
  {
    name: 'every type triggers',
    clause: 'events/other-types-do-not',
    rules: doubled((event) => ({ ...event, type: isComputer(event) ? 'print job state' : 'computer state' })),
  },
  {
    name: '* means computers',
    clause: 'webhooks/messages-star-means-every',
    rules: without((event) => !isComputer(event)),
  },
  {
    name: 'events of other accounts come along',
    clause: 'events/own-account-only',
    rules: doubled((event) => ({ ...event, accountId: Number(event['accountId']) + 1 })),
  },
  {
    name: 'deleted webhooks are triggered',
    clause: 'events/deleted-webhook-not-triggered',
    rewrite: instead(/^DELETE \/webhook\//, () => ({ method: 'GET', path: '/webhooks' })),
  },

  // The request
  {
    name: 'one event is no array',
    clause: 'events/body-array',
    rules: sender((send) => (target, body) => {
      const all = JSON.parse(body) as unknown[];
      return send(target, all.length === 1 ? JSON.stringify(all[0]) : body);
    }),
  },
  {
    name: 'no secret',
    clause: 'events/secret-sent',
    rules: sender((send) => (target, body) => send({ ...target, secret: '' }, body)),
  },
  { name: 'one event a request', clause: 'events/all-due-in-one', rules: events((all) => all.slice(0, 1)) },
  { name: 'newest event first', clause: 'events/order', rules: events((all) => all.toReversed()) },
  {
    name: 'types in capitals',
    clause: 'events/field-type',
    rules: eachEvent((one) => ({
      ...one,
      type: one['type'] === 'computer state' ? one['type'] : 'Print Job State',
    })),
  },
  {
    name: 'accountId is a text',
    clause: 'events/field-account-id',
    rules: eachEvent((one) => ({ ...one, accountId: String(one['accountId']) })),
  },
  {
    name: 'accountId of nobody',
    clause: 'events/field-account-id',
    rules: eachEvent((one) => ({ ...one, accountId: 4_711 })),
  },
  {
    name: 'no controllingAccountId',
    clause: 'events/field-controlling-account-id',
    rules: eachEvent((one) => ({ ...one, controllingAccountId: undefined })),
  },
  {
    name: 'an Integrator is controlled by nobody',
    clause: 'accounts/single-controls-itself',
    rules: eachEvent((one) => ({ ...one, controllingAccountId: 0 })),
  },
  {
    name: 'a Child controls itself',
    clause: 'accounts/parent-controls-child',
    rules: eachEvent((one) => ({ ...one, controllingAccountId: one['accountId'] })),
  },
  {
    name: 'createdAt is an hour late',
    clause: 'events/field-created-at',
    rules: eachEvent((one) => ({
      ...one,
      createdAt: new Date(Date.parse(String(one['createdAt'])) + HOUR_MS).toISOString(),
    })),
  },
  {
    name: 'createdAt is when it was sent',
    clause: 'events/created-at-kept',
    rules: eachEvent((one, nowMs) => ({ ...one, createdAt: new Date(nowMs).toISOString() })),
  },
  {
    name: 'data is a list',
    clause: 'events/field-data',
    rules: eachEvent((one) => ({ ...one, data: [one.data] })),
  },

  // Success and failure
  { name: 'a success is sent again', clause: 'events/success-2xx', rules: judging(() => false) },
  {
    name: '200 alone is a success',
    clause: 'events/success-any-2xx',
    rules: judging((status, header) => status === 200 && header === 'OK'),
  },
  { name: 'the header is not needed', clause: 'events/success-needs-status-header', rules: judging(isOk) },
  {
    name: 'ok in any case',
    clause: 'events/other-header-value-fails',
    rules: judging((status, header) => isOk(status) && header?.toUpperCase() === 'OK'),
  },
  {
    name: 'OK at the beginning will do',
    clause: 'events/other-header-value-fails',
    rules: judging((status, header) => isOk(status) && header?.startsWith('OK') === true),
  },
  {
    name: 'the header is enough',
    clause: 'events/non-2xx-fails',
    rules: judging((_, header) => header === 'OK'),
  },
  {
    name: '404 is no failure',
    clause: 'events/non-2xx-fails',
    rules: judging((status, header) => status === 404 || (isOk(status) && header === 'OK')),
  },
  {
    name: 'a redirect is a success',
    clause: 'events/redirect-fails',
    rules: judging((status, header) => status === 307 || (isOk(status) && header === 'OK')),
  },
  {
    name: 'a dropped connection is a success',
    clause: 'events/no-answer-fails',
    rules: sender((send) => async (target, body) => {
      await send(target, body);
      return 'success';
    }),
  },
  { name: 'waits for ever', clause: 'events/hanging-answer-fails', rules: patient() },

  // When
  { name: 'the first request is two seconds late', clause: 'events/due-first', rules: late(2_000) },
  {
    name: 'five seconds after a success too',
    clause: 'events/due-after-success',
    rules: {
      dueMs: (lastRequest, nowMs) => (lastRequest ? lastRequest.endedMs + DELAY_MS : nowMs),
    },
  },
  { name: 'four seconds after a failure', clause: 'events/due-after-failure', rules: dueAfter(4_000) },
  { name: 'at once after a failure', clause: 'limits/webhook-retry-delay', rules: dueAfter(0) },
  { name: 'six seconds after a failure', clause: 'limits/webhook-retry-delay', rules: dueAfter(6_000) },
  {
    name: 'new events do not wait for the five seconds',
    clause: 'events/due-after-failure-new-events',
    rules: retriesAside(),
  },
  { name: 'one target after the other', clause: 'events/targets-apart', rules: oneAfterTheOther() },
  {
    name: 'the API waits for a hanging receiver',
    clause: 'events/api-not-delayed',
    meddle: slowSubmission(3_200),
  },

  // Again, or given up
  { name: 'no retry', clause: 'events/failed-requeued', rules: { mayTryAgain: () => false } },
  {
    name: 'two retries',
    clause: 'events/retried-dropped',
    rules: { mayTryAgain: (attempts) => attempts <= 2 },
  },
  {
    name: 'two retries are three requests',
    clause: 'limits/webhook-retries',
    rules: { mayTryAgain: (attempts) => attempts <= 2 },
  },
  {
    name: 'what fails with an old event is dropped with it',
    clause: 'events/retry-belongs-to-event',
    rules: allOrNothing(),
  },
  {
    name: 'a webhook that failed twice is disabled',
    clause: 'events/later-events-still-sent',
    rules: disabledAfterTwo(),
  },
  {
    name: 'deleting a webhook forgets its queue',
    clause: 'events/queued-survive-delete',
    rules: onDelete.dropping(),
    meddle: onDelete.watch(/^DELETE \/webhook\//),
  },
  {
    name: 'a changed url redirects what is queued',
    clause: 'events/queued-keep-url',
    rules: onMove.following(),
    meddle: onMove.watch(/^PATCH \/webhook\//),
  },
  {
    name: 'a changed url is noticed too late',
    clause: 'events/new-events-new-url',
    rules: firstUrlForEver(),
  },
  {
    name: 'changed messages forget the queue',
    clause: 'events/queued-survive-messages-change',
    rules: onRetype.dropping(),
    meddle: onRetype.watch(/^PATCH \/webhook\//),
  },
];
