/**
 * Mutants of events: what is sent, to whom, when, how often, and what counts as a success.
 */

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { WebhookFields } from '../../src/conformance/context/webhook-settings.ts';
import { isEmptyArray } from '../../src/conformance/expect/records.ts';
import type { Meddle, PassingAnswer } from './meddling-proxy.ts';
import { givenUpAfter } from './exception-mutants.ts';
import { instead, isForChild, jsonOf, sent } from './mutant-tools.ts';
import { json } from './mutants.ts';
import { broken, inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { slowSubmission } from './submission-mutants.ts';
import { eachEvent, events, judging, late, patient, sender, type SentEvent } from './webhook-sender.ts';

const HOUR_MS = 3_600_000;
const DELAY_MS = 5_000;
const UPDATE = /^PATCH \/webhook\//;
const isOk = (status: number): boolean => status >= 200 && status < 300;

const without = (unwanted: (event: SentEvent) => boolean): Partial<ServiceRules> =>
  events((all) => all.filter((event) => !unwanted(event)));

/** Adds to each event another one. */
const doubled = (change: (event: SentEvent) => object): Partial<ServiceRules> =>
  events((all) => all.flatMap((event) => [event, change(event)]));

/** Some events come with another one. */
const joined = (isMet: (event: SentEvent) => boolean, other: (event: SentEvent) => object): Partial<ServiceRules> =>
  events((all) => all.flatMap((event) => (isMet(event) ? [event, other(event)] : [event])));

const dueAfter = (delayMs: number): Partial<ServiceRules> => ({
  dueMs: (lastRequest, nowMs) =>
    lastRequest?.outcome === 'failure' ? lastRequest.endedMs + delayMs : SERVICE_RULES.dueMs(lastRequest, nowMs),
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
  readonly secrets = new Map<number, string>();
  readonly messages = new Map<number, readonly string[]>();
  readonly touched = new Set<number>();

  /** Takes notice of changes that match. */
  watch(pattern: RegExp): Meddle {
    return ({ method, path, request }) => {
      if (!pattern.test(`${method} ${path}`)) return undefined;
      const id = Number(path.split('/').at(-1));
      const { url, secret, messages } = { ...(jsonOf(request) as Partial<WebhookFields> | undefined) };
      this.touched.add(id);
      if (url !== undefined) this.urls.set(id, url);
      if (secret !== undefined) this.secrets.set(id, secret);
      if (messages !== undefined) this.messages.set(id, messages);
      return undefined;
    };
  }

  /** Sends nothing for webhooks that were changed or deleted. */
  dropping(): Partial<ServiceRules> {
    return sender(
      (send) => async (target, body) => (this.touched.has(target.webhookId) ? 'success' : send(target, body)),
    );
  }

  /** Sends only those events of a request that a webhook wants now, if there are any. */
  sendingWanted(): Partial<ServiceRules> {
    return sender((send) => (target, body) => {
      const all = JSON.parse(body) as readonly SentEvent[];
      const wanted = all.filter(({ type }) => this.messages.get(target.webhookId)?.includes(String(type)));
      return send(target, wanted.length > 0 ? JSON.stringify(wanted) : body);
    });
  }

  /** Sends the secret that a webhook has now. */
  resealing(): Partial<ServiceRules> {
    return sender(
      (send) => (target, body) =>
        send({ ...target, secret: this.secrets.get(target.webhookId) ?? target.secret }, body),
    );
  }

  /** Sends to where a webhook leads now. */
  following(): Partial<ServiceRules> {
    return sender(
      (send) => (target, body) => send({ ...target, url: this.urls.get(target.webhookId) ?? target.url }, body),
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

function firstSecretForEver(): Partial<ServiceRules> {
  const first = new Map<number, string>();
  return sender((send) => (target, body) => {
    const secret = first.get(target.webhookId) ?? target.secret;
    first.set(target.webhookId, secret);
    return send({ ...target, secret }, body);
  });
}

/** What was sent before is sent without the secret. */
function withoutSecretLater(): Partial<ServiceRules> {
  const seen = new Set<string>();
  return sender((send) => (target, body) => {
    const texts = (JSON.parse(body) as unknown[]).map((event) => `${target.url} ${JSON.stringify(event)}`);
    const isAgain = texts.some((text) => seen.has(text));
    for (const text of texts) seen.add(text);
    return send(isAgain ? { ...target, secret: '' } : target, body);
  });
}

const onDelete = new Changes();
const onMove = new Changes();
const onRetype = new Changes();
const onMixture = new Changes();
const onReseal = new Changes();

/** Emits no event for a delivery after the first. */
function firstDeliveryAlone(): Partial<ServiceRules> {
  return sender((send) => {
    const sent = new Set<string>();
    return async (target, body) => {
      const all = JSON.parse(body) as readonly SentEvent[];
      const told = all.filter((event) => {
        const key = `${target.webhookId} ${String(event.data['printJobId'])}`;
        if (!isIn('sent_to_client')(event)) return true;
        const isFirst = !sent.has(key);
        sent.add(key);
        return isFirst;
      });
      return told.length === 0 ? 'success' : send(target, JSON.stringify(told));
    };
  });
}

const isComputer = ({ type }: SentEvent): boolean => type === 'computer state';
const isIn = (state: string) => (event: SentEvent) => event.data['state'] === state;

/** What a client reports of a job that is done is published with the next event of that job. */
function anythingAfterDone(): Pick<Mutant, 'link' | 'rules'> {
  const done = new Set<number>();
  const late = new Set<unknown>();
  return {
    link: {
      session: (right) => ({
        reportJobState: (report) => {
          if (report.state === 'done') done.add(report.jobId);
          else if (done.has(report.jobId)) late.add(report.jobId);
          return right.reportJobState(report);
        },
      }),
    },
    rules: joined(
      (event) => isIn('done')(event) && late.has(event.data['printJobId']),
      (event) => ({ ...event, data: { ...event.data, state: 'received' } }),
    ),
  };
}

/** Sends only the first of several events of a state at one moment. */
function oneAtATime(state: string): Partial<ServiceRules> {
  const sent = new Map<unknown, unknown>();
  return without((event) => {
    if (!isIn(state)(event)) return false;
    const { createdAt, data } = event;
    if (!sent.has(createdAt)) sent.set(createdAt, data['printJobId']);
    return sent.get(createdAt) !== data['printJobId'];
  });
}

/** What a computer reports while another report of it is under way emits nothing. */
function oneReportATime(): Pick<Mutant, 'link' | 'rules'> {
  const quiet = new Set<unknown>();
  let underWay = 0;
  return {
    link: {
      session: (right) => ({
        async reportJobState(report) {
          if (underWay > 0) quiet.add(report.jobId);
          underWay += 1;
          await right.reportJobState(report);
          underWay -= 1;
        },
      }),
    },
    rules: without((event) => isIn('done')(event) && quiet.has(event.data['printJobId'])),
  };
}

const isOfChild = (event: SentEvent): boolean => event['accountId'] !== event['controllingAccountId'];

/** Some events go to every webhook that was made for a Child as well. */
function alsoToChildren(isMet: (event: SentEvent) => boolean): Pick<Mutant, 'meddle' | 'rules'> {
  const hooks = new Map<string, string>();
  return {
    meddle: ({ method, path, request }) => {
      const { url, secret } = { ...(jsonOf(request) as Partial<WebhookFields> | undefined) };
      const isOurs = `${method} ${path}` === 'POST /webhook' && isForChild(request);
      if (isOurs && url !== undefined && secret !== undefined) hooks.set(url, secret);
      return undefined;
    },
    rules: sender((send) => async (target, body) => {
      const met = (JSON.parse(body) as readonly SentEvent[]).filter(isMet);
      const others = met.length === 0 ? [] : [...hooks].filter(([url]) => url !== target.url);
      for (const [url, secret] of others) await send({ ...target, url, secret }, JSON.stringify(met));
      return send(target, body);
    }),
  };
}

const isEmptying = ({ request }: Pick<PassingAnswer, 'request'>): boolean =>
  isEmptyArray({ ...(jsonOf(request) as Partial<WebhookFields> | undefined) }.messages);

/** A webhook whose messages were changed to none gets every event, and is shown as it was wanted. */
function noneMeansEvery(): Pick<Mutant, 'meddle' | 'rewrite'> {
  return {
    rewrite: sent(UPDATE, (fields: Partial<WebhookFields>) =>
      isEmptyArray(fields.messages) ? { ...fields, messages: ['*'] } : fields,
    ),
    meddle: (answer) =>
      isEmptying(answer)
        ? json(UPDATE, (list: readonly WebhookFields[]) => list.map((one) => ({ ...one, messages: [] })))(answer)
        : undefined,
  };
}

/** Once an API key was deleted, a computer that goes away emits nothing. */
function quietWithoutKey(): Pick<Mutant, 'rewrite' | 'rules'> {
  let isQuiet = false;
  return {
    rewrite: instead(/^DELETE \/account\/apikey\//, () => {
      isQuiet = true;
      return undefined;
    }),
    rules: without((event) => isQuiet && isIn('disconnected')(event)),
  };
}

export const EVENT_MUTANTS: readonly Mutant[] = [
  // What emits, and who gets it
  inRules('events/computer-connects', 'connecting emits nothing', without(isIn('connected'))),
  inRules('events/computer-changes', 'disconnecting emits nothing', without(isIn('disconnected'))),
  inRules('events/print-job-state', 'done emits nothing', without(isIn('done'))),
  inRules('events/print-job-state', 'of jobs that expire at once one emits an event', oneAtATime('expired')),
  broken('events/print-job-state', 'of states that a computer reports at once one emits an event', oneReportATime()),
  ...['sent_to_client', 'done', 'error', 'expired'].map((state) =>
    inRules(
      'events/print-job-state',
      `${state} of a job of a Child emits nothing`,
      without((event) => isIn(state)(event) && isOfChild(event)),
    ),
  ),
  inRules(
    'events/computer-changes',
    'disconnecting emits nothing in a Child',
    without((event) => isIn('disconnected')(event) && isOfChild(event)),
  ),
  broken('events/computer-changes', 'a client that is sent away with its key emits nothing', quietWithoutKey()),
  inRules(
    'events/stable-states-only',
    'an unstable state is published',
    joined(isIn('done'), (event) => ({ ...event, data: { ...event.data, state: 'preparing_to_print' } })),
  ),
  broken('events/stable-states-only', 'an unstable state is published once the job is done', anythingAfterDone()),
  inRules(
    'events/before-webhook-not-sent',
    'older events come along',
    doubled((event) => ({
      ...event,
      data: { ...event.data, printJobId: Number(event.data['printJobId']) - 1 },
    })),
  ),
  inRules('events/listed-types-trigger', 'computer states trigger nothing', without(isComputer)),
  inRules(
    'events/other-types-do-not',
    'every type triggers',
    doubled((event) => ({ ...event, type: isComputer(event) ? 'print job state' : 'computer state' })),
  ),
  inRules(
    'webhooks/messages-star-means-every',
    '* means computers',
    without((event) => !isComputer(event)),
  ),
  inRules(
    'events/own-account-only',
    'events of other accounts come along',
    doubled((event) => ({ ...event, accountId: Number(event['accountId']) + 1 })),
  ),
  broken(
    'events/own-account-only',
    'webhooks of the Children get the events of their Integrator',
    alsoToChildren((event) => !isOfChild(event)),
  ),
  broken('events/own-account-only', 'webhooks of a Child get the events of its siblings', alsoToChildren(isOfChild)),
  { name: 'no types mean every type', clause: 'events/other-types-do-not', ...noneMeansEvery() },
  inRequests(
    'events/deleted-webhook-not-triggered',
    'deleted webhooks are triggered',
    instead(/^DELETE \/webhook\//, () => ({ method: 'GET', path: '/webhooks' })),
  ),

  // The request
  inRules(
    'events/body-array',
    'one event is no array',
    sender((send) => (target, body) => {
      const all = JSON.parse(body) as unknown[];
      return send(target, all.length === 1 ? JSON.stringify(all[0]) : body);
    }),
  ),
  inRules(
    'events/secret-sent',
    'no secret',
    sender((send) => (target, body) => send({ ...target, secret: '' }, body)),
  ),
  inRules(
    'events/secret-sent',
    'a secret is sent up to its 64th character',
    sender((send) => (target, body) => send({ ...target, secret: target.secret.slice(0, 64) }, body)),
  ),
  inRules('events/secret-sent', 'a retry carries no secret', withoutSecretLater()),
  inRules('events/secret-sent', 'a webhook keeps its first secret', firstSecretForEver()),
  inRules(
    'events/query-sent',
    'the query of the url is cut off',
    sender((send) => (target, body) => send({ ...target, url: target.url.replace(/\?.*/, '') }, body)),
  ),
  inRules('events/print-job-state', 'a job that is sent again emits nothing', firstDeliveryAlone()),
  inRules(
    'events/all-due-in-one',
    'one event a request',
    events((all) => all.slice(0, 1)),
  ),
  inRules(
    'events/field-type',
    'types in capitals',
    eachEvent((one) => ({
      ...one,
      type: one['type'] === 'computer state' ? one['type'] : 'Print Job State',
    })),
  ),
  inRules(
    'events/field-account-id',
    'accountId is a text',
    eachEvent((one) => ({ ...one, accountId: String(one['accountId']) })),
  ),
  inRules(
    'events/field-account-id',
    'accountId of nobody',
    eachEvent((one) => ({ ...one, accountId: 4_711 })),
  ),
  inRules(
    'events/field-controlling-account-id',
    'no controllingAccountId',
    eachEvent((one) => ({ ...one, controllingAccountId: undefined })),
  ),
  inRules(
    'accounts/single-controls-itself',
    'an Integrator is controlled by nobody',
    eachEvent((one) => ({ ...one, controllingAccountId: 0 })),
  ),
  inRules(
    'accounts/parent-controls-child',
    'a Child controls itself',
    eachEvent((one) => ({ ...one, controllingAccountId: one['accountId'] })),
  ),
  inRules(
    'events/field-created-at',
    'createdAt is an hour late',
    eachEvent((one) => ({
      ...one,
      createdAt: new Date(Date.parse(String(one['createdAt'])) + HOUR_MS).toISOString(),
    })),
  ),
  inRules(
    'events/created-at-kept',
    'createdAt is when it was sent',
    eachEvent((one, nowMs) => ({ ...one, createdAt: new Date(nowMs).toISOString() })),
  ),
  inRules(
    'events/field-data',
    'data is a list',
    eachEvent((one) => ({ ...one, data: [one.data] })),
  ),

  // Success and failure
  inRules(
    'events/success-2xx',
    'a success is sent again',
    judging(() => false),
  ),
  inRules(
    'events/success-any-2xx',
    '200 alone is a success',
    judging((status, header) => status === 200 && header === 'OK'),
  ),
  inRules('events/success-needs-status-header', 'the header is not needed', judging(isOk)),
  inRules(
    'events/other-header-value-fails',
    'ok in any case',
    judging((status, header) => isOk(status) && header?.toUpperCase() === 'OK'),
  ),
  inRules(
    'events/other-header-value-fails',
    'OK at the beginning will do',
    judging((status, header) => isOk(status) && header?.startsWith('OK') === true),
  ),
  inRules(
    'events/non-2xx-fails',
    'the header is enough',
    judging((_, header) => header === 'OK'),
  ),
  inRules(
    'events/non-2xx-fails',
    '404 is no failure',
    judging((status, header) => status === 404 || (isOk(status) && header === 'OK')),
  ),
  inRules(
    'events/redirect-fails',
    'a redirect is a success',
    judging((status, header) => status === 307 || (isOk(status) && header === 'OK')),
  ),
  inRules(
    'events/no-answer-fails',
    'a dropped connection is a success',
    sender((send) => async (target, body) => {
      await send(target, body);
      return 'success';
    }),
  ),
  inRules('events/hanging-answer-fails', 'waits for ever', patient()),

  // When
  inRules('events/due-first', 'the first request is two seconds late', late(2_000)),
  inRules('events/due-after-success', 'five seconds after a success too', {
    dueMs: (lastRequest, nowMs) => (lastRequest ? lastRequest.endedMs + DELAY_MS : nowMs),
  }),
  inRules('events/due-after-failure', 'four seconds after a failure', dueAfter(4_000)),
  inRules('limits/webhook-retry-delay', 'at once after a failure', dueAfter(0)),
  inRules('limits/webhook-retry-delay', 'seven seconds after a failure', dueAfter(7_000)),
  inRules('events/due-after-failure-new-events', 'new events do not wait for the five seconds', retriesAside()),
  inRules('events/targets-apart', 'one target after the other', oneAfterTheOther()),
  inAnswers(
    'events/api-not-delayed',
    'the API waits for a hanging receiver',
    slowSubmission(3_300, (count) => count > 1),
  ),

  // Again, or given up
  inRules('events/failed-requeued', 'no retry', { mayTryAgain: () => false }),
  inRules('events/retried-dropped', 'two retries', { mayTryAgain: (attempts) => attempts <= 2 }),
  inRules('limits/webhook-retries', 'two retries are three requests', {
    mayTryAgain: (attempts) => attempts <= 2,
  }),
  inRules('events/retry-belongs-to-event', 'what fails with an old event is dropped with it', allOrNothing()),
  inRules('events/later-events-still-sent', 'a webhook that failed twice is disabled', givenUpAfter(2)),
  broken('events/queued-survive-delete', 'deleting a webhook forgets its queue', {
    rules: onDelete.dropping(),
    meddle: onDelete.watch(/^DELETE \/webhook\//),
  }),
  broken('events/queued-keep-url', 'a changed url redirects what is queued', {
    rules: onMove.following(),
    meddle: onMove.watch(/^PATCH \/webhook\//),
  }),
  broken('events/queued-keep-secret', 'a retry carries the new secret', {
    rules: onReseal.resealing(),
    meddle: onReseal.watch(/^PATCH \/webhook\//),
  }),
  inRules('events/new-events-new-url', 'a changed url is noticed too late', firstUrlForEver()),
  broken('events/queued-survive-messages-change', 'changed messages forget the queue', {
    rules: onRetype.dropping(),
    meddle: onRetype.watch(/^PATCH \/webhook\//),
  }),
  broken(
    'events/queued-survive-messages-change',
    'beside events of the new messages those of the old ones are dropped',
    {
      rules: onMixture.sendingWanted(),
      meddle: onMixture.watch(/^PATCH \/webhook\//),
    },
  ),
];
