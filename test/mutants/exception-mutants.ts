/**
 * Mutants that keep a rule except for one kind of body, of key, of account, of state, of moment.
 */

import { hash } from 'node:crypto';

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { mapHeaders, type Meddle, type PassingRequest, type Rewrite } from './meddling-proxy.ts';
import { acceptRefused, headerOf, instead, isForChild, isForm, jsonOf, sent } from './mutant-tools.ts';
import { inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';
import { sender } from './webhook-sender.ts';

type Fields = Record<string, unknown>;

const SUBMIT = /^POST \/printjobs$/;
const STATES = /^GET \/printjobs\/(.*\/)?states/;
const KEY = /^x-idempotency-key$/i;
const HOUR_MS = 3_600_000;
const DAY_S = 86_400;

/** Another idempotency key in place of that of a submission; none without one. */
const keyed = (change: (key: string, request: PassingRequest) => string | undefined): Rewrite =>
  instead(SUBMIT, (request) => {
    const key = headerOf(request, 'X-Idempotency-Key');
    if (key === undefined) return undefined;
    const changed = change(key, request);
    const headers = mapHeaders(request.headers, (name, value) => {
      if (!KEY.test(name)) return [name, value];
      return changed === undefined ? [] : [name, changed];
    });
    return { headers };
  });

const contentTypeOf = (request: PassingRequest): string =>
  String((jsonOf(request) as Fields | undefined)?.['contentType']);
const contentOf = (request: PassingRequest): string => String((jsonOf(request) as Fields | undefined)?.['content']);

/** The sixth webhook is taken for made, where this holds. */
const sixthIf =
  (isExempt: (request: PassingRequest) => boolean): Meddle =>
  ({ method, path, status, request }) =>
    method === 'POST' && path === '/webhook' && status >= 400 && isExempt(request)
      ? { status: 200, body: '[]' }
      : undefined;

/** Webhooks to one url count once. */
function oneUrlOnce(): Meddle {
  const urls = new Set<unknown>();
  return (answer) => {
    const url = (jsonOf(answer.request) as Fields | undefined)?.['url'];
    if (answer.method === 'POST' && answer.path === '/webhook' && answer.status < 300) urls.add(url);
    return sixthIf(() => urls.has(url))(answer);
  };
}

/** What comes after an event was given up is sent at once. */
function freshAfterDrop(): Partial<ServiceRules> {
  let hasDropped = false;
  return {
    mayTryAgain: (attempts) => {
      const may = SERVICE_RULES.mayTryAgain(attempts);
      hasDropped = !may;
      return may;
    },
    dueMs: (last, nowMs) => (hasDropped ? nowMs : SERVICE_RULES.dueMs(last, nowMs)),
  };
}

/** The delay counts from when the request that failed was sent. */
function fromItsStart(): Partial<ServiceRules> {
  let startedMs = 0;
  return {
    ...sender((send, { clock }) => (target, body) => {
      startedMs = clock.now();
      return send(target, body);
    }),
    dueMs: (last, nowMs) => Math.min(SERVICE_RULES.dueMs(last, nowMs), Math.max(nowMs, startedMs + 5_000)),
  };
}

/** Sends nothing more to a target that has failed so often. */
export function givenUpAfter(most: number): Partial<ServiceRules> {
  return sender((send) => {
    const failures = new Map<string, number>();
    return async (target, body) => {
      const failed = failures.get(target.url) ?? 0;
      if (failed >= most) return 'success';
      const outcome = await send(target, body);
      if (outcome === 'failure') failures.set(target.url, failed + 1);
      return outcome;
    };
  });
}

/** A job expires when those before it have. */
function inOrderOfSubmission(): Partial<ServiceRules> {
  let lastMs = 0;
  return {
    expiryMs: (createdMs, expireAfter) => {
      const dueMs = SERVICE_RULES.expiryMs(createdMs, expireAfter);
      // The default is another matter, and a clock that was set back.
      const isNear = lastMs > createdMs && lastMs - dueMs < HOUR_MS && dueMs - createdMs < HOUR_MS;
      lastMs = isNear ? Math.max(lastMs, dueMs) : dueMs;
      return lastMs;
    },
  };
}

/** A key is taken for the 24 hours after its very first use, and never again. */
function freeFromThenOn(): Partial<ServiceRules> {
  return {
    idempotencyKeys: () => {
      const firstMs = new Map<string, number>();
      return {
        claim(accountId, key, nowMs) {
          const name = `${accountId} ${key}`;
          const usedMs = firstMs.get(name);
          firstMs.set(name, usedMs ?? nowMs);
          return usedMs === undefined || nowMs - usedMs >= 24 * HOUR_MS;
        },
      };
    },
  };
}

/** Keys are free again when a day of the calendar begins. */
function keysOfToday(): Partial<ServiceRules> {
  return {
    idempotencyKeys: () => {
      const used = new Map<string, number>();
      return {
        claim(accountId, key, nowMs) {
          const [name, day] = [`${accountId} ${key}`, Math.floor(nowMs / (24 * HOUR_MS))];
          const isFree = used.get(name) !== day;
          if (isFree) used.set(name, day);
          return isFree;
        },
      };
    },
  };
}

const neverExpiring = (isExempt: (request: PassingRequest) => boolean): Rewrite =>
  instead(SUBMIT, (request) => {
    const fields = jsonOf(request) as Fields | undefined;
    if (!fields || fields['expireAfter'] === undefined || !isExempt(request)) return undefined;
    return { body: JSON.stringify({ ...fields, expireAfter: 10 * DAY_S }) };
  });

const dayForForms: Rewrite = instead(SUBMIT, (request) => {
  const form = request.body.toString('utf8');
  return isForm(request) && !form.includes('expireAfter') ? { body: `${form}&expireAfter=${DAY_S}` } : undefined;
});

const eachState = (change: (state: Fields) => Fields): Meddle =>
  json(STATES, (histories: readonly (readonly Fields[])[]) =>
    histories.map((states) => states.map((state) => ({ ...state, ...change(state) }))),
  );

export const EXCEPTION_MUTANTS: readonly Mutant[] = [
  // Events
  inRules(
    'events/due-after-failure-new-events',
    'after an event was given up new ones are sent at once',
    freshAfterDrop(),
  ),
  inRules('events/later-events-still-sent', 'a webhook is disabled after ten failures', givenUpAfter(10)),
  inRules('limits/webhook-retry-delay', 'the five seconds count from the sending of the request', fromItsStart()),
  inAnswers(
    'webhooks/failed-counts-requests',
    'failed requests of retries alone do not count',
    json(/webhooks?$/, (all: readonly { readonly failedRequests: { readonly counts: number } }[]) =>
      all.map((one) => ({
        ...one,
        failedRequests: { ...one.failedRequests, counts: Math.min(one.failedRequests.counts, 2) },
      })),
    ),
  ),
  inRequests(
    'events/listed-types-trigger',
    'the first type of messages alone counts',
    sent(/^POST \/webhook$/, (fields: Fields) => ({
      ...fields,
      messages: Array.isArray(fields['messages']) ? fields['messages'].slice(0, 1) : fields['messages'],
    })),
  ),
  inAnswers('limits/webhooks-sixth-refused', 'acting as a Child six webhooks are taken', sixthIf(isForChild)),
  inAnswers('limits/webhooks-sixth-refused', 'webhooks to one url count as one', oneUrlOnce()),

  // Sets
  inRequests(
    'computers/delete-set',
    'of a set of computers the first is deleted',
    instead(/^DELETE \/computers\/[\d,]+$/, ({ path }) => ({ path: path.replace(/,.*/, '') })),
  ),
  inRequests(
    'computers/delete-set',
    'of a set of computers two are deleted',
    instead(/^DELETE \/computers\/[\d,]+$/, ({ path }) => ({ path: path.replace(/(\d+,\d+),.*/, '$1') })),
  ),
  inRequests(
    'printers/list-set',
    'a set of printers that are not there lists all of them',
    instead(/^GET \/printers\/21474836\d\d$/, () => ({ path: '/printers' })),
  ),
  inRequests(
    'print-jobs/delete-of-printers',
    'the jobs of no printer are all jobs',
    instead(/^DELETE \/printers\/21474836\d\d\/printjobs$/, () => ({ path: '/printjobs' })),
  ),

  // Idempotency keys
  inRequests(
    'print-jobs/idempotency-conflict',
    'the key of a form is overlooked',
    keyed((key, request) => (isForm(request) ? undefined : key)),
  ),
  inRequests(
    'print-jobs/idempotency-conflict',
    'the key of a RAW job is overlooked',
    keyed((key, request) => (contentTypeOf(request).startsWith('raw') ? undefined : key)),
  ),
  inRequests(
    'print-jobs/idempotency-conflict',
    'the encoding of the body counts beside the key',
    keyed((key, request) => (isForm(request) ? `${key} form` : key)),
  ),
  inRequests(
    'print-jobs/idempotency-conflict',
    'the API key counts beside the key',
    keyed((key, request) => key + hash('md5', headerOf(request, 'Authorization') ?? '')),
  ),
  inRules('print-jobs/idempotency-conflict', 'a key that was free once is free from then on', freeFromThenOn()),
  inRequests(
    'print-jobs/idempotency-key-counts',
    'the content counts beside the key',
    keyed((key, request) => key + hash('md5', contentOf(request))),
  ),
  inRequests(
    'print-jobs/idempotency-other-key',
    'keys that are one number are one key',
    keyed((key) => (/^\d+$/.test(key) ? key.replace(/^0+/, '') : key)),
  ),
  inRequests(
    'print-jobs/idempotency-other-key',
    'a key ends at a comma',
    keyed((key) => key.split(',')[0] ?? key),
  ),
  inRules('limits/idempotency-within', 'keys are free at midnight', keysOfToday()),

  // Time
  inRules('print-jobs/body-expire-after', 'a job expires no sooner than those before it', inOrderOfSubmission()),
  inRules('print-jobs/body-expire-after', 'a job waits for a minute at least', {
    expiryMs: (createdMs, expireAfter) =>
      SERVICE_RULES.expiryMs(createdMs, expireAfter === undefined ? undefined : Math.max(expireAfter, 60)),
  }),
  inRequests(
    'print-jobs/body-expire-after',
    'RAW jobs do not expire',
    neverExpiring((request) => contentTypeOf(request).startsWith('raw')),
  ),
  inRequests('limits/expire-after-default', 'jobs that come as forms expire after a day', dayForForms),
  inRequests('print-jobs/body-expire-after', 'jobs of Child Accounts do not expire', neverExpiring(isForChild)),
  inRules('print-jobs/body-expire-after', 'more than a day is rounded up to whole days', {
    expiryMs: (createdMs, expireAfter) =>
      SERVICE_RULES.expiryMs(
        createdMs,
        expireAfter !== undefined && expireAfter > DAY_S ? Math.ceil(expireAfter / DAY_S) * DAY_S : expireAfter,
      ),
  }),
  inAnswers(
    'states/age-since-new',
    'ages begin anew each day',
    eachState(({ age }) => ({ age: Number(age) % (24 * HOUR_MS) })),
  ),
  inAnswers(
    'states/age-since-new',
    'an age of more than a minute is a whole second',
    eachState(({ age }) => ({ age: Number(age) > 60_000 ? Math.round(Number(age) / 1_000) * 1_000 : age })),
  ),
  inAnswers(
    'states/client-version-null',
    'the state of a cancelled job has a client version',
    eachState(({ state, clientVersion }) => ({ clientVersion: state === 'deleted' ? '1.2.3' : clientVersion })),
  ),
  inAnswers(
    'states/field-message',
    'what a client says of an error is lost',
    eachState(({ state, message }) => ({ message: state === 'error' ? 'the job failed' : message })),
  ),
  inAnswers(
    'states/field-data',
    'the data of a state is an array where a client said nothing',
    eachState(({ state, data }) => ({ data: state === 'error' ? [] : data })),
  ),

  // Accounts
  inAnswers(
    'accounts/field-child-accounts',
    'an account that cannot have Children has null',
    json(/^GET \/whoami$/, (account: Fields) =>
      account['canCreateSubAccounts'] === true ? account : { ...account, childAccounts: null },
    ),
  ),
  inAnswers(
    'accounts/fields-always-present',
    'an account has no creatorRef where none was given',
    json(/^GET \/whoami$/, ({ creatorRef, ...account }: Fields) =>
      creatorRef === null && account['canCreateSubAccounts'] === false ? account : { creatorRef, ...account },
    ),
  ),
  inAnswers(
    'accounts/create-creator-ref-unique',
    'the creatorRef of a form need not be unique',
    acceptRefused(/^POST \/account$/, ({ request }) => isForm(request)),
  ),
  inAnswers('authentication/child-x-authorized-as', 'lists have no X-Authorized-As', ({ body, headers }) =>
    body.startsWith('[')
      ? { headers: mapHeaders(headers, (name, value) => (name === 'X-Authorized-As' ? [] : [name, value])) }
      : undefined,
  ),
  inAnswers(
    'service/request-id-unique',
    'what a caller names its request is its Request-Id',
    ({ request, headers }) => {
      const given = headerOf(request, 'Request-Id');
      if (given === undefined) return undefined;
      return { headers: mapHeaders(headers, (name, value) => [name, name === 'Request-Id' ? given : value]) };
    },
  ),

  // Computers and printers
  { name: 'what is connected is not deleted', clause: 'computers/delete-all', ...connectedStay() },
  inAnswers('printers/capability-duplex', 'what is false is left out', eachCapabilities(withoutFalse)),
  inAnswers(
    'printers/capabilities-as-reported',
    'a printer has ten papers at most',
    eachCapabilities((all) => ({
      ...all,
      papers: Object.fromEntries(Object.entries(all['papers'] ?? {}).slice(0, 10)),
    })),
  ),

  // Scales
  inAnswers(
    'limits/scale-retention-not-early',
    'a list of one name shows what is less than 30 seconds old',
    json(/^GET \/computer\/\d+\/scales\/./, (readings: readonly { readonly ageOfData: number }[]) =>
      readings.filter(({ ageOfData }) => ageOfData < 30_000),
    ),
  ),
  inAnswers(
    'scales/field-vendor',
    'the simulated scale has no vendor',
    json(/^GET \/computer\/0\/scale\//, (reading: Fields) => ({ ...reading, vendor: null })),
  ),

  // Webhooks
  inAnswers(
    'webhooks/delete-answers-list',
    'DELETE answers true when no webhook is left',
    json(/^DELETE \/webhook\//, (list: readonly unknown[]) => (list.length > 0 ? list : true)),
  ),
  inRequests(
    'webhooks/update-leaves-the-rest',
    'a new url sends every type there',
    sent(/^PATCH \/webhook\//, (fields: Fields) =>
      Object.keys(fields).join() === 'url' ? { ...fields, messages: ['*'] } : fields,
    ),
  ),
];

/** DELETE answers without the ids of computers that are connected. */
function connectedStay(): Pick<Mutant, 'link' | 'meddle'> {
  const connected = new Set<number>();
  return {
    link: {
      session: (right) => {
        connected.add(right.computerId);
        return {
          close: () => {
            connected.delete(right.computerId);
            return right.close();
          },
        };
      },
    },
    meddle: json(/^DELETE \/computers/, (ids: readonly number[]) => ids.filter((id) => !connected.has(id))),
  };
}

/** Changes the capabilities of each printer that is shown and has any. */
function eachCapabilities(change: (capabilities: Fields) => Fields): Meddle {
  return json(/^GET \/(computers\/[\d,]+\/)?printers(\/[\d,]+)?$/, (printers: readonly Fields[]) =>
    printers.map((printer) => {
      const capabilities = printer['capabilities'] as Fields | null;
      return capabilities ? { ...printer, capabilities: change(capabilities) } : printer;
    }),
  );
}

function withoutFalse(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== false));
}
