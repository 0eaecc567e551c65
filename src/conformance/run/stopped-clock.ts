/**
 * Stopped clock: a service on a virtual clock that nothing moves passes for one on real time until its limits, its
 * expiry and its webhooks do nothing for minutes. It is found out before a run.
 *
 *   a computer, a job ──1.1 s── a computer, a job      all of them made at one time, which is not about now
 *   a computer, a job ──a move── a computer, a job     made at about the same time, whatever the hook was told
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import { durationMs } from '../../common/duration.ts';
import { timestampMs } from '../../common/timestamp.ts';
import type { Target } from '../../targets/target.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { TOO_MANY } from '../context/excess.ts';
import { historyOf, jobBody, submit } from '../context/jobs.ts';
import { asRecords } from '../expect/records.ts';
import { withProbe } from './acquaintance.ts';
import { inProbe } from './probes.ts';

/** Times may be in whole seconds. */
const PAUSE_MS = 1_100;
const LIMITED_TRIES = 5;
/** They may be coarser than that, but then they are about those of this machine. */
const ABOUT_NOW_MS = durationMs('48h');
/** A clock that runs by itself goes on by less while it is moved by this. */
const MOVE = '1m';
const MOVED_LEAST_MS = durationMs(MOVE) / 2;

/**
 * Looks at the clock of a service: one on real time has to go on, and one that a hook moves to follow it.
 *
 * @throws ActionableError of kind usage when it stands still
 */
export async function refuseStoppedClock(target: Target, runTag: string): Promise<void> {
  const { kind, timekeeper, link, isReadOnly = false, usePrinter } = target;
  if (kind !== 'remote' || !link || link.program || isReadOnly || usePrinter) return;
  // A virtual clock of this process is moved by it.
  if (timekeeper.isVirtual && !timekeeper.moved) return;
  const find = timekeeper.moved ? findIdleHook : findStoppedClock;
  const found = await withProbe(target, `${runTag}-clock`, (probe) => inProbe(probe, 'clock', [], find)).catch(
    (error: unknown) => {
      // What comes of it says it better.
      if (error instanceof CheckEnded) return undefined;
      throw error;
    },
  );
  if (found) throw new ActionableError('usage', `the clock of ${target.name} ${found.problem}`, found.nextStep);
}

interface Found {
  readonly problem: string;
  readonly nextStep: string;
}

const START_OR_MOVE =
  'Start the service on real time, or name what moves its clock with hooks.advanceClock: see docs/target.md.';

async function findStoppedClock(context: CheckContext): Promise<Found | undefined> {
  if (await isLimitedForever(context))
    return {
      problem: `seems to stand still: every GET /noop gets ${TOO_MANY}, whatever the pause`,
      nextStep: START_OR_MOVE,
    };
  const first = await timesOfNew(context);
  const shown = onlyOne(first);
  if (shown === undefined) return undefined;
  await sleep(systemClock, PAUSE_MS);
  if (onlyOne([...first, ...(await timesOfNew(context))]) === undefined) return undefined;
  if (Math.abs(shown.ms - systemClock.now()) <= ABOUT_NOW_MS) return undefined;
  return {
    problem: `stands still: records made ${PAUSE_MS / 1_000} s apart all have the time ${shown.text}`,
    nextStep: START_OR_MOVE,
  };
}

/** A request limit that was used up, and is never granted anew. */
async function isLimitedForever({ unpaced }: CheckContext): Promise<boolean> {
  for (let tries = 0; tries < LIMITED_TRIES; tries++) {
    if ((await unpaced.account.get('/noop')).status !== TOO_MANY) return false;
    await sleep(systemClock, PAUSE_MS);
  }
  return true;
}

async function findIdleHook(context: CheckContext): Promise<Found | undefined> {
  const [, before] = await timesOfNew(context);
  await context.elapse(MOVE);
  const [, after] = await timesOfNew(context);
  const [beforeMs, afterMs] = [timestampMs(before), timestampMs(after)];
  if (beforeMs === undefined || afterMs === undefined || afterMs - beforeMs >= MOVED_LEAST_MS) return undefined;
  return {
    problem: `does not follow the hook advanceClock: moved by ${MOVE}, it went from ${String(before)} to ${String(after)}`,
    nextStep: 'The hook must advance the clock by {ms} milliseconds before it answers: see docs/target.md.',
  };
}

/** The time that all of them show, or undefined where they differ. */
function onlyOne([first, ...others]: readonly unknown[]): { readonly text: string; readonly ms: number } | undefined {
  const ms = timestampMs(first);
  return ms === undefined || others.some((time) => time !== first) ? undefined : { text: String(first), ms };
}

/** When a new computer and a new print job were made, as the service writes it. */
async function timesOfNew(context: CheckContext): Promise<readonly unknown[]> {
  const { computerId, printerId } = await context.computers.away();
  const [computer] = asRecords((await context.api.get(`/computers/${computerId}`)).value) ?? [];
  const [state] = await historyOf(context, await submit(context, jobBody(printerId)));
  return [computer?.['createTimestamp'], state?.object['createTimestamp']];
}
