/**
 * Mutants of scales, of their websocket, and of documents behind a URI.
 */

import { request as fetchOnce } from 'undici';

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/spec/clauses.ts';
import { SECOND_KEY } from '../support/running-service.ts';
import type { Meddle, PassingAnswer, Rewrite } from './meddling-proxy.ts';
import { instead, jsonOf, refuse, status } from './mutant-tools.ts';
import { basicOf, json, type Mutant } from './mutants.ts';

type Reading = Record<string, unknown> & {
  readonly mass: readonly (number | null)[];
  readonly measurement: Record<string, number>;
  readonly deviceNum: number;
  readonly ageOfData: number;
};

const LISTS = /^GET \/computer\/\d+\/scales/;
const LIST = /^GET \/computer\/\d+\/scales$/;
const NAMED = /^GET \/computer\/\d+\/scales\//;
const ONE = /^GET \/computer\/\d+\/scale\//;
const SIMULATED = /^GET \/computer\/0\/scale\//;
const SIMULATE = /^PUT \/scale$/;
const SUBMIT = /^POST \/printjobs$/;

const aboutOf = ({ method, path }: PassingAnswer): string => `${method} ${path}`;

/** Every reading in every answer, changed. */
const each = (change: (reading: Reading) => object): Meddle =>
  json(/^GET \/computer\/\d+\/scale/, (value: Reading | Reading[]) =>
    Array.isArray(value) ? value.map(change) : change(value),
  );

const mistyped = (field: string, clause: ClauseId, value: unknown): Mutant => ({
  name: `${field} of scale data is ${JSON.stringify(value)}`,
  clause,
  meddle: each((reading) => ({ ...reading, [field]: value })),
});

/** What is there no more is answered as it was. */
function remembering(pattern: RegExp, key: (answer: PassingAnswer) => string = ({ path }) => path): Meddle {
  const known = new Map<string, string>();
  return (answer) => {
    if (!pattern.test(aboutOf(answer))) return undefined;
    const isThere = answer.status === 200 && answer.body !== '[]';
    if (isThere) known.set(key(answer), answer.body);
    const body = known.get(key(answer));
    return isThere || body === undefined ? undefined : { status: 200, body };
  };
}

/** The first answer to a path, for ever. */
function frozen(pattern: RegExp): Meddle {
  const known = new Map<string, string>();
  return (answer) => {
    if (!pattern.test(aboutOf(answer)) || answer.status !== 200 || answer.body === '[]') return undefined;
    const body = known.get(answer.path) ?? answer.body;
    known.set(answer.path, body);
    return { body };
  };
}

/** Lists show every reading there ever was. */
function everything(): Meddle {
  const seen = new Map<string, Reading>();
  return json(LIST, (readings: Reading[]) => {
    for (const reading of readings) seen.set(JSON.stringify(reading.mass), reading);
    return [...seen.values()];
  });
}

const retained = (ms: number): Partial<ServiceRules> => ({
  isReadingRetained: (createdMs, nowMs) => nowMs - createdMs < ms,
});

/** Forgets a scale 45 seconds after its first reading that was looked at. */
function fromTheFirst(): Partial<ServiceRules> {
  let firstMs: number | undefined;
  return {
    isReadingRetained: (createdMs, nowMs) => {
      firstMs ??= createdMs;
      return SERVICE_RULES.isReadingRetained(firstMs, nowMs);
    },
  };
}

const asStranger = (pattern: RegExp): Rewrite =>
  instead(pattern, ({ headers }) => ({
    headers: headers.map((value, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'authorization' ? basicOf(SECOND_KEY) : value,
    ),
  }));

const isEmpty = ({ body }: PassingAnswer): boolean => body === '[]';
const hasNoData = (answer: PassingAnswer): boolean => answer.status === 404;

/** Bytes on their way to a client, another text of the same length in place of one. */
const inFrames =
  (text: string, replacement: string) =>
  (bytes: Buffer): Buffer => {
    const at = bytes.indexOf(text);
    if (at === -1) return bytes;
    const changed = Buffer.from(bytes);
    changed.write(replacement.padEnd(text.length), at, 'latin1');
    return changed;
  };

const submits =
  (contentType: string) =>
  ({ request }: PassingAnswer): boolean =>
    request.body.includes(`"${contentType}"`);

/** Looks at the document of each job. */
const curious: Meddle = async ({ method, path, request }) => {
  if (method !== 'POST' || path !== '/printjobs') return undefined;
  const { content } = { ...(jsonOf(request) as { readonly content?: string } | undefined) };
  if (content?.startsWith('http://127.0.0.1')) await (await fetchOnce(content)).body.dump();
  return undefined;
};

const acceptJob: Meddle = (answer) =>
  SUBMIT.test(aboutOf(answer)) && answer.status === 400 ? { status: 201, body: '1' } : undefined;

export const SCALE_MUTANTS: readonly Mutant[] = [
  // Paths
  { name: 'scales are wrapped', clause: 'scales/list', meddle: json(LIST, (scales) => ({ scales })) },
  { name: 'an empty list is a 404', clause: 'scales/list-empty', meddle: status(LIST, 404, isEmpty) },
  {
    name: 'unknown computers are a 404',
    clause: 'scales/list-any-computer',
    meddle: status(LIST, 404, isEmpty),
  },
  {
    name: 'foreign computers are a 403',
    clause: 'scales/list-foreign-computer',
    meddle: refuse(LIST, isEmpty),
  },
  { name: 'foreign data is shown', clause: 'scales/list-foreign-data', rewrite: asStranger(LISTS) },
  { name: 'a list is a history', clause: 'scales/list-most-recent', meddle: everything() },
  { name: 'lists of a name are not there', clause: 'scales/list-by-name', meddle: refuse(NAMED) },
  {
    name: 'names are ignored',
    clause: 'scales/list-by-name-only',
    rewrite: instead(NAMED, ({ path }) => ({ path: path.split('/').slice(0, 4).join('/') })),
  },
  {
    name: 'unknown names are a 404',
    clause: 'scales/list-by-name-empty',
    meddle: status(NAMED, 404, isEmpty),
  },
  {
    name: 'one scale is a list of one',
    clause: 'scales/read-one',
    meddle: json(ONE, (reading) => [reading]),
  },
  { name: 'one scale shows its first reading', clause: 'scales/read-one-most-recent', meddle: frozen(ONE) },
  {
    name: 'a scale without data is null',
    clause: 'scales/read-one-missing-404',
    meddle: status(ONE, 200, hasNoData, 'null'),
  },
  {
    name: 'the 404 of a scale is bare',
    clause: 'errors/scale-not-found',
    meddle: status(ONE, 404, hasNoData, '{}'),
  },
  {
    name: 'names with a slash are not found',
    clause: 'scales/device-name-encoded',
    meddle: refuse(ONE, ({ path }) => /%2f/i.test(path)),
  },

  // Retention
  { name: 'readings are kept 46 seconds', clause: 'limits/scale-retention', rules: retained(46_000) },
  {
    name: 'readings are kept 44 seconds',
    clause: 'limits/scale-retention-not-early',
    rules: retained(44_000),
  },
  { name: 'lists keep readings', clause: 'scales/retention-lists', rules: retained(90_000) },
  {
    name: 'the 45 seconds run from the first reading',
    clause: 'scales/retention-renewed',
    rules: fromTheFirst(),
  },
  {
    name: 'the simulated reading stays',
    clause: 'scales/simulate-retention',
    meddle: remembering(SIMULATED),
  },

  // The object
  mistyped('mass', 'scales/field-mass', 779_000_000),
  mistyped('computerId', 'scales/field-computer-id', 4_711),
  mistyped('vendor', 'scales/field-vendor', null),
  mistyped('vendorId', 'scales/field-vendor-id', '0x0922'),
  mistyped('productId', 'scales/field-product-id', null),
  mistyped('port', 'scales/field-port', 1),
  mistyped('deviceName', 'scales/field-device-name', null),
  mistyped('deviceNum', 'scales/field-device-num', '0'),
  mistyped('count', 'scales/field-count', 1),
  mistyped('measurement', 'scales/field-measurement', '779 g'),
  mistyped('clientReportedCreateTimestamp', 'scales/field-client-reported-create-timestamp', 1_767_225_600),
  mistyped('ntpOffset', 'scales/field-ntp-offset', 0),
  mistyped('ageOfData', 'scales/field-age-of-data', null),
  {
    name: 'ages in seconds',
    clause: 'scales/field-age-of-data',
    meddle: each((one) => ({ ...one, ageOfData: Math.round(one.ageOfData / 1_000) })),
  },
  {
    name: 'keys with null are left out',
    clause: 'scales/fields-always-present',
    meddle: each((one) => ({ ...one, ntpOffset: undefined })),
  },

  // Weights
  {
    name: 'masses in whole grams',
    clause: 'scales/mass-micrograms',
    meddle: each((one) => ({ ...one, mass: [Math.round(Number(one.mass[0]) / 1e6) * 1e6, one.mass[1]] })),
  },
  {
    name: 'an unknown resolution is 0',
    clause: 'scales/mass-resolution',
    meddle: each((one) => ({ ...one, mass: [one.mass[0], one.mass[1] ?? 0] })),
  },
  {
    name: 'masses in 32 bits',
    clause: 'scales/mass-beyond-32-bits',
    meddle: each((one) => ({ ...one, mass: [Number(one.mass[0]) | 0, one.mass[1]] })),
  },
  {
    name: 'a negative weight is 0',
    clause: 'scales/mass-null-unweighable',
    meddle: each((one) => ({ ...one, mass: [one.mass[0] ?? 0, one.mass[1]] })),
  },
  {
    name: 'units in words',
    clause: 'scales/measurement-units',
    meddle: each((one) => ({ ...one, measurement: { gram: one.measurement['g'] } })),
  },
  {
    name: 'measurements in units',
    clause: 'scales/measurement-billionths',
    meddle: each((one) => ({ ...one, measurement: { g: Number(one.measurement['g']) / 1e9 } })),
  },
  {
    name: 'the first part of a measurement alone',
    clause: 'scales/measurement-two-parts',
    meddle: each((one) => ({
      ...one,
      measurement: Object.fromEntries(Object.entries(one.measurement).slice(0, 1)),
    })),
  },
  {
    name: 'a gram is taken for an ounce',
    clause: 'scales/measurement-equals-mass',
    meddle: each((one) => ({ ...one, measurement: { oz: Number(one.measurement['g']) } })),
  },

  // Numbers
  {
    name: 'numbers begin at 1',
    clause: 'scales/device-num-first-zero',
    meddle: each((one) => ({ ...one, deviceNum: one.deviceNum + 1 })),
  },
  {
    name: 'all scales have the number 0',
    clause: 'scales/device-num-smallest-unused',
    meddle: each((one) => ({ ...one, deviceNum: 0 })),
  },
  {
    name: 'freed numbers are not used again',
    clause: 'scales/device-num-freed',
    meddle: each((one) => (one['port'] === 'port of fourth' ? { ...one, deviceNum: 3 } : one)),
  },

  // The simulated scale
  { name: 'PUT /scale is not there', clause: 'scales/simulate', meddle: refuse(SIMULATE) },
  { name: 'PUT /scale forgets', clause: 'scales/simulate-queryable', meddle: refuse(SIMULATED) },
  mistyped('deviceName', 'scales/simulate-device-name', 'Virtual Scale'),
  mistyped('deviceNum', 'scales/simulate-device-num', 1),
  mistyped('computerId', 'scales/simulate-computer-zero', 1),
  {
    name: 'the simulated reading is one for all',
    clause: 'scales/simulate-per-account',
    meddle: remembering(SIMULATED),
  },

  // The websocket
  {
    name: 'there is no websocket',
    clause: 'scales/websocket',
    rewriteUpgrade: (path) => path.replace('/ws/', '/no-ws/'),
  },
  {
    name: 'the simulated reading is not published',
    clause: 'scales/simulate-published',
    meddleFrames: inFrames('"deviceName":"Service Test Scale"', '"deviceName":null'),
  },
  {
    name: 'data on the websocket is old',
    clause: 'scales/age-low-on-websocket',
    meddleFrames: inFrames('"ntpOffset":null,"ageOfData":0', '"ageOfData":99999'),
  },
  {
    name: 'data over HTTP has no age',
    clause: 'scales/age-larger-on-http',
    meddle: each((one) => ({ ...one, ageOfData: 0 })),
  },

  // Documents behind a URI
  {
    name: 'pdf_uri is refused',
    clause: 'print-jobs/content-type-pdf-uri',
    meddle: refuse(SUBMIT, submits('pdf_uri')),
  },
  {
    name: 'raw_uri is refused',
    clause: 'print-jobs/content-type-raw-uri',
    meddle: refuse(SUBMIT, submits('raw_uri')),
  },
  {
    name: 'large documents are refused',
    clause: 'limits/uri-document-unlimited',
    meddle: status(SUBMIT, 413, ({ request }) => request.body.includes('/large')),
  },
  {
    name: 'the service looks at documents',
    clause: 'print-jobs/uri-not-fetched-by-service',
    meddle: curious,
  },
  {
    name: 'credentials change on the way',
    clause: 'print-jobs/body-authentication',
    meddleFrames: inFrames('"user":"check"', '"user":"chick"'),
  },
  {
    name: 'any type of authentication',
    clause: 'print-jobs/document-authentication-type',
    meddle: acceptJob,
  },
  { name: 'any credentials', clause: 'print-jobs/document-authentication-credentials', meddle: acceptJob },
];
