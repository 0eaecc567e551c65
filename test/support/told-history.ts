/**
 * Histories of an account, told by hand: what was seen of a service, second after second, and what the judges say of it.
 */

import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/common/json-value.ts';
import { judgeAccount } from '../../src/oracle/account/judge-account.ts';
import type {
  AccountDialect,
  Circumstances,
  Observation,
  SeenClient,
  SeenConnection,
  SeenDelivery,
  SeenExchange,
  SeenPrinter,
  SeenReading,
  SeenReport,
  SeenScale,
  SeenWebhookRequest,
} from '../../src/oracle/account/observation.ts';

/** The key of the account, and its id. */
export const KEY = 'key';
const ACCOUNT = '7';

/** The dialect of the reference service. */
const DIALECT: AccountDialect = {
  'api-key-body': 'none',
  'job-id': 'id',
  'message-types': { 'computer state': 'computer state', 'print job state': 'print job state' },
  'tag-body': 'json-string',
  'simulated-reading': {},
};

const CIRCUMSTANCES: Circumstances = {
  isLinkDisturbed: false,
  // The rules of every response have tests of their own.
  isHttpDisturbed: true,
  isWhole: true,
  isReference: true,
  isVirtual: true,
  clockErrorMs: 0,
  isMoved: false,
  dialect: DIALECT,
};

/** A service that is not the reference service, on a real clock, of which nothing is known. */
export const ELSEWHERE: Partial<Circumstances> = { isReference: false, isVirtual: false, dialect: {} };

/** A row of a table: what is tried, what was seen, what the judges say of it, and the circumstances. */
export type Row = [
  what: string,
  seen: readonly Told[],
  broken: readonly string[],
  circumstances?: Partial<Circumstances>,
];

export type Told = Observation | readonly Told[];

/** When the tables that count milliseconds begin. */
export const BEGAN_MS = 100_000;

export const later = (ms: number, one: Observation): Observation => at(BEGAN_MS + ms, one);

/** `clause | where | expected | actual`, with the job where it is about one. */
export function brokenIn(seen: readonly Told[], circumstances: Partial<Circumstances> = {}): readonly string[] {
  const { broken } = judgeAccount({
    history: inTime(seen),
    circumstances: { ...CIRCUMSTANCES, ...circumstances },
    levels: ['must', 'should'],
  });
  return broken.map(({ clause, at, expected, actual, jobId }) =>
    [clause, at, expected, actual, ...(jobId === undefined ? [] : [`job ${jobId}`])].join(' | '),
  );
}

/** Tries the rows of a table. */
export function tell(subject: string, rows: readonly Row[]): void {
  describe.each([subject])('%s', () => {
    it.each(rows)('%s', (_, seen, broken, circumstances) => {
      expect(brokenIn(seen, circumstances)).toEqual(broken);
    });
  });
}

const UNSAID = Number.NaN;

function time(ms: number): string {
  return new Date(ms).toISOString();
}

/** Each thing is seen a second after the one before, unless it says when. */
export function inTime(seen: readonly Told[]): readonly Observation[] {
  return (seen.flat(Infinity as 1) as readonly Observation[]).map((one, place) => {
    const atMs = Number.isNaN(one.atMs) ? place * 1_000 : one.atMs;
    const sentMs = 'sentMs' in one && !Number.isNaN(one.sentMs) ? one.sentMs : atMs;
    return {
      ...one,
      atMs,
      ...('sentMs' in one && { sentMs }),
      ...('endedMs' in one && { endedMs: Number.isNaN(one.endedMs) ? atMs : one.endedMs }),
    };
  });
}

interface Asked {
  readonly status?: number;
  readonly value?: unknown;
  readonly sent?: unknown;
  readonly key?: string;
  /** The account that the answer names; none for an empty one. */
  readonly account?: string;
  /** The Child that the request is for. */
  readonly child?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly sentMs?: number;
  readonly atMs?: number;
  readonly together?: number;
}

/** `GET /printers`, and the answer. */
export function ask(request: string, asked: Asked = {}): SeenExchange {
  const { status = 200, value, sent, key = KEY, child, together, sentMs = UNSAID, atMs = UNSAID } = asked;
  const [method = '', path = ''] = request.split(' ');
  const account = asked.account ?? child ?? ACCOUNT;
  const of = child === undefined ? [] : [['X-Child-Account-By-Id', child] as const];
  const by = child === undefined ? [] : [['X-Child-Account-By-Id', child], ['X-Authorized-As', ACCOUNT] as const];
  return {
    kind: 'exchange',
    atMs,
    sentMs,
    apiKey: key,
    sent,
    value,
    ...(together !== undefined && { together }),
    http: {
      request: { method, path, headers: [...of, ...Object.entries(asked.headers ?? {})] },
      response: {
        status,
        headers: Object.entries({
          ...(account === '' ? {} : { 'X-Account': account }),
          ...Object.fromEntries(by),
          ...asked.answerHeaders,
        }),
        body: new Uint8Array(),
      },
      sentMs: 0,
      receivedMs: 0,
    },
  };
}

export const quiet: Observation = { kind: 'quiet', atMs: UNSAID };
export const restarted: Observation = { kind: 'restarted', atMs: UNSAID };

/** Sent at once, unless it says when. */
export function at(atMs: number, one: Observation): Observation {
  return { ...one, atMs };
}

export function silence(request: string, sent?: unknown): Observation {
  const [method = '', path = ''] = request.split(' ');
  return { kind: 'silence', atMs: UNSAID, sentMs: UNSAID, apiKey: KEY, method, path, headers: [], sent };
}

// ── Computers ────────────────────────────────────────────────────────────────────────────────────────

export function client(name = 'DESK'): SeenClient {
  return {
    installationId: name,
    computerName: name,
    hostname: `${name}.local`,
    inet: '10.0.0.1',
    inet6: null,
    version: '4.0.0',
  };
}

export function connects(computerId = 1, given: Partial<SeenConnection> = {}): SeenConnection {
  const common = { kind: 'connected', atMs: UNSAID, sentMs: UNSAID, apiKey: KEY, holding: [] } as const;
  return { ...common, computerId, client: client(computerId === 1 ? 'DESK' : `PC${computerId}`), ...given };
}

export function begins(name = 'DESK', apiKey = KEY): Observation {
  return { kind: 'connecting', atMs: UNSAID, apiKey, client: client(name) };
}

function drop(kind: 'gone' | 'asleep' | 'awake', computerId: number): Observation {
  return { kind, atMs: UNSAID, computerId };
}
export const goes = (computerId = 1): Observation => drop('gone', computerId);
export const sleeps = (computerId = 1): Observation => drop('asleep', computerId);
export const wakes = (computerId = 1): Observation => drop('awake', computerId);

export function printer(name = 'Laser', given: Partial<SeenPrinter> = {}): SeenPrinter {
  const key = name.toLowerCase();
  return {
    key,
    name,
    description: 'A printer',
    default: false,
    state: 'online',
    capabilities: { copies: 9 },
    ...given,
  };
}

export function sendsPrinters(computerId: number, ...printers: readonly SeenPrinter[]): Observation {
  return { kind: 'printers-sent', atMs: UNSAID, computerId, printers };
}

/** A list of printers that is acknowledged. */
export function hasPrinters(computerId: number, ...printers: readonly SeenPrinter[]): readonly Observation[] {
  return [sendsPrinters(computerId, ...printers), { kind: 'printers', atMs: UNSAID, computerId, printers }];
}

/** The record of a computer, as it reported itself. */
export function computerRecord(id = 1, given: JsonObject = {}): JsonObject {
  const { computerName, hostname, inet, version } = connects(id).client;
  const rest = { inet6: null, jre: null, createTimestamp: '2026-01-01T00:00:00.000Z', state: 'connected' };
  return { id, name: computerName, hostname, inet, version, ...rest, ...given };
}

export function printerRecord(id = 11, name = 'Laser', given: JsonObject = {}): JsonObject {
  const { description, default: isDefault, state, capabilities } = printer(name);
  return { id, name, description, default: isDefault, state, capabilities, computer: computerRecord(), ...given };
}

/** Computer 1 is there with printer 11, and all is quiet. */
export const DESK: readonly Observation[] = [
  connects(),
  ...hasPrinters(1, printer()),
  ask('GET /printers', { value: [printerRecord()] }),
  quiet,
];

// ── Jobs ─────────────────────────────────────────────────────────────────────────────────────────────

export const DOCUMENT: JsonObject = { printerId: 11, contentType: 'raw_base64', content: 'eA==' };

/** A submission that is accepted, for printer 11. */
export function submits(id: number, sent: JsonObject = {}, asked: Asked = {}): SeenExchange {
  return ask('POST /printjobs', { status: 201, value: id, sent: { ...DOCUMENT, ...sent }, ...asked });
}

export function delivers(
  jobId: number,
  job: Partial<SeenDelivery['job']> = {},
  given: Partial<SeenDelivery> = {},
): SeenDelivery {
  return {
    kind: 'delivered',
    atMs: UNSAID,
    computerId: 1,
    connection: 1,
    job: {
      jobId,
      printerKey: 'laser',
      title: '',
      source: null,
      contentType: 'raw_base64',
      content: 'eA==',
      options: {},
      qty: 1,
      authentication: null,
      ...job,
    },
    ...given,
  };
}

export function sendsReport(
  jobId: number,
  state = 'done',
  { id = `${jobId} ${state}`, createTimestamp = '2025-01-01T00:00:00.000Z' } = {},
): SeenReport {
  const report = { id, jobId, state, message: null, createTimestamp };
  return { kind: 'report-sent', atMs: UNSAID, computerId: 1, version: '4.0.0', report };
}

/** A report that is acknowledged. */
export function reports(
  jobId: number,
  state = 'done',
  given?: { id?: string; createTimestamp?: string },
): readonly Observation[] {
  const sent = sendsReport(jobId, state, given);
  return [sent, { ...sent, kind: 'report' }];
}

// ── Scales and webhooks ──────────────────────────────────────────────────────────────────────────────

export function scale(key = 's', given: Partial<SeenScale> = {}): SeenScale {
  return { key, deviceName: 'Scale', vendor: 'DYMO', vendorId: 1, productId: 2, port: 'usb', ...given };
}

export function hasScales(computerId: number, ...scales: readonly SeenScale[]): readonly Observation[] {
  const one = { atMs: UNSAID, computerId, scales };
  return [
    { kind: 'scales-sent', ...one },
    { kind: 'scales', ...one },
  ];
}

/** A reading on its way; `weighed` is when it is acknowledged. */
export function weighs(grams: number, scaleKey = 's', computerId = 1): SeenReading {
  const mass = [grams * 1e6, 1e6];
  const measurement = { g: grams * 1e9 };
  const reading = { scaleKey, mass, measurement, clientReportedCreateTimestamp: time(grams * 1_000) };
  return { kind: 'reading-sent', atMs: UNSAID, computerId, reading };
}

export function weighed(sent: SeenReading): SeenReading {
  return { ...sent, kind: 'reading' };
}

export function notifies(given: Partial<SeenWebhookRequest> = {}): SeenWebhookRequest {
  const times = { atMs: UNSAID, endedMs: UNSAID };
  return {
    kind: 'webhook',
    url: 'http://hook',
    secret: 's',
    values: [],
    events: [],
    answer: 'good',
    ...times,
    ...given,
  };
}
