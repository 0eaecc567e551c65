/** What is open about computers, printers and print jobs, their states, and submissions. */

import { StoredIdempotencyKeys } from '../../../src/service/gate/idempotency.ts';
import { PRINT_OPTIONS } from '../../../src/specification/inputs.ts';
import { headerOf } from '../../mutants/mutant-tools.ts';
import { mapHeaders, type Ask, type Meddle, type PassingRequest } from '../../mutants/meddling-proxy.ts';
import {
  field,
  fieldsOf,
  json,
  objectsWith,
  refusedWith,
  refusing,
  withDigestOf,
  type JsonObject,
} from '../changes.ts';
import { decides, type Change, type Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const JOBS = /^GET .*printjobs(?!.*states)/;
const STATES = /^GET \/printjobs\/(.*\/)?states/;
const SUBMISSION = /^POST \/printjobs/;
type States = readonly (readonly JsonObject[])[];

const stateObjects = (change: (state: JsonObject) => JsonObject): Change =>
  json(STATES, (lists: States) => lists.map((states) => states.map((state) => ({ ...state, ...change(state) }))));

const inZone =
  (hours: number) =>
  (timestamp: unknown): unknown =>
    typeof timestamp === 'string'
      ? new Date(Date.parse(timestamp) + hours * 3_600_000).toISOString().replace('Z', `+0${hours}:00`)
      : timestamp;
const inMicroseconds = (timestamp: unknown): unknown =>
  typeof timestamp === 'string' ? timestamp.replace('Z', '000Z') : timestamp;
const inBasicFormat = (timestamp: unknown): unknown =>
  typeof timestamp === 'string' ? timestamp.replaceAll(/[-:]/g, '') : timestamp;
const asRfc2822 = (timestamp: unknown): unknown => {
  if (typeof timestamp !== 'string') return timestamp;
  const ms = /\.(\d+)Z$/.exec(timestamp)?.[1] ?? '0';
  return new Date(timestamp).toUTCString().replace(' GMT', `.${ms} +0000`);
};
const inSeconds = (timestamp: unknown): unknown =>
  typeof timestamp === 'string' ? timestamp.replace(/\.\d+Z/, 'Z') : timestamp;

const printerTimestamp = (change: (timestamp: unknown) => unknown): Change =>
  objectsWith(/^GET .*(printers|printjobs)/, 'capabilities', ({ createTimestamp }) => ({
    createTimestamp: change(createTimestamp),
  }));

/** An integer more in each record, another one each time. */
function unique(): Change {
  let last = 40_000;
  return objectsWith(JOBS, 'contentType', () => ({ sequence: ++last, uuid: `job-${last}` }));
}

const optionsOf = (request: PassingRequest): JsonObject => {
  const { options } = fieldsOf(request);
  return typeof options === 'object' && options !== null ? (options as JsonObject) : {};
};

/** Whether an option has a value that the capabilities of the printer do not list. */
async function isBeyond(request: PassingRequest, ask: Ask): Promise<boolean> {
  const options = optionsOf(request);
  const { printerId, printer } = fieldsOf(request);
  if (request.method !== 'POST' || request.path !== '/printjobs' || Object.keys(options).length === 0) return false;
  const path = `/printers/${Number(printerId ?? printer)}`;
  const { status, body } = await ask({ method: 'GET', path, headers: request.headers });
  const [found] = status === 200 ? (JSON.parse(body) as { capabilities: JsonObject | null }[]) : [];
  const { copies, ...lists } = found?.capabilities ?? {};
  const inList = (name: string, list: string): boolean => {
    const known = lists[list];
    const value = options[name];
    if (value === undefined || value === '') return true;
    return Array.isArray(known)
      ? known.includes(value)
      : Object.hasOwn((known as object | undefined) ?? {}, value as string);
  };
  const isListed =
    inList('bin', 'bins') && inList('dpi', 'dpis') && inList('media', 'medias') && inList('paper', 'papers');
  return !isListed || Number(options['copies'] ?? 1) > Number(copies ?? 1) || !inList('nup', 'nup');
}

const OPTIONS: ReadonlySet<string> = new Set(Object.keys(PRINT_OPTIONS));

/** A submission of this key is refused also where the one before it was. */
function usedUpByRefusals(): Change {
  const used = new Set<string>();
  return {
    rewrite: (request) => {
      const key = headerOf(request, 'x-idempotency-key');
      if (request.method !== 'POST' || request.path !== '/printjobs' || !key) return undefined;
      return used.has(key) ? refused(409, 'Conflict') : undefined;
    },
    meddle: ({ method, path, status, request }) => {
      const key = headerOf(request, 'x-idempotency-key');
      if (method === 'POST' && path === '/printjobs' && status === 400 && key) used.add(key);
      return undefined;
    },
  };
}

const isCancelled = (one: unknown): boolean =>
  Array.isArray(one)
    ? one.some((state: JsonObject) => state['state'] === 'deleted')
    : typeof one === 'object' && one !== null && 'contentType' in one && (one as JsonObject)['state'] === 'deleted';

/** Jobs of a set that have expired are cancelled too, once; the state that they then have is the one they had. */
function cancellingExpired(): Change {
  const cancelled = new Set<number>();
  return {
    meddle: async ({ method, path, status, body, request }, ask) => {
      if (method !== 'DELETE' || status !== 200 || !/^\/printjobs\/[\d,]+$/.test(path)) return undefined;
      const shown = await ask({ method: 'GET', path: `${path}/states`, headers: request.headers });
      const late = (JSON.parse(shown.body) as States)
        .flatMap((states) => states.filter(({ state }) => state === 'expired'))
        .map(({ printJobId }) => Number(printJobId))
        .filter((id) => !cancelled.has(id));
      for (const id of late) cancelled.add(id);
      return late.length > 0 ? { body: JSON.stringify([...(JSON.parse(body) as number[]), ...late]) } : undefined;
    },
  };
}

/** A list without cancelled jobs, and the counts that belong to it. */
const withoutCancelled: Meddle = ({ method, path, status, headers, body }) => {
  const value = method === 'GET' && status === 200 && path.includes('printjobs') ? (JSON.parse(body) as unknown) : [];
  const left = Array.isArray(value) ? value.filter((one) => !isCancelled(one)) : [];
  const gone = Array.isArray(value) ? value.length - left.length : 0;
  if (gone === 0) return undefined;
  const shown = JSON.stringify(left);
  const counted = mapHeaders(headers, (name, count) => [
    name,
    /^records-(returned|total)$/i.test(name) ? String(Number(count) - gone) : count,
  ]);
  return { body: shown, headers: withDigestOf(counted, shown) };
};

export const PRINT_JOB_DIMENSIONS: Dimensions = {
  'cancelled-state': decides('gap/cancelled-state', 'Which state does a cancelled job get?', 'deleted', {
    cancelled: { choices: { cancelledState: 'cancelled' } },
    'none: it is not shown any more': {
      meddle: withoutCancelled,
    },
  }),
  'expired-cancelled': decides('gap/expired-cancelled', 'Can a job be cancelled that has expired?', 'no', {
    'yes, and it stays expired': cancellingExpired,
  }),
  'computer-states': decides('gap/computer-states', 'In which state is a computer that is there?', 'connected', {
    online: objectsWith(/^GET .*(computers|printers|printjobs)/, 'jre', ({ state }) => ({
      state: state === 'connected' ? 'online' : state,
    })),
  }),
  'printer-states': decides(
    'gap/printer-states',
    'In which state is a printer that is online and has nothing to do?',
    'online',
    {
      idle: objectsWith(/^GET .*(printers|printjobs)/, 'capabilities', ({ state }) => ({
        state: state === 'online' ? 'idle' : state,
      })),
    },
  ),
  'printer-of-absent-computer': decides(
    'gap/printer-transitions',
    'In which state is a printer whose computer is away?',
    'the last one that it reported',
    {
      offline: objectsWith(/^GET .*(printers|printjobs)/, 'capabilities', ({ state, computer }) => ({
        state: (computer as JsonObject | undefined)?.['state'] === 'disconnected' ? 'offline' : state,
      })),
    },
  ),
  'computer-timestamps': decides(
    'computers/create-timestamp-utc',
    'How is UTC written in createTimestamp of a computer?',
    'as Z',
    {
      'as an offset': objectsWith(/^GET /, 'inet6', ({ createTimestamp }) => ({
        createTimestamp: String(createTimestamp).replace('Z', '+00:00'),
      })),
    },
  ),
  'printer-timestamps': decides(
    'printers/field-create-timestamp',
    'How is createTimestamp of a printer written?',
    'in UTC with milliseconds',
    {
      'with an offset': printerTimestamp(inZone(2)),
      'in seconds': printerTimestamp(inSeconds),
      'in microseconds': printerTimestamp(inMicroseconds),
      'in the basic format': printerTimestamp(inBasicFormat),
    },
  ),
  'print-job-record': decides('gap/print-job-record', 'Which fields has a print job?', 'eight of them', {
    'options, qty, pages and filesize as well': objectsWith(JOBS, 'contentType', () => ({
      options: { copies: 1 },
      qty: 1,
      pages: null,
      filesize: 1_234,
    })),
    'id, title and printerId alone': json(JOBS, (jobs: readonly JsonObject[]) =>
      jobs.map(({ id, title, printer }) => ({ id, title, printerId: (printer as JsonObject)['id'] })),
    ),
    'two more that no other record has': unique(),
    'printJobId in place of id': json(JOBS, (jobs: readonly JsonObject[]) =>
      jobs.map(({ id, ...job }) => ({ printJobId: id, ...job })),
    ),
    'jobNumber, and in id something else': json(JOBS, (jobs: readonly JsonObject[]) =>
      jobs.map(({ id, ...job }) => ({ id: 70_000 + (Number(id) % 7), jobNumber: id, ...job })),
    ),
    'all of it in another object': json(JOBS, (jobs: readonly JsonObject[]) =>
      jobs.map(({ id, title }) => ({ job: { number: id }, meta: { title } })),
    ),
  }),
  'expire-at': decides('gap/print-job-record', 'What is expireAt of a print job?', 'a timestamp in milliseconds', {
    null: field(JOBS, 'expireAt', () => null),
    'in microseconds': field(JOBS, 'expireAt', inMicroseconds),
    'with an offset': field(JOBS, 'expireAt', inZone(1)),
  }),
  'other-print-job-states': decides(
    'gap/other-print-job-states',
    'Which states stand between the stable ones?',
    'what the client reports',
    {
      'some that nothing reported': json(STATES, (lists: States) =>
        lists.map((states) =>
          states.flatMap((state) => [
            state,
            { ...state, state: `after_${String(state['state'])}`, clientVersion: null },
          ]),
        ),
      ),
    },
  ),
  'states-order': decides(
    'gap/print-job-states-shape',
    'In what order do the states of a job stand?',
    'the oldest first',
    {
      'the newest first': json(STATES, (lists: States) => lists.map((states) => states.toReversed())),
      'in another order at each read': () => {
        let reads = 0;
        return json(STATES, (lists: States) =>
          lists.map((states) => (++reads % 2 === 0 ? states : states.toReversed())),
        );
      },
    },
  ),
  'states-paging': decides(
    'gap/print-job-states-paging',
    'What do limit, after and dir do in lists of states?',
    'they choose jobs',
    {
      nothing: {
        rewrite: ({ path }) => (/^\/+printjobs\/.*states/.test(path) ? { path: path.replace(/[?].*/, '') } : undefined),
      },
    },
  ),
  'state-timestamps': decides(
    'states/field-create-timestamp',
    'How is createTimestamp of a state written?',
    'in UTC with milliseconds',
    {
      'with an offset': stateObjects(({ createTimestamp }) => ({ createTimestamp: inZone(2)(createTimestamp) })),
      'in microseconds': stateObjects(({ createTimestamp }) => ({ createTimestamp: inMicroseconds(createTimestamp) })),
      'in the basic format': stateObjects(({ createTimestamp }) => ({
        createTimestamp: inBasicFormat(createTimestamp),
      })),
      'as RFC 2822': stateObjects(({ createTimestamp }) => ({ createTimestamp: asRfc2822(createTimestamp) })),
    },
  ),
  'state-messages': decides(
    'states/field-message',
    'What is the message of a state that the service generated?',
    'empty',
    {
      'a sentence': stateObjects(({ message, state }) => ({ message: message || `The job is ${String(state)}.` })),
    },
  ),
  'state-data': decides('states/field-data', 'What is in data of a state?', 'nothing', {
    something: stateObjects(({ data }) => ({ data: { ...(data as JsonObject), attempt: 1 } })),
  }),
  'states-shape': decides(
    'gap/print-job-states-shape',
    'What holds the states of several jobs?',
    'an array for each job in an array',
    {
      'one array for all': json(STATES, (lists: States) => lists.flat()),
      'an object by id of the job': json(STATES, (lists: States) =>
        Object.fromEntries(lists.map((states) => [String(states[0]?.['printJobId']), states])),
      ),
    },
  ),
  'options-outside-capabilities': decides(
    'gap/options-outside-capabilities',
    'What happens with an option that the capabilities do not list?',
    'it is passed on',
    {
      'it gets 400': {
        rewrite: async (request, ask) =>
          (await isBeyond(request, ask)) ? refused(400, 'OptionNotSupported') : undefined,
      },
    },
  ),
  'unknown-options': decides(
    'gap/options-outside-capabilities',
    'What happens with an option that the specification does not print?',
    'it is passed on',
    {
      'it gets 400': refusing(SUBMISSION, [400, 'UnknownOption'], (request) =>
        Object.keys(optionsOf(request)).some((name) => !OPTIONS.has(name)),
      ),
    },
  ),
  'qty-above-maximum': decides(
    'gap/qty-above-maximum',
    'What happens to a qty above 999?',
    'it is passed on, and the client refuses it',
    {
      'it gets 400': refusing(SUBMISSION, [400, 'QtyTooLarge'], (request) => Number(fieldsOf(request)['qty']) > 999),
    },
  ),
  'expire-after-bounds': decides(
    'gap/expire-after-bounds',
    'Which times may expireAfter be?',
    'from 0 seconds to a hundred years',
    {
      'from 1 second to a year': refusing(SUBMISSION, [400, 'ExpireAfter'], (request) => {
        const { expireAfter } = fieldsOf(request);
        return (
          expireAfter !== undefined &&
          expireAfter !== null &&
          (Number(expireAfter) < 1 || Number(expireAfter) > 31_536_000)
        );
      }),
      'from 10 seconds': refusing(SUBMISSION, [400, 'ExpireAfter'], (request) => {
        const { expireAfter } = fieldsOf(request);
        return expireAfter !== undefined && expireAfter !== null && Number(expireAfter) < 10;
      }),
      'up to 20 days': refusing(SUBMISSION, [400, 'ExpireAfter'], (request) => {
        const { expireAfter } = fieldsOf(request);
        return Number(expireAfter ?? 0) > 20 * 86_400;
      }),
    },
  ),
  'refused-submission': decides(
    'gap/error-codes',
    'Which status does a submission get that names no printer of the account?',
    '400',
    {
      '404': refusedWith(SUBMISSION, 400, [404, 'PrinterNotFound']),
      '422': refusedWith(SUBMISSION, 400, [422, 'Unprocessable']),
    },
  ),
  'idempotency-scope': decides('gap/idempotency-scope', 'Where is an idempotency key counted?', 'in its account', {
    'in the whole service': {
      rules: () => ({
        idempotencyKeys: (database) => {
          const keys = new StoredIdempotencyKeys(database);
          return { claim: (_, key, nowMs) => keys.claim(0, key, nowMs) };
        },
      }),
    },
  }),
  'idempotency-of-refused': decides(
    'gap/idempotency-refused',
    'Does a refused submission use its idempotency key up?',
    'no',
    { yes: usedUpByRefusals },
  ),
  'idempotency-empty': decides('gap/idempotency-empty', 'What does an empty idempotency key mean?', 'none', {
    'it gets 400': refusing(SUBMISSION, [400, 'EmptyKey'], (request) => headerOf(request, 'x-idempotency-key') === ''),
    'a key like any other': {
      rewrite: ({ method, path, headers }) => {
        if (method !== 'POST' || path !== '/printjobs') return undefined;
        return {
          headers: headers.map((one, at) =>
            one === '' && /^x-idempotency-key$/i.test(headers[at - 1] ?? '') ? 'empty' : one,
          ),
        };
      },
    },
  }),
  'idempotency-length': decides('gap/idempotency-length', 'How long may an idempotency key be?', 'as long as headers', {
    '64 characters': refusing(
      SUBMISSION,
      [400, 'LongKey'],
      (request) => (headerOf(request, 'x-idempotency-key') ?? '').length > 64,
    ),
  }),
};
