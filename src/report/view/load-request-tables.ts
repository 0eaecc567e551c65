/**
 * Tables of a load run about requests: how long they took, how they ended, and the generator's share of it.
 */

import { formatMicroseconds } from '../../common/duration.ts';
import type { DurationRecord, LoadRecord } from '../../record/load-record.ts';
import { REQUEST_OUTCOMES } from '../../record/words.ts';
import { endedEarly, NEAR_FLOOR, PHASE_WORDS } from './load-words.ts';
import type { RowView, TableView, Tone } from './run-view.ts';

/** Thresholds; how long requests took, and how they ended; the floor; a job, phase by phase. */
export function requestTables(record: LoadRecord): readonly TableView[] {
  return [thresholdTable(record), durationTable(record), outcomeTable(record), floorTable(record), phaseTable(record)];
}

function thresholdTable(record: LoadRecord): TableView {
  const isPart = endedEarly(record);
  const [word, tone] = isPart ? (['kept so far', 'odd'] as const) : (['kept', 'good'] as const);
  return {
    title: 'Thresholds',
    isBrief: true,
    note: `What the scenario demands, and what was measured${isPart ? ' until the run ended early' : ''}.`,
    columns: words('Threshold', 'Measured', ''),
    rows: record.thresholds.map(({ text, measured, kept }) =>
      row([text, measured ?? 'nothing', kept ? word : 'broken'], kept ? tone : 'bad'),
    ),
  };
}

const STATISTICS = [
  ['mean', 'meanUs'],
  ['p50', 'p50Us'],
  ['p90', 'p90Us'],
  ['p95', 'p95Us'],
  ['p99', 'p99Us'],
  ['p99.9', 'p999Us'],
  ['max', 'maxUs'],
] as const;
const STATISTIC_COLUMNS = numbers(...STATISTICS.map(([name]) => name));

/** A percentile is the upper end of its slot in the histogram, which may lie above the longest of all. */
function statisticsOf(duration: DurationRecord): readonly string[] {
  const { count, maxUs } = duration;
  return STATISTICS.map(([, key]) => (count === 0 ? '' : formatMicroseconds(Math.min(duration[key], maxUs))));
}

function durationTable({ streams }: LoadRecord): TableView {
  return {
    title: 'How long requests took',
    isBrief: true,
    note:
      'Response is what a caller waits, from the moment the request was due; service what the target needed once it was asked; ' +
      'lateness how late the generator itself handed it out.',
    columns: [...words('Stream'), ...numbers('count'), ...STATISTIC_COLUMNS],
    rows: streams.flatMap(({ name, response, service, lateness }) => [
      row([`${name}: response`, response.count, ...statisticsOf(response)]),
      row([`${name}: service`, service.count, ...statisticsOf(service)]),
      row([`${name}: lateness`, lateness.count, ...statisticsOf(lateness)], 'quiet'),
    ]),
  };
}

function outcomeTable({ streams, durationMs }: LoadRecord): TableView {
  return {
    title: 'How requests ended',
    isBrief: true,
    note:
      'Limited: 429. Refused: another 3xx or 4xx. Failed: 5xx. Timeout: no answer in time. Broken: the connection failed. ' +
      'Shed: not sent, as too many were under way.',
    columns: [...words('Stream'), ...numbers('requests', 'ok a second', ...REQUEST_OUTCOMES), ...words('status codes')],
    rows: streams.map(({ name, counts, statuses, activeMs = durationMs }) => {
      const all = REQUEST_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
      const codes = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
      return row(
        [name, all, perSecond(counts.ok, activeMs), ...REQUEST_OUTCOMES.map((one) => counts[one]), codes.join(', ')],
        counts.ok === all ? 'plain' : 'odd',
      );
    }),
  };
}

export function perSecond(count: number, activeMs: number): string {
  return activeMs === 0 ? '0' : ((count * 1_000) / activeMs).toFixed(1);
}

function floorTable({ streams, self: { floor }, durationMs }: LoadRecord): TableView {
  const columns = [...words('Service time'), ...numbers('p50', 'p99', 'a second', 'p50 in floors')];
  const title = 'Beside the floor of the generator';
  const note =
    'The floor is the same kind of traffic against a service that does nothing, on the same machine. ' +
    `A result within ${NEAR_FLOOR} times of it is partly that of the generator.`;
  if (floor === null) return { title, note, columns, rows: [] };
  return {
    title,
    note,
    columns,
    rows: [
      ...streams
        .filter(({ service }) => service.count > 0)
        .map(({ name, service, counts, activeMs = durationMs }) => {
          const times = floor.responseP50Us === 0 ? undefined : service.p50Us / floor.responseP50Us;
          return row(
            [
              name,
              formatMicroseconds(service.p50Us),
              formatMicroseconds(service.p99Us),
              perSecond(counts.ok, activeMs),
              times === undefined ? '' : `${times.toFixed(1)} ×`,
            ],
            times !== undefined && times < NEAR_FLOOR ? 'odd' : 'plain',
          );
        }),
      row(
        [
          'floor',
          formatMicroseconds(floor.responseP50Us),
          formatMicroseconds(floor.responseP99Us),
          floor.requestsPerSecond.toFixed(1),
          '1 ×',
        ],
        'quiet',
      ),
    ],
  };
}

function phaseTable({ legs }: LoadRecord): TableView {
  return {
    title: 'A job, phase by phase',
    isBrief: true,
    note: 'Where the time of a job goes.',
    columns: [...words('Phase'), ...numbers('count'), ...STATISTIC_COLUMNS],
    rows: legs.map(({ name, duration }) =>
      row([`${name}: ${PHASE_WORDS[name]}`, duration.count, ...statisticsOf(duration)]),
    ),
  };
}

/** Parts of tables, as views make them. */
type Columns = TableView['columns'];

/** Columns of text. */
export function words(...names: readonly string[]): Columns {
  return names.map((name) => ({ name, isNumber: false }));
}

/** Columns of figures, which stand at the right. */
export function numbers(...names: readonly string[]): Columns {
  return names.map((name) => ({ name, isNumber: true }));
}

export function row(cells: readonly (string | number)[], tone: Tone = 'plain'): RowView {
  return { cells: cells.map(String), tone };
}
