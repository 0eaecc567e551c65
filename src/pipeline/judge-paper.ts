/**
 * Judges a day by its paper: each job printed once, on its printer, whole, in its turn, and as it was reported. A pure
 * function of what was seen.
 *
 * A job that is reported as failed or uncertain may be without paper, where something went wrong on the day: a sender
 * cannot see what a printer did before their connection broke. Paper that came twice is never excused.
 */

import { countOf } from '../common/count-of.ts';
import type { Fate } from './caller.ts';

export const PROMISES = {
  'printed-twice': 'A job is printed once.',
  'never-printed': 'A job that was taken is printed, or reported as failed or uncertain because of a fault.',
  'wrong-printer': 'A job comes out of the printer that it is for.',
  'cut-short': 'A job that is reported as printed is printed to its end.',
  'untrue-state': 'What is reported of a job is what became of it.',
  'out-of-order': 'Jobs for a printer come out in the order in which they were taken.',
  'not-taken': 'Once nothing is wrong any more, a job is taken.',
} as const;

export type Promised = keyof typeof PROMISES;

export interface SeenJob {
  /** `job 2`. */
  readonly name: string;
  readonly mark: string;
  readonly printer: string;
  readonly outcome: 'taken' | 'refused' | 'unknown';
  /** What was said to its last submission. */
  readonly said: string;
  readonly sentMs: number;
  /** When it was taken; undefined where no answer said so. */
  readonly takenMs: number | undefined;
  /** Undefined where nothing reports it. */
  readonly fate: Fate | undefined;
}

export interface MarkedPaper {
  readonly printer: string;
  readonly mark: string | null;
  readonly copies: number;
  readonly isWhole: boolean;
}

export interface SeenDay {
  readonly jobs: readonly SeenJob[];
  /** In the order of each printer. */
  readonly papers: readonly MarkedPaper[];
  /** Something went wrong on it. */
  readonly hadTrouble: boolean;
  /** A submission can be repeated with the same key: then every job is taken in the end. */
  readonly isRepeatable: boolean;
}

export interface BrokenPromise {
  readonly promise: Promised;
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

export function judgeDay(day: SeenDay): readonly BrokenPromise[] {
  return [...day.jobs.flatMap((job) => judgeJob(job, day)), ...judgeOrder(day)];
}

function judgeJob(job: SeenJob, day: SeenDay): readonly BrokenPromise[] {
  const broken = (promise: Promised, expected: string, actual: string): readonly BrokenPromise[] => [
    { promise, at: `${job.name} (${job.mark})`, expected, actual: `${actual}${reported(job)}` },
  ];
  const papers = papersOf(job, day);
  const copies = papers.reduce((sum, paper) => sum + paper.copies, 0);
  const astray = papers.find(({ printer }) => printer !== job.printer);
  if (astray) return broken('wrong-printer', `paper at ${job.printer}`, `paper at ${astray.printer}`);
  if (copies > 1) return broken('printed-twice', 'printed once', `printed ${copies} times`);
  if (copies === 0) return judgeAbsence(job, day, broken);
  const { fate } = job;
  const isExcused = day.hadTrouble && (fate?.kind === 'failed' || fate?.kind === 'uncertain');
  if (papers.some(({ isWhole }) => !isWhole) && !isExcused)
    return broken('cut-short', 'printed to its end', 'cut short');
  if (fate?.kind === 'failed') return broken('untrue-state', 'not reported as failed', 'printed');
  if (fate?.kind === 'open' && job.outcome === 'taken') return broken('untrue-state', 'reported as printed', 'printed');
  return [];
}

type Broken = (promise: Promised, expected: string, actual: string) => readonly BrokenPromise[];

function judgeAbsence(job: SeenJob, day: SeenDay, broken: Broken): readonly BrokenPromise[] {
  if (job.outcome !== 'taken') {
    return day.isRepeatable || !day.hadTrouble ? broken('not-taken', 'taken', `not taken: ${job.said}`) : [];
  }
  const { fate } = job;
  if (fate?.kind === 'done') return broken('untrue-state', 'printed, as it is reported', 'never printed');
  if (day.hadTrouble && (fate?.kind === 'failed' || fate?.kind === 'uncertain')) return [];
  return broken('never-printed', 'printed once', 'never printed');
}

function judgeOrder({ jobs, papers }: SeenDay): readonly BrokenPromise[] {
  const once = jobs.filter((job) => {
    const own = papers.filter(({ mark }) => mark === job.mark);
    return own.length === 1 && own[0]?.printer === job.printer;
  });
  const place = (job: SeenJob): number => papers.findIndex(({ mark }) => mark === job.mark);
  for (const first of once) {
    const second = once.find(
      (job) =>
        job.printer === first.printer &&
        first.takenMs !== undefined &&
        first.takenMs < job.sentMs &&
        place(job) < place(first),
    );
    if (!second) continue;
    const actual = `${second.name}, which was submitted after ${first.name} was taken, came out before it`;
    return [{ promise: 'out-of-order', at: first.printer, expected: `${first.name}, then ${second.name}`, actual }];
  }
  return [];
}

function papersOf({ mark }: SeenJob, { papers }: SeenDay): readonly MarkedPaper[] {
  return papers.filter((paper) => paper.mark === mark);
}

function reported({ fate }: SeenJob): string {
  return fate === undefined ? '' : `; reported as '${fate.word}'`;
}

/** `3 jobs, 2 papers`. */
export function amountSeen({ jobs, papers }: SeenDay): string {
  return `${countOf(jobs.length, 'job')}, ${countOf(papers.length, 'paper')}`;
}
