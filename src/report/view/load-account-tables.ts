/**
 * Tables of a load run about what is accounted for: jobs, webhook events, chaos events, accounts and machines.
 */

import { formatDuration, formatMicroseconds } from '../../common/duration.ts';
import type { LoadRecord } from '../../record/load-record.ts';
import { LEDGER_STAMPS } from '../../record/words.ts';
import { eventClasses, jobClasses, strayKinds, type ClassCount } from './load-words.ts';
import type { RowView, TableView, Tone } from './run-view.ts';
import { numbers, row, words } from './load-request-tables.ts';

const MOST_ACCOUNTS = 20;
const MOST_SLOWEST = 10;

/** Jobs, the slowest of them, webhook events, chaos events, accounts and machines. */
export function accountTables(record: LoadRecord): readonly TableView[] {
  return [
    jobTable(record),
    slowestTable(record),
    ...webhookTables(record),
    chaosTable(record),
    accountTable(record),
    machineTable(record),
  ];
}

function jobTable(record: LoadRecord): TableView {
  const { totals } = record.ledger;
  const asides: readonly (readonly [string, number, string, Tone])[] = [
    ['redelivered', totals.redelivered, 'delivered more than once, but printed once', 'quiet'],
    ['unreported', totals.unreported, 'printed, whose report the service never acknowledged', 'bad'],
    ['clashes', totals.clashes, 'job ids that two submissions were given', 'bad'],
  ];
  return {
    title: 'What became of the jobs',
    note: 'Each job is in exactly one class, judged by the paper that came out. The classes add up to the jobs.',
    columns: [...words('Class'), ...numbers('jobs'), ...words('meaning')],
    rows: [
      ...classRows(jobClasses(record)),
      row(['all jobs', totals.intents, 'the sum of the classes']),
      ...asides
        .filter(([, count]) => count > 0)
        .map(([name, count, meaning, tone]) => row([`besides: ${name}`, count, meaning], tone)),
    ],
  };
}

function classRows(counted: readonly ClassCount[]): readonly RowView[] {
  return counted.map(({ name, count, phrase, isFault }) =>
    row([name, count, phrase], count === 0 ? 'quiet' : isFault ? 'bad' : 'plain'),
  );
}

function slowestTable({ ledger: { samples } }: LoadRecord): TableView {
  return {
    title: 'The slowest jobs that went well',
    note: 'How long after its due time each job reached these points.',
    columns: [...words('Job'), ...numbers('account', 'printer', ...LEDGER_STAMPS)],
    rows: samples
      .filter((sample) => sample.class === 'delivered-once')
      .slice(0, MOST_SLOWEST)
      .map(({ jobId, account, printer, intendedUs, stamps }) =>
        row([
          jobId ?? 'without an id',
          account + 1,
          printer + 1,
          ...LEDGER_STAMPS.map((stamp) => since(intendedUs, stamps[stamp])),
        ]),
      ),
  };
}

function since(dueUs: number, atUs: number | undefined): string {
  return atUs === undefined ? '' : formatMicroseconds(Math.max(0, atUs - dueUs));
}

function webhookTables({ webhooks }: LoadRecord): readonly TableView[] {
  if (webhooks === null) return [];
  const strays = classRows(strayKinds(webhooks).filter(({ count }) => count > 0));
  return [
    {
      title: 'What became of webhook events',
      note: 'All events that were owed or came.',
      columns: [...words('Class'), ...numbers('events'), ...words('meaning')],
      rows: [
        ...classRows(eventClasses(webhooks)),
        row(['all events', webhooks.events, 'the sum of the classes']),
        ...strays.map(({ cells: [name = '', ...rest], tone }) => row([`besides: ${name}`, ...rest], tone)),
      ],
    },
    {
      title: "The service's counters beside what its receivers saw",
      note: '',
      columns: [...words('Counter'), ...numbers('service', 'receivers'), ...words('')],
      rows: webhooks.reconciliation.map(({ counter, service, seen, agrees }) =>
        row([counter, service, seen, agrees ? 'agrees' : 'differs'], agrees ? 'good' : 'bad'),
      ),
    },
  ];
}

function chaosTable({ disasters }: LoadRecord): TableView {
  return {
    title: 'Chaos events',
    isBrief: true,
    note: 'Recovered: every computer is connected again, and no more jobs wait than before.',
    columns: [
      ...words('Event'),
      ...numbers('at', 'computers hit', 'fewest connected', 'most jobs waiting', 'recovered after'),
    ],
    rows: disasters.map(({ what, atMs, hit, lowestConnected, mostBacklog, recoveredMs }) =>
      row(
        [
          what,
          formatDuration(atMs),
          hit,
          lowestConnected,
          mostBacklog,
          recoveredMs === null ? 'not before the end' : formatDuration(recoveredMs),
        ],
        recoveredMs === null ? 'odd' : 'plain',
      ),
    ),
  };
}

function accountTable({ fairness }: LoadRecord): TableView {
  const accounts = fairness?.accounts ?? [];
  const shown = accounts
    .toSorted((one, other) => shareOf(one) - shareOf(other) || other.meanResponseUs - one.meanResponseUs)
    .slice(0, MOST_ACCOUNTS);
  return {
    title: 'Accounts side by side',
    note:
      `Jain's index of fairness is ${(fairness?.jainIndex ?? 1).toFixed(4)}: 1 where each account gets the same share of what it asks for. ` +
      (shown.length < accounts.length
        ? `The ${shown.length} of ${accounts.length} accounts that got least.`
        : 'Those that got least come first.'),
    columns: [...words('Account'), ...numbers('asked', 'served', 'share', 'mean response')],
    rows: shown.map((one) =>
      row([
        one.account + 1,
        one.asked,
        one.served,
        `${(shareOf(one) * 100).toFixed(1)} %`,
        one.served === 0 ? '' : formatMicroseconds(one.meanResponseUs),
      ]),
    ),
  };
}

function shareOf({ asked, served }: { readonly asked: number; readonly served: number }): number {
  return asked === 0 ? 1 : served / asked;
}

function machineTable({ workers = [], losses = [] }: LoadRecord): TableView {
  return {
    title: 'Machines',
    note: 'Which machine played which shard, how far its clock differed from the coordinator’s, and how late it began.',
    columns: [...words('Machine'), ...numbers('shard', 'clock', 'round trip', 'late'), ...words('finding')],
    rows: workers.map(({ name, shard, clockOffsetMs, roundTripMs, startLateMs, finding }) =>
      row(
        [name, shard, signed(clockOffsetMs), signed(roundTripMs), signed(startLateMs), finding],
        finding === '' ? 'plain' : losses.some((loss) => loss.shard === shard) ? 'odd' : 'bad',
      ),
    ),
  };
}

function signed(ms: number | null): string {
  return ms === null ? 'not known' : `${Number(ms.toFixed(1))} ms`;
}
