/**
 * Mutants that show with odd values alone: nothing where something was counted on, a time of another zone, a long
 * name, an hour instead of a moment, one more than was thought of.
 */

import { SERVICE_RULES } from '../../src/service/service-rules.ts';
import type { ReadingReport } from '../../src/link/device-link.ts';
import type { PrinterReport, ScaleReport } from '../../src/link/messages.ts';
import type { AskingMeddle, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { inAnswers, inRequests, inRules, onLink, type Mutant } from './mutant.ts';
import { creating, headerOf, instead, isForChild, jsonOf, refuse, sent, status } from './mutant-tools.ts';
import { json } from './mutants.ts';
import { eachReading } from './value-mutants.ts';

type Fields = Record<string, unknown>;

const SUBMIT = /^POST \/printjobs$/;
const STATES = /^GET \/printjobs\/[\d,]+\/states/;
const PRINTERS = /^GET (\/computers\/[\d,]+)?\/printers/;
const CREATE = /^POST \/account$/;
const CHANGE = /^PATCH \/account$/;
const DAY_S = 86_400;
const NAME_MOST = 64;
/** What bcrypt takes. */
const PASSWORD_MOST = 72;
const MANY = 20;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** A time keeps its digits and loses its zone. */
const withoutZone = (time: string): string => time.replace(/[+-]\d\d:\d\d$/, 'Z');

const eachPrinter = (change: (printer: Fields) => Fields): ReturnType<typeof json> =>
  json(PRINTERS, (printers: Fields[]) => printers.map(change));

/** What becomes of the name of a paper tray. */
const OTHER_BINS: Readonly<Record<string, (bin: string) => string>> = {
  'names of bins lose the blanks around them': (bin) => bin.trim(),
  'a long name of a bin is cut': (bin) => bin.slice(0, NAME_MOST),
};

function withBins(change: (bin: string) => string): (printer: PrinterReport) => PrinterReport {
  return ({ capabilities, ...printer }) => {
    const bins = (capabilities?.['bins'] ?? []) as readonly string[];
    return { ...printer, capabilities: capabilities && { ...capabilities, bins: bins.map(change) } };
  };
}

/** Forgets all but a few of the jobs that are due in one millisecond until much later. */
function fewExpireAtOnce(most: number): Pick<typeof SERVICE_RULES, 'expiryMs'> {
  const due = new Map<number, number>();
  return {
    expiryMs(createdMs, expireAfter) {
      const atMs = SERVICE_RULES.expiryMs(createdMs, expireAfter);
      const count = (due.get(atMs) ?? 0) + 1;
      due.set(atMs, count);
      return count > most ? atMs + 86_400_000 : atMs;
    },
  };
}

/** No wait is longer than this. */
function keptAtMost(seconds: number): Pick<typeof SERVICE_RULES, 'expiryMs'> {
  return {
    expiryMs: (createdMs, expireAfter) =>
      SERVICE_RULES.expiryMs(createdMs, expireAfter === undefined ? undefined : Math.min(expireAfter, seconds)),
  };
}

/** In a list of more than a page, `after` is among the records that come after it. */
const afterIsIncluded: AskingMeddle = async ({ method, path, asked, headers }, ask) => {
  const total = headers[headers.findIndex((name) => name.toLowerCase() === 'records-total') + 1];
  if (!/^\/(computers|printers)\?.*dir=asc.*after=\d/.test(path) || Number(total) <= 100) return undefined;
  const from = path.replace(/after=(\d+)/, (_, after: string) => `after=${Number(after) - 1}`);
  const { body } = await ask({ method, path: from, headers: asked.headers });
  return { body };
};

/** Without an enabled version, any version is offered. */
const offeringDisabled: AskingMeddle = async (answer, ask) => {
  const [, os] = /^\/download\/clients\/([a-z]+)$/.exec(answer.path) ?? [];
  if (os === undefined || answer.status !== 404) return undefined;
  const { body } = await ask({ method: 'GET', path: '/download/clients', headers: answer.asked.headers });
  const one = (JSON.parse(body) as readonly Fields[]).find((record) => record['os'] === os);
  return one && { status: 200, body: JSON.stringify(one) };
};

/** Bodies that were sent like this are read as something else. */
const misread =
  (isOdd: (request: PassingRequest) => boolean, as: (body: string) => string): Rewrite =>
  (request) =>
    isOdd(request) && request.body.length > 0 ? { body: as(request.body.toString('utf8')) } : undefined;

const lowerCaseEmail = (fields: Fields): Fields => ({
  ...fields,
  ...(typeof fields['email'] === 'string' && { email: fields['email'].toLowerCase() }),
});

const isLong = ({ password }: Fields): boolean =>
  typeof password === 'string' && Buffer.byteLength(password) > PASSWORD_MOST;

/** Ages of states count from the first job of the answer. */
function fromTheFirstJob(histories: readonly (readonly Fields[])[]): unknown {
  const born = Date.parse(String(histories[0]?.[0]?.['createTimestamp']));
  return histories.map((history) =>
    history.map((state) => ({ ...state, age: Date.parse(String(state['createTimestamp'])) - born })),
  );
}

export const ODDITY_MUTANTS: readonly Mutant[] = [
  inRequests(
    'service/json-bodies',
    'an escaped pair of surrogates is a question mark',
    misread(
      ({ body }) => /\\ud83/i.test(body.toString('latin1')),
      (body) => body.replaceAll(/\\ud83.\\ud[c-f]../gi, '?'),
    ),
  ),
  inRequests(
    'service/json-bodies',
    'what comes in chunks is not read',
    misread(
      (request) => headerOf(request, 'transfer-encoding') !== undefined,
      () => '',
    ),
  ),
  inRequests(
    'service/json-bodies',
    'a charset makes a text of JSON',
    misread(
      (request) => /charset/.test(headerOf(request, 'content-type') ?? ''),
      (body) => JSON.stringify(body),
    ),
  ),
  inAnswers('authentication/required-everywhere', 'HEAD needs no key', status(/^HEAD /, 200)),
  inAnswers(
    'authentication/required-everywhere',
    'a path that ends with a slash needs no key',
    status(/^GET \/computers\/$/, 200),
  ),
  inAnswers(
    'service/no-5xx-on-bad-input',
    'a parameter that comes twice brings the service down',
    status(/^GET \/printjobs\?limit=5&limit=6/, 500),
  ),
  inAnswers('service/no-5xx-on-bad-input', 'a broken escape brings the service down', status(/%E0%A4%A/, 500)),
  inAnswers(
    'service/form-bodies',
    'no forms with a charset',
    refuse(/^(POST|PATCH) /, ({ request }) => /form.*charset/.test(headerOf(request, 'content-type') ?? '')),
  ),
  inAnswers(
    'accounts/update',
    'PATCH /account wants something to change',
    refuse(CHANGE, ({ request }) => request.body.toString() === '{}'),
  ),
  inAnswers(
    'accounts/tag-name-dot-dash-underscore',
    'a tag name begins with a letter or a digit',
    refuse(/^POST \/account\/tag\/[^A-Za-z0-9]/),
  ),
  inRequests(
    'accounts/tag-name-other-refused',
    'a tag name may end with a line break',
    instead(/^POST \/account\/tag\//, ({ path }) => ({ path: path.replace(/%0A$/, '') })),
  ),
  inRequests('accounts/create-email', 'an email is kept in lower case', creating(lowerCaseEmail)),
  inRequests('accounts/update-email', 'a new email is kept in lower case', sent(CHANGE, lowerCaseEmail)),
  inRequests(
    'accounts/update-lastname',
    'of several fields one is changed',
    sent(CHANGE, (fields: Fields) => Object.fromEntries(Object.entries(fields).slice(0, 1))),
  ),
  inAnswers(
    'accounts/create-password-no-complexity',
    'a password has a greatest length',
    refuse(CREATE, ({ request }) => isLong((jsonOf(request) as { Account?: Fields } | undefined)?.Account ?? {})),
  ),
  inAnswers(
    'accounts/update-password',
    'a new password has a greatest length',
    refuse(CHANGE, ({ request }) => isLong((jsonOf(request) as Fields | undefined) ?? {})),
  ),
  inAnswers(
    'accounts/tag-name-letters-digits',
    'a tag called constructor brings the service down',
    status(/^\w+ \/account\/tag\/constructor/, 500),
  ),
  inAnswers(
    'client-downloads/latest-other-refused',
    'a system called constructor brings the service down',
    status(/^GET \/download\/clients?\/constructor/, 500),
  ),
  inAnswers('client-downloads/latest-skips-disabled', 'where none is enabled another is offered', offeringDisabled),
  inAnswers('service/page-after-asc', 'a long list shows the record again that it is to go on after', afterIsIncluded),
  inRules('print-jobs/body-expire-after', 'a job is kept for thirty days at most', keptAtMost(30 * DAY_S)),
  onLink('scales/device-num-smallest-unused', 'a number is free from the next report on', {
    session(session) {
      let last: readonly ScaleReport[] = [];
      return {
        async reportScales(scales: readonly ScaleReport[]) {
          const gone = last.filter(({ key }) => scales.every((one) => one.key !== key));
          last = scales;
          if (gone.length > 0) await session.reportScales([...gone, ...scales]);
          await session.reportScales(scales);
        },
      };
    },
  }),
  inAnswers('limits/request-rate-exceeded', 'a Child is never refused', ({ request, status: code }) =>
    code === 429 && isForChild(request) ? { status: 200, body: '[]' } : undefined,
  ),
  inAnswers(
    'printers/capability-papers',
    'no papers are an empty array',
    eachPrinter(({ capabilities, ...printer }) => {
      const known = capabilities as Fields | null;
      return {
        ...printer,
        capabilities: known && { ...known, papers: isEmpty(known['papers']) ? [] : known['papers'] },
      };
    }),
  ),
  ...Object.entries(OTHER_BINS).map(([name, change]) =>
    onLink('printers/capabilities-as-reported', name, {
      session: (session) => ({
        reportPrinters: (printers: readonly PrinterReport[]) => session.reportPrinters(printers.map(withBins(change))),
      }),
    }),
  ),
  onLink('printers/name-as-reported', 'a long name is cut', {
    session: (session) => ({
      reportPrinters: (printers: readonly PrinterReport[]) =>
        session.reportPrinters(printers.map((one) => ({ ...one, name: one.name.slice(0, NAME_MOST) }))),
    }),
  }),
  inAnswers(
    'computers/create-timestamp-milliseconds',
    'a full second is shown without milliseconds',
    json(/^GET \/computers\/\d+$/, (computers: Fields[]) =>
      computers.map((one) => ({ ...one, createTimestamp: String(one['createTimestamp']).replace('.000Z', 'Z') })),
    ),
  ),
  inAnswers(
    'scales/field-measurement',
    'an empty measurement is an empty array',
    eachReading((one) => ({ ...one, measurement: isEmpty(one['measurement']) ? [] : one['measurement'] })),
  ),
  onLink('scales/field-client-reported-create-timestamp', 'the zone of a reported time is lost', {
    session: (session) => ({
      publishReading: (reading: ReadingReport) =>
        session.publishReading({
          ...reading,
          clientReportedCreateTimestamp: withoutZone(reading.clientReportedCreateTimestamp),
        }),
    }),
  }),
  inAnswers(
    'scales/field-age-of-data',
    'ages begin anew every ten seconds',
    eachReading((one) => ({ ...one, ageOfData: Number(one['ageOfData']) % 10_000 })),
  ),
  inAnswers(
    'scales/mass-micrograms',
    'a mass of 0 is null',
    eachReading((one) => {
      const [mass, resolution] = one['mass'] as readonly unknown[];
      return { ...one, mass: [mass || null, resolution] };
    }),
  ),
  inAnswers(
    'scales/list-by-name',
    'of several scales of a name one is listed',
    json(/^GET \/computer\/\d+\/scales\//, (readings: unknown[]) => readings.slice(0, 1)),
  ),
  onLink('states/create-timestamp-of-client', 'the zone of a reported time is lost', {
    session: (session) => ({
      reportJobState: (report) =>
        session.reportJobState({ ...report, createTimestamp: withoutZone(report.createTimestamp) }),
    }),
  }),
  inAnswers(
    'states/history-kept',
    'a history has six states',
    json(STATES, (histories: unknown[][]) => histories.map((history) => history.slice(-6))),
  ),
  inAnswers(
    'states/history-kept',
    'a long history lacks its middle',
    json(STATES, (histories: unknown[][]) =>
      histories.map((history) => (history.length > 6 ? [history[0], ...history.slice(-5)] : history)),
    ),
  ),
  inAnswers('states/age-of-new-zero', 'ages count from the first job of the answer', json(STATES, fromTheFirstJob)),
  inRules('states/expired', 'of jobs that are due at once twenty expire', fewExpireAtOnce(MANY)),
  inRequests(
    'print-jobs/delete-of-printers',
    'a DELETE looks at the first printer of its set',
    instead(/^DELETE \/printers\//, ({ path }) => ({ path: path.replace(/,[\d,]+(?=\/printjobs)/, '') })),
  ),
  inRequests(
    'print-jobs/body-content',
    'an address is decoded',
    sent(SUBMIT, ({ content, contentType, ...rest }: Fields) => ({
      ...rest,
      contentType,
      content: String(contentType).endsWith('_uri') ? decodeURIComponent(String(content)) : content,
    })),
  ),
];
