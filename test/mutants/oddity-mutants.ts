/**
 * Mutants that show with odd values alone: nothing where something was counted on, a time of another zone, a long
 * name, an hour instead of a moment, one more than was thought of.
 */

import { SERVICE_RULES } from '../../src/service/service-rules.ts';
import type { ReadingReport } from '../../src/link/device-link.ts';
import type { PrinterReport } from '../../src/link/messages.ts';
import { inAnswers, inRequests, inRules, onLink, type Mutant } from './mutant.ts';
import { instead, sent } from './mutant-tools.ts';
import { json } from './mutants.ts';

type Fields = Record<string, unknown>;

const SUBMIT = /^POST \/printjobs$/;
const STATES = /^GET \/printjobs\/[\d,]+\/states/;
const PRINTERS = /^GET (\/computers\/[\d,]+)?\/printers/;
const READINGS = /^GET \/computer\/\d+\/scale/;
const NAME_MOST = 64;
const MANY = 20;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** A time keeps its digits and loses its zone. */
const withoutZone = (time: string): string => time.replace(/[+-]\d\d:\d\d$/, 'Z');

const eachReading = (change: (reading: Fields) => Fields): ReturnType<typeof json> =>
  json(READINGS, (value: Fields | Fields[]) => (Array.isArray(value) ? value.map(change) : change(value)));

const eachPrinter = (change: (printer: Fields) => Fields): ReturnType<typeof json> =>
  json(PRINTERS, (printers: Fields[]) => printers.map(change));

/** Of jobs that are due at one moment, more than a few are forgotten until much later. */
function fewExpireAtOnce(most: number): Pick<typeof SERVICE_RULES, 'expiryMs'> {
  const due = new Map<number, number>();
  return {
    expiryMs(createdMs, expireAfter) {
      const atMs = SERVICE_RULES.expiryMs(createdMs, expireAfter);
      const minute = Math.floor(atMs / 60_000);
      const count = (due.get(minute) ?? 0) + 1;
      due.set(minute, count);
      return count > most ? atMs + 86_400_000 : atMs;
    },
  };
}

/** Ages of states count from the first job of the answer. */
function fromTheFirstJob(histories: readonly (readonly Fields[])[]): unknown {
  const born = Date.parse(String(histories[0]?.[0]?.['createTimestamp']));
  return histories.map((history) =>
    history.map((state) => ({ ...state, age: Date.parse(String(state['createTimestamp'])) - born })),
  );
}

export const ODDITY_MUTANTS: readonly Mutant[] = [
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
