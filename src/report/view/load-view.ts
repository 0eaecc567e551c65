/**
 * View of a load run: its verdict as the headline, what was judged as results, what was measured as figures.
 *
 *   record ─┬─► load-cases     thresholds, jobs, webhooks, responses, machines
 *           ├─► load-request-tables, load-account-tables
 *           └─► load-charts    what was measured over the seconds
 */

import { formatDuration, formatMicroseconds } from '../../common/duration.ts';
import { inOneLine } from '../../common/in-one-line.ts';
import { sumOf } from '../../common/sums.ts';
import type { LoadRecord, SecondRecord, StreamRecord } from '../../record/load-record.ts';
import type { LoadVerdict } from '../../record/words.ts';
import { accountTables } from './load-account-tables.ts';
import { casesOf } from './load-cases.ts';
import { perSecond, requestTables } from './load-request-tables.ts';
import {
  driftInWords,
  isNearFloor,
  jobClasses,
  lossesInWords,
  NEAR_FLOOR,
  saidJobs,
  sumInWords,
  unknownJobsOf,
} from './load-words.ts';
import { headOf, type ChartLine, type ChartView, type RunView, type Tone } from './run-view.ts';

/** The word, and what comes before the reasons. */
const WORDS: Readonly<Record<LoadVerdict, readonly [word: string, lead: string]>> = {
  pass: ['PASSED', ''],
  fail: ['FAILED', 'Not as required'],
  invalid: ['INVALID', 'The figures say nothing about the service'],
  incomplete: ['INCOMPLETE', 'The whole cannot be judged'],
  aborted: ['ABORTED', 'The run ended early'],
};

const MOST_REASONS = 3;
const MOST_STREAMS = 8;

export function viewOfLoad(record: LoadRecord): RunView {
  const { plan, verdict, ledger } = record;
  const { intents } = ledger.totals;
  return {
    ...headOf(record),
    title: `Load: ${plan.title}`,
    seed: String(plan.seed),
    word: WORDS[verdict][0],
    sentence: [sentenceOf(record), ...driftWarning(record)].join(' '),
    noun: 'judgement',
    facts: record.progress ? factsSoFar(record) : factsOf(record),
    remarks: record.progress ? [] : remarksOf(record),
    badge: { label: 'load', text: `${intents - faultyJobs(record)}/${intents} jobs` },
    // Judged is the whole run.
    results: record.progress ? [] : casesOf(record),
    clauses: [],
    gaps: [],
    tables: [...requestTables(record), ...accountTables(record)].filter(({ rows }) => rows.length > 0),
    charts: chartsOf(record),
  };
}

function faultyJobs(record: LoadRecord): number {
  return jobClasses(record)
    .filter(({ isFault }) => isFault)
    .reduce((sum, { count }) => sum + count, 0);
}

function sentenceOf(record: LoadRecord): string {
  const { verdict, reasons, ledger, thresholds, losses } = record;
  if (verdict === 'pass') {
    const { intents } = ledger.totals;
    const jobs =
      intents === 0 ? 'No job was submitted' : `Every one of ${intents} jobs is accounted for${byWordIn(record)}`;
    const kept = thresholds.length === 1 ? 'the threshold is' : `all ${thresholds.length} thresholds are`;
    const told = thresholds.length === 0 ? `${jobs}.` : `${jobs}, and ${kept} kept.`;
    const unknown = unknownJobsOf(losses);
    return unknown === 0 ? told : `${told} Beside them ${unknown} jobs of lost workers are unknown, as declared.`;
  }
  const more = reasons.length - MOST_REASONS;
  const told = reasons.slice(0, MOST_REASONS).join('; ');
  return `${WORDS[verdict][1]}: ${told}${more > 0 ? `; and ${more} more` : ''}.`;
}

function byWordIn(record: LoadRecord): string {
  return saidJobs(record) === 0 ? '' : ' by the word of the service; their paper was not seen';
}

/** The verdict does not depend on it: what may grow is for people to say. */
function driftWarning({ drift }: LoadRecord): readonly string[] {
  return drift?.trends.some(({ isDrift }) => isDrift) ? [`Drift: ${driftInWords(drift)}.`] : [];
}

function factsOf(record: LoadRecord): RunView['facts'] {
  const { ledger, webhooks, disasters } = record;
  return [
    ...setupFacts(record),
    ['Requests', requestsInWords(record)],
    ['Response', responseInWords(record.streams)],
    ['Jobs', sumInWords(ledger.totals.intents, ledger.totals.classes)],
    ...(webhooks === null ? [] : [['Webhooks', sumInWords(webhooks.events, webhooks.classes)] as const]),
    ...(disasters.length === 0
      ? []
      : [
          ['Chaos events', disasters.map(({ what, atMs }) => `${what} at ${formatDuration(atMs)}`).join(', ')] as const,
        ]),
    ...(record.losses ? [['Workers lost', lossesInWords(record)] as const] : []),
    ...(record.drift ? [['Drift', driftInWords(record.drift)] as const] : []),
    ['Generator', generatorInWords(record)],
  ];
}

function setupFacts({ target, plan, machine }: LoadRecord): RunView['facts'] {
  const shards = plan.shards === 1 ? '' : `, shards ${plan.present.join(', ')} of ${plan.shards}`;
  return [
    ['Target', target.name],
    ...(target.baseUrl === null ? [] : [['Address', target.baseUrl] as const]),
    ['Question', inOneLine(plan.why)],
    ['Plan', `${plan.hash}${shards}`],
    ...(plan.warmUpMs === undefined ? [] : [['Warm-up', warmUpInWords(plan.warmUpMs)] as const]),
    ['Machine', `${machine.cpus} processors, ${machine.platform}, Node ${machine.node}`],
  ];
}

function warmUpInWords(warmUpMs: number): string {
  return `the first ${formatDuration(warmUpMs)}: counted, and left out of the percentiles`;
}

/** From the seconds alone: nothing else is known of a run that goes on. */
function factsSoFar(record: LoadRecord): RunView['facts'] {
  const { series, self } = record;
  const [due, ended, errors] = (['arrivals', 'ended', 'errors'] as const).map((key) =>
    sumOf(series, (one) => one[key]),
  );
  const last = series.findLast((second) => second.ended > 0);
  const jobs = series.at(-1)?.jobs;
  return [
    ...setupFacts(record),
    ['Requests', `${due} were due, ${ended} have ended, ${errors} of them as errors`],
    ...(last
      ? [
          [
            'Response',
            `${formatMicroseconds(last.response.p50Us)} p50, ${formatMicroseconds(last.response.p99Us)} p99 in the last second`,
          ] as const,
        ]
      : []),
    ...(jobs
      ? [['Jobs', `${jobs.accepted} accepted, ${jobs.delivered} delivered, ${jobs.printed} printed`] as const]
      : []),
    ['Generator', `${Math.round(self.cpu * 100)} % of a processor, ${Math.round(self.rssBytes / 1e6)} MB`],
  ];
}

function requestsInWords({ streams, durationMs, activeMs = durationMs }: LoadRecord): string {
  const all = streams.reduce((sum, stream) => sum + requestsOf(stream), 0);
  const ok = streams.reduce((sum, { counts }) => sum + counts.ok, 0);
  return `${all}, of them ${all - ok} errors; ${perSecond(ok, activeMs)} a second answered well`;
}

function requestsOf({ counts }: Pick<StreamRecord, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function responseInWords(streams: readonly StreamRecord[]): string {
  const told = streams
    .filter(({ response }) => response.count > 0)
    .slice(0, MOST_STREAMS)
    .map(
      ({ name, response: { p50Us, p99Us, maxUs } }) =>
        `${name} ${formatMicroseconds(p50Us)} p50, ${formatMicroseconds(p99Us)} p99, ${formatMicroseconds(maxUs)} at most`,
    );
  return told.join('; ') || 'nothing was measured';
}

function generatorInWords({ self }: LoadRecord): string {
  const { lateness, cpu, rssBytes, eventLoopDelayP99Us } = self;
  return (
    `late ${formatMicroseconds(lateness.p50Us)} p50, ${formatMicroseconds(lateness.p99Us)} p99; ` +
    `event loop ${formatMicroseconds(eventLoopDelayP99Us)} p99; ` +
    `${Math.round(cpu * 100)} % of a processor, ${Math.round(rssBytes / 1e6)} MB`
  );
}

function remarksOf(record: LoadRecord): readonly string[] {
  const { settlement, leaks, disasters, self, losses = [] } = record;
  return [
    ...losses.map(
      ({ name, shard, unknownJobs }) =>
        `${name} was lost with shard ${shard}, as the scenario declares: the fate of its ${unknownJobs} jobs is unknown, and its accounts may be left on the target.`,
    ),
    ...(settlement.open > 0
      ? [`Submissions without an answer whose fate could not be found out: ${settlement.open}.`]
      : []),
    ...disasters
      .filter(({ recoveredMs }) => recoveredMs === null)
      .map(
        ({ what, atMs }) =>
          `The run ended before the service had recovered from the ${what} at ${formatDuration(atMs)}.`,
      ),
    ...(leaks.accounts.length > 0
      ? [`Accounts that could not be removed: ${leaks.accounts.slice(0, 20).join(', ')}.`]
      : []),
    ...(isNearFloor(record)
      ? [`The result is within ${NEAR_FLOOR} times of the floor: part of it is the generator.`]
      : []),
    ...(self.floor === null ? ['The floor of the generator was not measured.'] : []),
  ];
}

/** A run that ended within its first second has none. */
function chartsOf({ series, disasters }: LoadRecord): readonly ChartView[] {
  if (series.length === 0) return [];
  const line = (name: string, tone: Tone, valueOf: (second: SecondRecord) => number | null): ChartLine => ({
    name,
    tone,
    values: series.map(valueOf),
  });
  const shared = {
    seconds: series.map(({ second }) => second),
    marks: disasters.map(({ what, atMs }) => ({ second: atMs / 1_000, what })),
  };
  return [
    {
      ...shared,
      title: 'Requests a second',
      note: 'How many were due, how many ended, and how many of those as errors.',
      measure: 'count',
      lines: [
        line('due', 'quiet', ({ arrivals }) => arrivals),
        line('ended', 'good', ({ ended }) => ended),
        line('errors', 'bad', ({ errors }) => errors),
      ],
    },
    {
      ...shared,
      title: 'Response time',
      note: 'From the moment a request was due, beside how late the generator itself was.',
      measure: 'duration',
      lines: [
        line('p99', 'bad', ({ response, ended }) => measured(response.p99Us, ended)),
        line('p50', 'good', ({ response, ended }) => measured(response.p50Us, ended)),
        line('lateness p99', 'quiet', ({ latenessP99Us, arrivals }) => measured(latenessP99Us, arrivals)),
      ],
    },
    {
      ...shared,
      title: 'Jobs under way',
      note: 'Accepted and not yet reported as printed, at the end of each second.',
      measure: 'count',
      lines: [line('waiting', 'odd', ({ jobs }) => Math.max(0, jobs.accepted - jobs.reported))],
    },
  ];
}

function measured(us: number, count: number): number | null {
  return count === 0 ? null : us;
}
