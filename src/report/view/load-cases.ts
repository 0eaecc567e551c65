/**
 * Cases of a load run: everything that was judged, each with what was expected beside what came.
 *
 *   run         the verdict, and why
 *   thresholds  as the scenario has them
 *   jobs        a case for each class of the ledger that must stay empty
 *   webhooks    the same for events; and the service's own counters beside what its receivers saw
 *   responses   what every response must be
 *   machines    of a run on several: was each there to the end?
 */

import { countOf } from '../../common/count-of.ts';
import { formatDuration, formatMicroseconds } from '../../common/duration.ts';
import type { LoadRecord, ThresholdResult, WorkerRecord } from '../../record/load-record.ts';
import type { LoadVerdict } from '../../record/words.ts';
import { endedEarly, eventClasses, jobClasses, saidJobs, strayKinds, type ClassCount } from './load-words.ts';
import { NO_EVIDENCE, type Finding, type ResultView, type Standing } from './run-view.ts';

type Sample = LoadRecord['ledger']['samples'][number];
type Webhooks = NonNullable<LoadRecord['webhooks']>;

const MOST_SAMPLES = 5;
/** Faults that show without the paper. */
const SHOWN_BY_SERVICE: ReadonlySet<string> = new Set(['lost', 'unknown']);

/** How the verdicts of a load stand. */
const STANDING_OF: Readonly<Record<LoadVerdict, Standing>> = {
  pass: 'passed',
  fail: 'failed',
  aborted: 'failed',
  invalid: 'error',
  incomplete: 'error',
};

export function casesOf(record: LoadRecord): readonly ResultView[] {
  return [
    verdictCase(record),
    ...record.thresholds.map((threshold) => thresholdCase(threshold, record)),
    ...jobCases(record),
    ...webhookCases(record),
    ...responseCases(record),
    ...(record.workers ?? []).map((worker) => machineCase(worker, record.losses)),
  ];
}

function verdictCase({ verdict, reasons, durationMs }: LoadRecord): ResultView {
  return resultOf({
    group: 'run',
    name: 'verdict',
    title: 'The run as a whole',
    standing: STANDING_OF[verdict],
    message: verdict === 'pass' ? '' : `${verdict}: ${reasons.join('; ')}`,
    durationMs,
  });
}

/** Figures of a run that is invalid or not whole say nothing about the service. */
function thresholdCase({ text, measured, kept }: ThresholdResult, record: LoadRecord): ResultView {
  const broken = STANDING_OF[record.verdict] === 'error' ? 'error' : 'failed';
  if (kept && endedEarly(record)) return keptSoFar(text);
  const actual = measured === null ? 'nothing was measured' : measured;
  return resultOf({
    group: 'thresholds',
    name: text,
    title: '',
    standing: kept ? 'passed' : broken,
    message: measured === null ? actual : `measured ${measured}`,
    finding: { at: 'the whole run', expected: text, actual },
  });
}

/** The rest of the run might have broken it. */
function keptSoFar(text: string): ResultView {
  return resultOf({
    group: 'thresholds',
    name: text,
    title: '',
    standing: 'skipped',
    message: 'kept so far, but the run ended early',
  });
}

function jobCases(record: LoadRecord): readonly ResultView[] {
  const { totals, samples } = record.ledger;
  const counted = jobClasses(record);
  const sum = counted.reduce((all, { count }) => all + count, 0);
  const isSeen = saidJobs(record) === 0;
  return [
    resultOf({
      group: 'jobs',
      name: 'sum',
      title: 'Every job is in one class',
      standing: sum === totals.intents ? 'passed' : 'failed',
      message: `${sum} of ${totals.intents} jobs`,
      finding: { at: 'the ledger', expected: `${totals.intents} jobs`, actual: `${sum} in its classes` },
    }),
    ...counted.filter(isFault).map(({ name, phrase, count }) =>
      noneOf('jobs', name, `No job was ${phrase}`, countOf(count, 'job'), count, {
        isSeen: isSeen || SHOWN_BY_SERVICE.has(name),
        stories: samples
          .filter((sample) => sample.class === name)
          .slice(0, MOST_SAMPLES)
          .map(storyOf),
      }),
    ),
    noneOf(
      'jobs',
      'unreported',
      'No printed job has a report that the service never acknowledged',
      countOf(totals.unreported, 'job'),
      totals.unreported,
      { isSeen },
    ),
    noneOf(
      'jobs',
      'clashes',
      'No job id was given to two submissions',
      countOf(totals.clashes, 'job id'),
      totals.clashes,
    ),
  ];
}

/** How far a job came, on the clock of the run. */
function storyOf(sample: Sample): ResultView['stories'][number] {
  const { jobId, account, printer, copies, copiesPrinted, deliveries, intendedUs, stamps } = sample;
  const stamped = Object.entries(stamps).toSorted(([, one], [, other]) => one - other);
  return {
    title: `${jobId === null ? 'A job without an id' : `Job ${jobId}`}, account ${account + 1}, printer ${printer + 1}`,
    lines: [
      `${copiesPrinted} of ${copies} copies printed, delivered ${deliveries} times`,
      `${formatMicroseconds(intendedUs)}  due`,
      ...stamped.map(([what, atUs]) => `${formatMicroseconds(atUs)}  ${what}`),
    ],
  };
}

function webhookCases({ webhooks, disasters }: LoadRecord): readonly ResultView[] {
  if (webhooks === null) return [];
  return [
    ...eventClasses(webhooks).filter(isFault).map(eventCase('')),
    ...strayKinds(webhooks).filter(isFault).map(eventCase('stray ')),
    ...counterCases(
      webhooks,
      disasters.some(({ what }) => what === 'service-killed'),
    ),
  ];
}

function isFault(counted: ClassCount): boolean {
  return counted.isFault;
}

function eventCase(prefix: string): (counted: ClassCount) => ResultView {
  return ({ name, phrase, count }) =>
    noneOf('webhooks', prefix + name, `No event ${phrase}`, countOf(count, 'event'), count);
}

/** A service that was killed forgot what it had counted since its last commit. */
function counterCases({ reconciliation }: Webhooks, wasKilled: boolean): readonly ResultView[] {
  return reconciliation.map(({ counter, service, seen, agrees }) =>
    resultOf({
      group: 'webhooks',
      name: `counter ${counter}`,
      title: 'The service counts what its receivers saw',
      standing: agrees ? 'passed' : wasKilled ? 'warned' : 'failed',
      message: agrees ? `${service}` : `the service counts ${service}, its receivers saw ${seen}`,
      finding: { at: counter, expected: `${seen}, as its receivers saw`, actual: `${service}` },
      notes: agrees || !wasKilled ? [] : ['The service was killed, and may forget what it had counted.'],
    }),
  );
}

function responseCases({ responses: { judged, broken } }: LoadRecord): readonly ResultView[] {
  if (broken.length === 0) {
    return [
      resultOf({
        group: 'responses',
        name: 'all',
        title: 'Every response keeps what the specification says of all responses',
        standing: 'passed',
        message: `${judged} were judged`,
      }),
    ];
  }
  return broken.map(({ clause, count, example: { expected, actual, at } }) =>
    resultOf({
      group: 'responses',
      name: clause,
      title: `Every response keeps the clause ${clause}`,
      standing: 'failed',
      message: `${count} of ${judged} responses broke it`,
      finding: { at, expected, actual },
      clauses: [clause],
    }),
  );
}

function machineCase(
  { shard, name, startLateMs, finding }: WorkerRecord,
  losses: LoadRecord['losses'] = [],
): ResultView {
  const isDeclared = losses.some((loss) => loss.shard === shard);
  const late = startLateMs === null ? '' : `, began ${formatDuration(startLateMs)} late`;
  const who = name === '' ? 'A machine that never joined' : name;
  return resultOf({
    group: 'machines',
    name: `shard ${shard}`,
    title: `Shard ${shard} is played to its end`,
    standing: finding === '' ? 'passed' : isDeclared ? 'warned' : 'error',
    message: finding === '' ? `${who}${late}` : `${finding}${isDeclared ? ', as the scenario declares' : ''}`,
    finding: { at: who, expected: `the record of shard ${shard}`, actual: finding },
  });
}

/** One thing that was judged; `message` says what was measured, or why it did not pass. */
interface Case
  extends
    Pick<ResultView, 'group' | 'title' | 'standing' | 'message'>,
    Partial<Pick<ResultView, 'clauses' | 'stories' | 'notes' | 'durationMs'>> {
  readonly name: string;
  readonly finding?: Pick<Finding, 'expected' | 'actual' | 'at'>;
}

const VERDICT_OF: Readonly<Partial<Record<Standing, string>>> = {
  failed: 'fail',
  error: 'no verdict',
  warned: 'warn',
  skipped: 'inconclusive',
};

function resultOf({ name, finding, ...given }: Case): ResultView {
  const { group, standing } = given;
  const nowhere = { clause: '', level: '', statement: '', source: '', exchange: undefined };
  return {
    ...NO_EVIDENCE,
    durationMs: 0,
    ...given,
    // What follows the last slash of an id is its name.
    id: `${group}/${name.replaceAll('/', '-')}`,
    verdict: VERDICT_OF[standing] ?? 'pass',
    findings: finding && standing !== 'passed' ? [{ ...nowhere, ...finding }] : [],
  };
}

/** Something that must not have happened. @param actual - how often it did, in words */
function noneOf(
  group: string,
  name: string,
  title: string,
  actual: string,
  count: number,
  { isSeen = true, ...more }: Pick<Case, 'stories' | 'notes'> & { readonly isSeen?: boolean } = {},
): ResultView {
  const finding = { at: `the account of ${group}`, expected: 'none', actual };
  return resultOf({
    group,
    name,
    title,
    standing: count > 0 ? 'failed' : isSeen ? 'passed' : 'skipped',
    message: count > 0 ? actual : isSeen ? '' : 'not seen: platen does not run the printers',
    ...(count > 0 && { finding, ...more }),
  });
}
