/**
 * Mutants of scales, of their websocket, and of documents behind a URI.
 */

import { request as fetchOnce } from 'undici';
import { broken, inAnswers, inRequests, inRules, onLink, type Mutant } from './mutant.ts';

import { datetimeMs } from '../../src/common/timestamp.ts';
import type { LinkSession } from '../../src/link/device-link.ts';
import type { ScaleReport } from '../../src/link/messages.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/specification/clauses.ts';
import type { Meddle, PassingAnswer } from './meddling-proxy.ts';
import { asStranger, instead, jsonOf, refuse, status } from './mutant-tools.ts';
import { json } from './mutants.ts';

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

const mistyped = (field: string, clause: ClauseId, value: unknown): Mutant =>
  inAnswers(
    clause,
    `${field} of scale data is ${JSON.stringify(value)}`,
    each((reading) => ({ ...reading, [field]: value })),
  );

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

/** The first scale of a name keeps its number with another name. */
function renamedKeepTheirs(): Pick<Mutant, 'link' | 'meddle'> {
  const renamed = new Set<unknown>();
  return {
    link: {
      session(session) {
        const names = new Map<string, string>();
        return {
          reportScales(scales: readonly ScaleReport[]) {
            for (const { key, deviceName, port } of scales) {
              if ((names.get(key) ?? deviceName) !== deviceName) renamed.add(port);
              names.set(key, deviceName);
            }
            return session.reportScales(scales);
          },
        };
      },
    },
    meddle: each((one) => (renamed.has(one['port']) ? { ...one, deviceNum: 0 } : one)),
  };
}

type Forgetful = (forget: () => void, session: LinkSession) => Partial<LinkSession>;

function untilItIsBack(): Forgetful {
  const known = new Set<number>();
  return (forget, { computerId }) => {
    if (known.has(computerId)) forget();
    known.add(computerId);
    return {};
  };
}

/** What a service may take for the end of readings. */
const FORGETFUL: Readonly<Record<string, Forgetful>> = {
  'scales of a computer that comes back are forgotten': untilItIsBack(),
  'an unplugged scale is forgotten': (forget, session) => ({
    reportScales: (scales) => {
      if (scales.length === 0) forget();
      return session.reportScales(scales);
    },
  }),
  'scales of a computer that leaves are forgotten': (forget, session) => ({
    close: () => {
      forget();
      return session.close();
    },
  }),
};

/** Shows a scale no more after something that its computer did. */
function forgetting(name: string, changes: Forgetful): Mutant {
  const forgotten = new Set<number>();
  return {
    name,
    clause: 'limits/scale-retention-not-early',
    link: { session: (session) => changes(() => forgotten.add(session.computerId), session) },
    meddle: refuse(ONE, ({ path }) => forgotten.has(Number(path.split('/')[2]))),
  };
}

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

/** Readings of so many grams are those of another scale. */
const unheard = (...grams: readonly number[]): Mutant['meddleFrames'] =>
  grams
    .map((weight) => inFrames(`"mass":[${weight}000000,`, `"mass":[${weight}000001,`))
    .reduce((one, other) => (bytes) => other(one(bytes)));

/** What is not published, and what the check weighs there. */
const DEAF: Readonly<Record<string, Mutant['meddleFrames']>> = {
  'readings of a Child Account are not published': unheard(150),
  'readings of a second computer are not published': unheard(200),
  'readings of a computer that comes back are not published': unheard(300),
  'the second scale of a name is not published': inFrames('.scales.Plain.1"],[0,', '.scales.Plain.1"],[9,'),
  'a scale with an odd name cannot be followed': unheard(600, 700),
};

/** As a service may that looks names up in one form of Unicode. */
const inOneForm = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment).normalize()))
    .join('/');

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
  inAnswers(
    'scales/list',
    'scales are wrapped',
    json(LIST, (scales) => ({ scales })),
  ),
  inAnswers('scales/list-empty', 'an empty list is a 404', status(LIST, 404, isEmpty)),
  inAnswers('scales/list-any-computer', 'unknown computers are a 404', status(LIST, 404, isEmpty)),
  inAnswers('scales/list-foreign-computer', 'foreign computers are a 403', refuse(LIST, isEmpty)),
  inRequests('scales/list-foreign-data', 'foreign data is shown', asStranger(LISTS)),
  inAnswers('scales/list-most-recent', 'a list is a history', everything()),
  inAnswers('scales/list-by-name', 'lists of a name are not there', refuse(NAMED)),
  inRequests(
    'scales/list-by-name-only',
    'names are ignored',
    instead(NAMED, ({ path }) => ({ path: path.split('/').slice(0, 4).join('/') })),
  ),
  inAnswers('scales/list-by-name-empty', 'unknown names are a 404', status(NAMED, 404, isEmpty)),
  inAnswers(
    'scales/read-one',
    'one scale is a list of one',
    json(ONE, (reading) => [reading]),
  ),
  inAnswers('scales/read-one-most-recent', 'one scale shows its first reading', frozen(ONE)),
  inAnswers('scales/read-one-missing-404', 'a scale without data is null', status(ONE, 200, hasNoData, 'null')),
  inAnswers('errors/scale-not-found', 'the 404 of a scale is bare', status(ONE, 404, hasNoData, '{}')),
  inAnswers('scales/read-one', 'numbers have one digit', status(/^GET \/computer\/\d+\/scale\/.*\/\d\d$/, 404)),
  inRequests(
    'scales/device-name-encoded',
    'accents become one with their letters',
    instead(/^GET \/computer\/\d+\/scale/, ({ path }) => ({ path: inOneForm(path) })),
  ),
  inAnswers(
    'scales/device-name-encoded',
    'names with a slash are not found',
    refuse(ONE, ({ path }) => /%2f/i.test(path)),
  ),

  // Retention
  inRules('limits/scale-retention', 'readings are kept 46 seconds', retained(46_000)),
  inRules('limits/scale-retention-not-early', 'readings are kept 44 seconds', retained(44_000)),
  inRules('scales/retention-lists', 'lists keep readings', retained(90_000)),
  inRules('scales/retention-renewed', 'the 45 seconds run from the first reading', fromTheFirst()),
  ...Object.entries(FORGETFUL).map(([name, session]) => forgetting(name, session)),
  inRules('scales/simulate-retention', 'the 45 seconds of PUT /scale run from the first one', fromTheFirst()),
  inAnswers('scales/simulate-retention', 'the simulated reading stays', remembering(SIMULATED)),

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
  onLink('scales/field-client-reported-create-timestamp', 'readings are dated by the service', {
    session: (session) => ({
      publishReading: (reading) =>
        session.publishReading({
          ...reading,
          clientReportedCreateTimestamp: new Date(
            (datetimeMs(reading.clientReportedCreateTimestamp) ?? 0) + 5_000,
          ).toISOString(),
        }),
    }),
  }),
  inAnswers(
    'scales/field-age-of-data',
    'ages in seconds',
    each((one) => ({ ...one, ageOfData: Math.round(one.ageOfData / 1_000) })),
  ),
  inAnswers(
    'scales/field-age-of-data',
    'data of one name has no age',
    json(NAMED, (readings: Reading[]) => readings.map((one) => ({ ...one, ageOfData: 0 }))),
  ),
  inAnswers(
    'service/text-unharmed',
    'vendors lose the blanks at their ends',
    each((one) => ({ ...one, vendor: String(one['vendor']).trim() })),
  ),
  inAnswers(
    'service/text-unharmed',
    'vendors lose what is outside Latin-1',
    each((one) => ({ ...one, vendor: String(one['vendor']).replaceAll(/[^ -\xff]/gu, '?') })),
  ),
  inAnswers(
    'scales/fields-always-present',
    'keys with null are left out',
    each((one) => ({ ...one, ntpOffset: undefined })),
  ),

  // Weights
  inAnswers(
    'scales/mass-micrograms',
    'masses in whole grams',
    each((one) => ({ ...one, mass: [Math.round(Number(one.mass[0]) / 1e6) * 1e6, one.mass[1]] })),
  ),
  inAnswers(
    'scales/mass-resolution',
    'an unknown resolution is 0',
    each((one) => ({ ...one, mass: [one.mass[0], one.mass[1] ?? 0] })),
  ),
  inAnswers(
    'scales/mass-resolution',
    'without a mass there is no resolution',
    each((one) => ({ ...one, mass: one.mass[0] === null ? [null, null] : one.mass })),
  ),
  inAnswers(
    'scales/mass-beyond-32-bits',
    'masses in 32 bits',
    each((one) => ({ ...one, mass: [Number(one.mass[0]) | 0, one.mass[1]] })),
  ),
  inAnswers(
    'scales/mass-null-unweighable',
    'a negative weight is 0',
    each((one) => ({ ...one, mass: [one.mass[0] ?? 0, one.mass[1]] })),
  ),
  inAnswers(
    'scales/measurement-units',
    'units in words',
    each((one) => ({ ...one, measurement: { gram: one.measurement['g'] } })),
  ),
  inAnswers(
    'scales/measurement-billionths',
    'measurements in units',
    each((one) => ({ ...one, measurement: { g: Number(one.measurement['g']) / 1e9 } })),
  ),
  inAnswers(
    'scales/measurement-billionths',
    'negative measurements lose their sign',
    each((one) => ({
      ...one,
      measurement: Object.fromEntries(
        Object.entries(one.measurement).map(([unit, billionths]) => [unit, Math.abs(billionths)]),
      ),
    })),
  ),
  inAnswers(
    'scales/measurement-two-parts',
    'the first part of a measurement alone',
    each((one) => ({
      ...one,
      measurement: Object.fromEntries(Object.entries(one.measurement).slice(0, 1)),
    })),
  ),
  inAnswers(
    'scales/measurement-equals-mass',
    'a gram is taken for an ounce',
    each((one) => ({ ...one, measurement: { oz: Number(one.measurement['g']) } })),
  ),

  // Numbers
  inAnswers(
    'scales/device-num-first-zero',
    'numbers begin at 1',
    each((one) => ({ ...one, deviceNum: one.deviceNum + 1 })),
  ),
  inAnswers(
    'scales/device-num-smallest-unused',
    'all scales have the number 0',
    each((one) => ({ ...one, deviceNum: 0 })),
  ),
  inAnswers(
    'scales/device-num-freed',
    'freed numbers are not used again',
    each((one) => (one['port'] === 'port of fourth' ? { ...one, deviceNum: 3 } : one)),
  ),

  broken('scales/device-num-distinguishes', 'a scale that is renamed keeps its number', renamedKeepTheirs()),

  // The simulated scale
  inAnswers('scales/simulate', 'PUT /scale is not there', status(SIMULATE, 404)),
  inAnswers('scales/simulate-queryable', 'PUT /scale forgets', refuse(SIMULATED)),
  inAnswers(
    'scales/measurement-equals-mass',
    'the simulated reading takes a milligram for a gram',
    json(SIMULATED, (reading: Reading) => ({
      ...reading,
      measurement: { g: Number(reading.measurement['g']) / 1_000 },
    })),
  ),
  mistyped('deviceName', 'scales/simulate-device-name', 'Virtual Scale'),
  mistyped('deviceNum', 'scales/simulate-device-num', 1),
  mistyped('computerId', 'scales/simulate-computer-zero', 1),
  inAnswers('scales/simulate-per-account', 'the simulated reading is one for all', remembering(SIMULATED)),

  // The websocket
  broken('scales/websocket', 'there is no websocket', {
    rewriteUpgrade: (path) => path.replace('/ws/', '/no-ws/'),
  }),
  ...Object.entries(DEAF).map(([name, meddleFrames]): Mutant => ({ name, clause: 'scales/websocket', meddleFrames })),
  broken('scales/simulate-published', 'the simulated reading is not published', {
    meddleFrames: inFrames('"deviceName":"Service Test Scale"', '"deviceName":null'),
  }),
  broken('scales/simulate-per-account', 'the simulated reading is published to every account', {
    spreadFrames: (bytes) => bytes.includes('"deviceName":"Service Test Scale"'),
  }),
  broken('scales/age-low-on-websocket', 'data on the websocket is old', {
    meddleFrames: inFrames('"ntpOffset":null,"ageOfData":0', '"ageOfData":99999'),
  }),
  inAnswers(
    'scales/age-larger-on-http',
    'data over HTTP has no age',
    each((one) => ({ ...one, ageOfData: 0 })),
  ),

  // Documents behind a URI
  inAnswers('print-jobs/content-type-pdf-uri', 'pdf_uri is refused', refuse(SUBMIT, submits('pdf_uri'))),
  inAnswers('print-jobs/content-type-raw-uri', 'raw_uri is refused', refuse(SUBMIT, submits('raw_uri'))),
  inAnswers(
    'limits/uri-document-unlimited',
    'large documents are refused',
    status(SUBMIT, 413, ({ request }) => request.body.includes('/large')),
  ),
  inAnswers('print-jobs/uri-not-fetched-by-service', 'the service looks at documents', curious),
  broken('print-jobs/body-authentication', 'credentials change on the way', {
    meddleFrames: inFrames('"user":"check"', '"user":"chick"'),
  }),
  inAnswers('print-jobs/document-authentication-type', 'any type of authentication', acceptJob),
  inAnswers('print-jobs/document-authentication-credentials', 'any credentials', acceptJob),
];
