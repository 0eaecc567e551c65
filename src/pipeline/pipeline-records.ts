/**
 * Builds the records of pipelines that were explored or played, and the page that tells a finding.
 */

import { countOf } from '../common/count-of.ts';
import { formatDuration } from '../common/duration.ts';
import { fenced, text } from '../common/markdown.ts';
import type { ExploreRecord, FindingRecord } from '../record/explore-record.ts';
import type { PlayedTarget } from '../record/fields.ts';
import { headOfRun } from '../record/head-of-run.ts';
import type { ScenarioRunRecord } from '../record/scenario-record.ts';
import type { PipelineExplored, PipelineFinding } from './explore-pipeline.ts';
import { PROMISES, type BrokenPromise } from './judge-paper.ts';
import type { Pipeline } from './pipeline-file.ts';
import type { PlayedDay } from './play-day.ts';
import { dayText, inWords, type ToldDay } from './steps.ts';

interface RunOf {
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly pipeline: Pipeline;
  /** Where the report stands. */
  readonly folder: string;
  readonly wasInterrupted: boolean;
}

export function buildPipelineRecord(explored: PipelineExplored, run: RunOf): ExploreRecord {
  const { runId, startedAt, pipeline, folder } = run;
  const { seed, days, unplayed, unplayedBecause, jobs, papers, durationMs, findings, known, coverage } = explored;
  return {
    ...headOfRun('explore', { runId, startedAt, durationMs: Math.round(durationMs) }),
    seed,
    without: [],
    target: targetOf(pipeline),
    days,
    unplayed,
    unplayedBecause: unplayedBecause ?? null,
    events: jobs + papers,
    elapsedMs: Math.round(durationMs),
    findings: findings.map((finding) => findingRecord(finding, folder)),
    known: [...known].map(([signature, count]) => ({ signature, count })),
    coverage: [...coverage].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([pair, count]) => ({ pair, count })),
    summary: { findings: { total: findings.length }, exitCode: exitCodeOf(explored, run) },
  };
}

function targetOf({ title, file }: Pipeline): PlayedTarget {
  return { name: title, kind: 'pipeline', baseUrl: null, descriptor: file };
}

function exitCodeOf({ days, unplayed, findings }: PipelineExplored, { wasInterrupted }: RunOf): number {
  if (wasInterrupted) return 130;
  if (findings.length > 0) return 1;
  return unplayed === days ? 2 : 0;
}

function findingRecord(finding: PipelineFinding, folder: string): FindingRecord {
  const { promise, seed, count, steps, played } = finding;
  const breaks = played.broken.filter((one) => one.promise === promise).map(mismatchOf);
  const [first] = breaks;
  return {
    signature: promise,
    statement: PROMISES[promise],
    count,
    seed,
    steps: steps.length,
    message: first ? `${first.at}: expected ${first.expected}, got ${first.actual}` : '',
    breaks,
    scenario: dayText(toldDay(finding)),
    happened: played.log.map(lineOf),
    file: `${folder}/${folderOf(promise)}/scenario.yaml`,
  };
}

/** Within the folder of the run. */
export function folderOf(promise: string): string {
  return `found/${promise}`;
}

export function toldDay({ promise, seed, steps, repeats }: PipelineFinding): ToldDay {
  const why = `${PROMISES[promise]} Found on day ${seed}, and shortened; ${tellRepeats(repeats)}.`;
  return { title: promise, why, steps };
}

export function tellRepeats({ broken, of }: PipelineFinding['repeats']): string {
  return of === 0 ? 'not played again' : `played again, broken ${broken} of ${countOf(of, 'time')}`;
}

function mismatchOf({ at, expected, actual }: BrokenPromise): Omit<BrokenPromise, 'promise'> {
  return { at, expected, actual };
}

export interface PlayedFile {
  readonly file: string;
  readonly day: ToldDay;
  /** Why there is nothing to judge, where it could not be played. */
  readonly played: PlayedDay | string;
}

export function buildPlayedRecord({ file, day, played }: PlayedFile, run: Omit<RunOf, 'folder'>): ScenarioRunRecord {
  const { runId, startedAt, pipeline, wasInterrupted } = run;
  const isPlayed = typeof played !== 'string';
  const durationMs = isPlayed ? Math.round(played.durationMs) : 0;
  const broken = isPlayed ? played.broken : [];
  const verdict = !isPlayed ? 'inconclusive' : broken.length > 0 ? 'fail' : 'pass';
  const [first] = broken;
  return {
    ...headOfRun('run', { runId, startedAt, durationMs }),
    seed: null,
    target: targetOf(pipeline),
    summary: {
      scenarios: { total: 1, [verdict]: 1 },
      lostIn: null,
      exitCode: wasInterrupted ? 130 : { fail: 1, pass: 0, inconclusive: 2 }[verdict],
    },
    scenarios: [
      {
        id: file,
        title: day.title,
        why: day.why,
        seed: 0,
        verdict,
        message: isPlayed ? (first ? PROMISES[first.promise] : '') : played,
        breaks: broken.map((one) => ({ ...mismatchOf(one), jobs: [] })),
        at: null,
        stories: isPlayed ? storiesOf(played) : [],
        log: isPlayed ? played.log.map(({ atMs, what }) => ({ atMs: Math.round(atMs), what })) : [],
        decisions: [],
        decisionsLeftOut: 0,
        elapsedMs: durationMs,
        durationMs,
      },
    ],
  };
}

/** What was said of each job, and its paper. */
function storiesOf({ seen, log }: PlayedDay): ScenarioRunRecord['scenarios'][number]['stories'] {
  return seen.jobs.map(({ name, mark, printer }, index) => ({
    name: `${mark} for ${printer}`,
    id: index + 1,
    timeline: log.filter(({ job }) => job === name).map(lineOf),
    files: [],
  }));
}

/** All that was seen with the fewest steps, as a page. */
export function storyOf(finding: PipelineFinding, papers: readonly string[]): string {
  const { promise, steps, played, repeats, seed } = finding;
  const { seen, log, lines, broken } = played;
  return [
    `# ${promise}`,
    '',
    PROMISES[promise],
    '',
    ...broken.map(({ at, expected, actual }) => `- ${at}: expected ${expected}; ${text(actual)}`),
    '',
    `Day ${seed}, in ${countOf(steps.length, 'step')}; ${tellRepeats(repeats)}:`,
    '',
    ...steps.map((step, index) => `${index + 1}. ${inWords(step)}`),
    '',
    '## What happened',
    '',
    ...fenced(log.map(lineOf).join('\n'), 'text'),
    '## Paper',
    '',
    ...(papers.length === 0 ? ['None.'] : papers.map((file) => `- [${file}](${file})`)),
    '',
    '## Jobs',
    '',
    ...seen.jobs.map(
      ({ name, mark, printer, outcome, fate }) =>
        `- ${name} (${mark}) for ${printer}: ${outcome}${fate === undefined ? '' : `, reported as '${text(fate.word)}'`}`,
    ),
    '',
    ...(lines.length === 0 ? [] : ['## The last lines of the programs', '', ...fenced(lines.join('\n'), 'text')]),
  ].join('\n');
}

function lineOf({ atMs, what }: PlayedDay['log'][number]): string {
  return `${formatDuration(Math.max(0, Math.round(atMs))).padStart(8)}  ${what}`;
}
