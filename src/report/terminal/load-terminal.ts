/**
 * A load run on a terminal: a line for each second while it goes on, and in the end what a person decides by.
 *
 *   requests        count   ok  errors              p50     p95     p99     max
 *   invoices         6000 6000      0%   response  4.1ms   …               what callers waited
 *                                        service   3.9ms   …               what the service needed
 *   jobs            12000 = 11998 delivered-once + 2 lost
 *   PASS | FAIL | INVALID | INCOMPLETE | ABORTED, and why
 */

import { styleText } from 'node:util';

import { formatDuration, formatMicroseconds } from '../../common/duration.ts';
import type { LoadComparison } from '../../record/load-comparison.ts';
import type { DurationRecord, LoadRecord, SecondRecord, StreamRecord } from '../../record/load-record.ts';
import type { LoadVerdict } from '../../record/words.ts';
import {
  countsByWords,
  isNearFloor,
  LEDGER_WORDS,
  lossesInWords,
  NEAR_FLOOR,
  STRAY_WORDS,
  unknownJobsOf,
  WEBHOOK_WORDS,
  type ClassInWords,
} from '../view/load-words.ts';
import type { PaintOptions } from './scenario-terminal.ts';

type Style = Parameters<typeof styleText>[0];

const VERDICTS: Readonly<Record<LoadVerdict, Style>> = {
  pass: 'green',
  fail: 'red',
  invalid: 'magenta',
  incomplete: 'yellow',
  aborted: 'red',
};

const MOST_SAMPLES = 5;
const NAME_COLUMNS = 16;
const TIME_COLUMNS = 9;

/** The whole run. */
export function renderLoad(record: LoadRecord, options: PaintOptions): string {
  const paint = painter(options);
  return [
    paint('bold', record.plan.title),
    paint('gray', originOf(record)),
    '',
    ...requestLines(record, paint),
    '',
    ...legLines(record, paint),
    ...ledgerLines(record, paint),
    ...webhookLines(record, paint),
    ...disasterLines(record, paint),
    ...lossLines(record, paint),
    ...machineLines(record, paint),
    ...generatorLines(record, paint),
    ...thresholdLines(record, paint),
    '',
    ...verdictLines(record, paint),
  ].join('\n');
}

/** One second that is over, on one line. */
export function renderSecond(second: SecondRecord, options: PaintOptions): string {
  const paint = painter(options);
  const { arrivals, errors, response, latenessP99Us, jobs, self } = second;
  const wrong = errors === 0 ? '' : paint('red', `  ${errors} errors`);
  return (
    `${`${second.second + 1}s`.padStart(6)}  ${String(arrivals).padStart(6)}/s  ` +
    `p50 ${time(response.p50Us)}  p99 ${time(response.p99Us)}  late ${time(latenessP99Us)}  ` +
    `jobs ${jobs.intended} accepted ${jobs.accepted} printed ${jobs.printed} reported ${jobs.reported}  ` +
    `${paint('gray', `cpu ${percent(self.cpu)} ${megabytes(self.rssBytes)}`)}${wrong}`
  );
}

/** A run beside an earlier one. */
export function renderComparison({ isSamePlan, lines }: LoadComparison, options: PaintOptions): string {
  const paint = painter(options);
  const width = Math.max(...lines.map(({ metric }) => metric.length), NAME_COLUMNS);
  const styles = { better: 'green', worse: 'red', same: 'gray' } as const;
  return [
    paint('bold', 'compared with the baseline'),
    ...(isSamePlan ? [] : [paint('yellow', 'the plans differ: another file, or another seed')]),
    ...lines.map(({ metric, baseline, now, ratio, range, change }) => {
      const isTime = metric.includes('response');
      const shown = (value: number): string => (isTime ? formatMicroseconds(value) : String(value));
      const factor = ratio === null ? '' : `× ${ratio.toFixed(2)}`;
      const between = range === null ? '' : ` (${range[0].toFixed(2)} … ${range[1].toFixed(2)})`;
      const words = `${shown(baseline)} → ${shown(now)}`.padEnd(24);
      return `${metric.padEnd(width)}  ${words} ${paint(styles[change], `${factor}${between} ${change}`.trim())}`;
    }),
  ].join('\n');
}

type Paint = (style: Style, text: string) => string;

function painter({ color }: PaintOptions): Paint {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}

function originOf({ plan, target, durationMs, machine }: LoadRecord): string {
  const shards = plan.shards === 1 ? '' : `, shards ${plan.present.join(' ')} of ${plan.shards}`;
  const address = target.baseUrl === null ? '' : ` at ${target.baseUrl}`;
  return (
    `${target.name}${address}, ${formatDuration(durationMs)}, seed ${plan.seed}, plan ${plan.hash}${shards}, ` +
    `${machine.cpus} processors, Node ${machine.node}`
  );
}

const STATISTICS = ['p50Us', 'p95Us', 'p99Us', 'p999Us', 'maxUs'] as const;

function requestLines({ streams, durationMs }: LoadRecord, paint: Paint): readonly string[] {
  const head =
    'requests'.padEnd(NAME_COLUMNS) +
    ['count', 'a second', 'errors'].map((word) => word.padStart(TIME_COLUMNS)).join('') +
    ''.padEnd(11) +
    ['p50', 'p95', 'p99', 'p99.9', 'max'].map((word) => word.padStart(TIME_COLUMNS)).join('');
  return [paint('gray', head), ...streams.flatMap((stream) => streamLines(stream, durationMs, paint))];
}

function streamLines(stream: StreamRecord, durationMs: number, paint: Paint): readonly string[] {
  const { name, counts, response, service, lateness } = stream;
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const errors = count - counts.ok;
  const share = percent(count === 0 ? 0 : errors / count).padStart(TIME_COLUMNS);
  const rate = durationMs === 0 ? 0 : (counts.ok * 1_000) / durationMs;
  const first =
    name.padEnd(NAME_COLUMNS) +
    String(count).padStart(TIME_COLUMNS) +
    rate.toFixed(1).padStart(TIME_COLUMNS) +
    (errors === 0 ? share : paint('red', share));
  const indent = ''.padEnd(NAME_COLUMNS + 3 * TIME_COLUMNS);
  const kinds = Object.entries(counts).filter(([outcome, number]) => outcome !== 'ok' && number > 0);
  return [
    `${first}  response ${statisticsOf(response)}`,
    `${indent}  service  ${statisticsOf(service)}`,
    paint('gray', `${indent}  lateness ${statisticsOf(lateness)}`),
    ...(kinds.length === 0
      ? []
      : [
          paint(
            'red',
            `${''.padEnd(NAME_COLUMNS)}${kinds.map(([outcome, number]) => `${number} ${outcome}`).join(', ')}`,
          ),
        ]),
  ];
}

function statisticsOf(duration: DurationRecord): string {
  if (duration.count === 0) return 'none'.padStart(TIME_COLUMNS);
  return STATISTICS.map((key) => time(duration[key])).join('');
}

function legLines({ legs }: LoadRecord, paint: Paint): readonly string[] {
  if (legs.length === 0) return [];
  const indent = ''.padEnd(2 * TIME_COLUMNS + 11);
  return [
    paint('gray', 'a job, leg by leg'),
    ...legs.map(
      ({ name, duration }) =>
        `  ${name.padEnd(NAME_COLUMNS - 2)}${String(duration.count).padStart(TIME_COLUMNS)}${indent}${statisticsOf(duration)}`,
    ),
    '',
  ];
}

function ledgerLines({ ledger: { totals, samples } }: LoadRecord, paint: Paint): readonly string[] {
  const rows = samples
    .filter((row) => LEDGER_WORDS[row.class].isFault)
    .slice(0, MOST_SAMPLES)
    .map((row) =>
      paint(
        'gray',
        `  ${row.class}: job ${row.jobId ?? 'without an id'}, account ${row.account + 1}, printer ${row.printer + 1}, ` +
          `${row.copiesPrinted} of ${row.copies} copies, intended at ${formatMicroseconds(row.intendedUs)}`,
      ),
    );
  return [
    `${'jobs'.padEnd(NAME_COLUMNS)}${totals.intents} = ${painted(countsByWords(LEDGER_WORDS, totals.classes), paint).join(' + ') || '0'}`,
    ...rows,
    ...asides({
      'delivered more than once, printed once': totals.redelivered,
      'printed, but never reported': totals.unreported,
      'job ids given twice': totals.clashes,
    }),
  ];
}

/** `96 delivered-once`, `1 lost`: what occurred, faults in red. */
function painted(
  counted: readonly (ClassInWords & { readonly name: string; readonly count: number })[],
  paint: Paint,
): readonly string[] {
  return counted
    .filter(({ count }) => count > 0)
    .map(({ name, count, isFault }) => (isFault ? paint('red', `${count} ${name}`) : `${count} ${name}`));
}

function asides(counts: Readonly<Record<string, number>>): readonly string[] {
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return told.length === 0 ? [] : [`  ${told.map(([words, count]) => `${count} ${words}`).join(', ')}`];
}

function webhookLines({ webhooks }: LoadRecord, paint: Paint): readonly string[] {
  if (webhooks === null) return [];
  const told = painted(countsByWords(WEBHOOK_WORDS, webhooks.classes), paint);
  const strays = painted(countsByWords(STRAY_WORDS, webhooks.strays), paint);
  const disagreeing = webhooks.reconciliation.filter(({ agrees }) => !agrees);
  return [
    `${'webhook events'.padEnd(NAME_COLUMNS)}${webhooks.events} = ${told.join(' + ') || '0'}`,
    ...(strays.length === 0 ? [] : [`  beside the account: ${strays.join(', ')}`]),
    ...disagreeing.map(({ counter, service, seen }) =>
      paint('yellow', `  the service counts ${service} ${counter}, its receivers saw ${seen}`),
    ),
  ];
}

function disasterLines({ disasters }: LoadRecord, paint: Paint): readonly string[] {
  return disasters.map(({ what, atMs, hit, lowestConnected, mostBacklog, recoveredMs }, index) => {
    const head = (index === 0 ? 'disasters' : '').padEnd(NAME_COLUMNS);
    const over =
      recoveredMs === null
        ? paint('yellow', 'not over before the end')
        : `over after ${formatDuration(recoveredMs)}`;
    return (
      `${head}${what} at ${formatDuration(atMs)}: ${hit} computers hit, ${lowestConnected} left connected, ` +
      `up to ${mostBacklog} jobs waiting, ${over}`
    );
  });
}

/** Machines that were lost as declared: their jobs are no part of the account above. */
function lossLines(record: LoadRecord, paint: Paint): readonly string[] {
  const { losses, plan } = record;
  if (!losses) return [];
  return [
    `${'worker-lost'.padEnd(NAME_COLUMNS)}${lossesInWords(record)}`,
    ...losses.map(({ shard, name, atMs, unknownJobs }) =>
      paint(
        'yellow',
        `  ${name} with shard ${shard} of ${plan.shards} at ${formatDuration(Math.max(0, Math.round(atMs)))}: ${unknownJobs} jobs unknown, beside the account`,
      ),
    ),
  ];
}

/** Machines of which there is something to tell. */
function machineLines({ workers = [], losses = [] }: LoadRecord, paint: Paint): readonly string[] {
  return workers
    .filter(({ finding, shard }) => finding !== '' && losses.every((loss) => loss.shard !== shard))
    .map(({ shard, name, finding }, index) => {
      const head = (index === 0 ? 'machines' : '').padEnd(NAME_COLUMNS);
      return `${head}${paint('red', `shard ${shard}${name === '' ? '' : ` on ${name}`}: ${finding}`)}`;
    });
}

function generatorLines(record: LoadRecord, paint: Paint): readonly string[] {
  const { self } = record;
  const { lateness, cpu, rssBytes, eventLoopDelayP99Us, floor } = self;
  const own =
    `late ${formatMicroseconds(lateness.p50Us)} p50, ${formatMicroseconds(lateness.p99Us)} p99; ` +
    `event loop ${formatMicroseconds(eventLoopDelayP99Us)} p99; cpu ${percent(cpu)}, ${megabytes(rssBytes)}`;
  const lines = [`${'generator'.padEnd(NAME_COLUMNS)}${own}`];
  if (floor === null) return [...lines, paint('gray', '  its floor was not measured')];
  return [
    ...lines,
    `  floor: ${formatMicroseconds(floor.responseP50Us)} p50, ${formatMicroseconds(floor.responseP99Us)} p99 ` +
      `against a service that does nothing, ${Math.round(floor.requestsPerSecond)} requests a second`,
    ...(isNearFloor(record)
      ? [
          paint(
            'yellow',
            `  the result is within ${NEAR_FLOOR} times of the floor: part of it is the generator`,
          ),
        ]
      : []),
  ];
}

function thresholdLines({ thresholds }: LoadRecord, paint: Paint): readonly string[] {
  if (thresholds.length === 0) return [];
  const width = Math.max(...thresholds.map(({ text }) => text.length));
  return [
    '',
    paint('gray', 'thresholds'),
    ...thresholds.map(({ text, measured, kept }) => {
      const mark = kept ? paint('green', 'ok  ') : paint('red', 'FAIL');
      return `  ${mark} ${text.padEnd(width)}  ${measured ?? 'nothing was measured'}`;
    }),
  ];
}

function verdictLines({ verdict, reasons, losses }: LoadRecord, paint: Paint): readonly string[] {
  const beside = unknownJobsOf(losses);
  const butFor = beside === 0 ? '' : `, but for ${beside} jobs of lost workers`;
  return [
    paint('bold', paint(VERDICTS[verdict], verdict.toUpperCase())) + butFor,
    ...reasons.map((reason) => `  ${reason}`),
  ];
}

function time(us: number): string {
  return formatMicroseconds(us).padStart(TIME_COLUMNS);
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
