/**
 * Service time: what a run has to know of a clock that a hook moves, asked of the service before the first check.
 *
 *   what time it is there     the state `new` of a job, or else the header Date where that moves with the clock
 *   whether it runs freely    two of them, with some real time in between
 *   what its limits count     requests until it says 429, which the hook ends or only real time
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { showValue } from '../../common/json-value.ts';
import { messageOf } from '../../common/error-message.ts';
import { monotonicMs } from '../../common/stopwatch.ts';
import type { MovedTime } from '../../common/timekeeper.ts';
import { ERRORS } from '../../specification/errors.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { historyOf, jobBody, submit } from '../context/jobs.ts';
import { inProbe, type ProbesOptions } from './probes.ts';

/** Between two looks at a clock that may run by itself. */
const LOOK_MS = 60;
/** A clock that runs by itself may do so in steps. */
const STEP_MS = 200;
/** What times may be cut off or rounded to, the coarsest first. */
const ROUNDINGS_MS = [1_000, 100, 10, 1] as const;
/** More than any burst that is "about 30". */
const BURST_MOST = 60;
/** Longer than a limit takes to recover. */
const RECOVERY = '10s';
const REAL_RECOVERY_MS = 6_000;
/** The header Date has no fractions. */
const DATE_STEP_MS = 1_000;

/** How much less exactly a time may be known than at first before it is asked for again. */
const DRIFT_MS = 500;

/**
 * Keeps the time of a clock that runs by itself known: each move makes that a little less exact.
 *
 * @param ask - for its time, with a number that differs each time
 * @returns asks where that is due
 */
export function keepingTime(moved: MovedTime, ask: (time: number) => Promise<unknown>): () => Promise<void> {
  let atBestMs = moved.errorMs;
  let times = 0;
  return async () => {
    if (moved.errorMs - atBestMs < DRIFT_MS) return;
    await ask(++times);
    atBestMs = moved.errorMs;
  };
}

type Question = (context: CheckContext, moved: MovedTime) => Promise<void>;

/** What is asked before a run, and what again during it. */
export const TIME_QUESTIONS = { first: [readClock, readLimits], again: [readClock] } as const;

/** Asks in a probe. Returns what could not be found out or removed, a line each. */
export async function askTime(
  probe: ProbesOptions,
  moved: MovedTime,
  questions: readonly Question[] = TIME_QUESTIONS.first,
): Promise<readonly string[]> {
  const leftBehind: string[] = [];
  const ask = (context: CheckContext): Promise<readonly string[]> => readServiceTime(context, moved, questions);
  const problems = await inProbe(probe, 'service-time', leftBehind, ask);
  return [...problems, ...leftBehind];
}

/** Asks, and sets the clock here by the answers. A line for each question that the service does not answer. */
export async function readServiceTime(
  context: CheckContext,
  moved: MovedTime,
  questions: readonly Question[] = TIME_QUESTIONS.first,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const ask of questions) {
    try {
      await ask(context, moved);
    } catch (error) {
      problems.push(`the moved clock: ${messageOf(error)}`);
    }
  }
  return problems;
}

async function readClock(context: CheckContext, moved: MovedTime): Promise<void> {
  if (moved.isKnown) return;
  const { target } = context;
  if ((target.link ?? target.usePrinter) === undefined || target.isReadOnly === true) return readDates(context, moved);
  const { printerId } = await context.computers.away();
  const [first, second] = await stampTwice(context, printerId, LOOK_MS);
  if (first.shownMs === undefined || second.shownMs === undefined) return watchClock(context, moved, printerId);
  const roundingMs = roundingOf([first.shownMs, second.shownMs]);
  if (roundingMs > 1) return readRounded(context, moved, printerId, roundingMs);
  if (second.shownMs - first.shownMs >= LOOK_MS / 2) runFreely(moved, second);
  moved.setTo(second.shownMs);
}

/** Which of them stand for times that cannot be told apart: by chance a finer clock may show such ones too. */
function roundingOf(shownMs: readonly number[]): number {
  return ROUNDINGS_MS.find((ms) => shownMs.every((shown) => shown % ms === 0)) ?? 1;
}

/** Looks again when a rounded clock must have gone on, if it runs by itself. */
async function readRounded(
  context: CheckContext,
  moved: MovedTime,
  printerId: number,
  roundingMs: number,
): Promise<void> {
  const [before, after] = await stampTwice(context, printerId, roundingMs + LOOK_MS);
  if (after.shownMs === undefined || before.shownMs === undefined) return watchClock(context, moved, printerId);
  if (after.shownMs > before.shownMs) runFreely(moved, after);
  // In the middle of what it may stand for; and what is compared with it later is rounded as well.
  moved.setTo(after.shownMs + roundingMs / 2);
  moved.errorMs += 2 * roundingMs;
}

/** Sees whether times pass that it cannot read, and ends by saying that it cannot read them. */
async function watchClock(context: CheckContext, moved: MovedTime, printerId: number): Promise<void> {
  // They may have no fractions.
  const [before, after] = await stampTwice(context, printerId, DATE_STEP_MS + LOOK_MS);
  if (after.shown !== before.shown) runFreely(moved, after);
  throw new CheckEnded('untestable', `the time of a print job state cannot be read: ${showValue(after.shown)}`);
}

function runFreely(moved: MovedTime, { tookMs }: Stamp): void {
  moved.runFreely();
  moved.errorMs = Math.ceil(tookMs) + STEP_MS;
}

interface Stamp {
  /** As the service writes it. */
  readonly shown: unknown;
  /** Undefined where that cannot be read. */
  readonly shownMs: number | undefined;
  readonly tookMs: number;
}

async function stampTwice(context: CheckContext, printerId: number, pauseMs: number): Promise<readonly [Stamp, Stamp]> {
  const first = await stamp(context, printerId);
  await sleep(systemClock, pauseMs);
  return [first, await stamp(context, printerId)];
}

/** Makes a job, and reads when it was made by the clock of the service. */
async function stamp(context: CheckContext, printerId: number): Promise<Stamp> {
  const beganMs = monotonicMs();
  const jobId = await submit(context, jobBody(printerId));
  const tookMs = monotonicMs() - beganMs;
  const [first] = await historyOf(context, jobId);
  return { shown: first?.object['createTimestamp'], shownMs: first?.createdMs, tookMs };
}

/** By whole seconds, and only where they are those of the clock that moves. */
async function readDates({ api, elapse }: CheckContext, moved: MovedTime): Promise<void> {
  const date = async (): Promise<number> => Date.parse((await api.get('/ping')).header('Date') ?? '');
  const before = await date();
  await elapse(3 * DATE_STEP_MS);
  const after = await date();
  if (!(after - before >= 2 * DATE_STEP_MS)) return;
  await sleep(systemClock, DATE_STEP_MS);
  const last = await date();
  if (last > after) moved.runFreely();
  moved.setTo(last + DATE_STEP_MS / 2);
  moved.errorMs = DATE_STEP_MS;
}

async function readLimits({ target, unpaced, elapse }: CheckContext, moved: MovedTime): Promise<void> {
  if (target.requestsPerSecond === undefined) return;
  const isRefused = async (): Promise<boolean> =>
    (await unpaced.account.get('/noop')).status === ERRORS.TooManyRequests.status;
  moved.limits = 'none';
  for (let sent = 0; sent < BURST_MOST && moved.limits === 'none'; sent++) {
    if (await isRefused()) moved.limits = 'moved';
  }
  if (moved.limits === 'none') return;
  await elapse(RECOVERY);
  if (!(await isRefused())) return elapse(RECOVERY);
  moved.limits = 'real';
  await sleep(systemClock, REAL_RECOVERY_MS);
}
