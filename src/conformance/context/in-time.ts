/**
 * Waits whose end is for the check to judge: what does not come in time is undefined, not an error.
 *
 * Where a hook moves the clock, time there costs next to none here, and messages still take theirs: they get a moment
 * before the clock moves and another one when it has moved far enough.
 */

import { durationMs } from '../../common/duration.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import { eventually, WaitExpired, type Poll } from '../../common/waiter.ts';

const BEFORE_MS = 60;
/** What comes is an answer to something, and a request of its own: several times what one way takes. */
const BEFORE_MOMENTS = 6;
const AFTER_MS = 500;
const LOOK_EVERY_MS = 2;
/** Each call of a hook costs time, and what comes during one is placed between its ends. */
const MOVE_LEAST_MS = 200;

/**
 * What the probe finds within the limit, or undefined.
 *
 * @param dueMs - before it nothing is due: a clock moves there at once, and what comes meanwhile comes too early anyway
 */
export async function inTime<T>(poll: Poll<T>, dueMs?: number): Promise<T | undefined> {
  const { moved } = poll.timekeeper;
  if (!moved) return found(poll);
  const inTransit = { ...poll, timekeeper: realTimekeeper, every: LOOK_EVERY_MS };
  return (
    (await found({ ...inTransit, limit: Math.min(BEFORE_MS, BEFORE_MOMENTS * moved.momentMs) })) ??
    (await foundByMoves(poll, dueMs)) ??
    (await found({ ...inTransit, limit: AFTER_MS }))
  );
}

async function foundByMoves<T>(poll: Poll<T>, dueMs = 0): Promise<T | undefined> {
  const { timekeeper } = poll;
  const endMs = timekeeper.now() + durationMs(poll.limit);
  const idleMs = Math.min(dueMs, endMs) - timekeeper.now();
  if (idleMs > MOVE_LEAST_MS) await timekeeper.elapse(idleMs);
  const every = Math.max(MOVE_LEAST_MS, durationMs(poll.every ?? 0));
  return found({ ...poll, every, limit: Math.max(0, endMs - timekeeper.now()) });
}

async function found<T>(poll: Poll<T>): Promise<T | undefined> {
  try {
    return await eventually(poll);
  } catch (error) {
    if (error instanceof WaitExpired) return undefined;
    throw error;
  }
}
