/**
 * Stopped clock: a service on a virtual clock that nothing moves passes for one on real time until its limits, its
 * expiry and its webhooks do nothing for minutes. It is found out before the first check.
 *
 *   a computer, a job ──1.1 s── a computer, a job      all of them made at one time, which is not about now
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import { durationMs } from '../../common/duration.ts';
import { timestampMs } from '../../common/timestamp.ts';
import type { Target } from '../../target/target.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { historyOf, jobBody, submit } from '../context/jobs.ts';
import { asRecords } from '../expect/records.ts';
import { withProbe } from './acquaintance.ts';
import { inProbe } from './probes.ts';

/** Times may be in whole seconds. */
const PAUSE_MS = 1_100;
/** They may be coarser than that, but then they are about those of this machine. */
const ABOUT_NOW_MS = durationMs('48h');

/**
 * Looks at the clock of a target that is said to be on real time.
 *
 * @throws ActionableError of kind usage when it stands still
 */
export async function refuseStoppedClock(target: Target, runTag: string): Promise<void> {
  const { kind, timekeeper, link, isReadOnly = false, usePrinter } = target;
  if (kind !== 'remote' || timekeeper.isVirtual || !link || link.program || isReadOnly || usePrinter) return;
  const stoppedAt = await withProbe(target, runTag, (probe) => inProbe(probe, 'clock', [], readStopped)).catch(
    (error: unknown) => {
      // The checks say it better.
      if (error instanceof CheckEnded) return undefined;
      throw error;
    },
  );
  if (stoppedAt === undefined) return;
  throw new ActionableError(
    'usage',
    `the clock of ${target.name} stands still: what was made ${PAUSE_MS / 1_000} s apart was all made at ${stoppedAt}`,
    'Start the service on real time, or name what moves its clock with hooks.advanceClock: see docs/target.md.',
  );
}

/** The time at which everything was made, or undefined where it passes. */
async function readStopped(context: CheckContext): Promise<string | undefined> {
  const before = await timesOfNew(context);
  await sleep(systemClock, PAUSE_MS);
  const times = [...before, ...(await timesOfNew(context))];
  const [shown] = times;
  const shownMs = timestampMs(shown);
  if (shownMs === undefined || times.some((time) => time !== shown)) return undefined;
  return Math.abs(shownMs - systemClock.now()) > ABOUT_NOW_MS ? String(shown) : undefined;
}

/** When a new computer and a new print job were made, as the service writes it. */
async function timesOfNew(context: CheckContext): Promise<readonly unknown[]> {
  const { computerId, printerId } = await context.computers.away();
  const [computer] = asRecords((await context.api.get(`/computers/${computerId}`)).value) ?? [];
  const [state] = await historyOf(context, await submit(context, jobBody(printerId)));
  return [computer?.['createTimestamp'], state?.object['createTimestamp']];
}
