/**
 * Waits whose end is for the check to judge: what does not come in time is undefined, not an error.
 *
 * Where a hook moves the clock, time there costs next to none here, and messages still take theirs: they get a moment
 * before the clock moves and another one when it has moved far enough.
 */

import { realTimekeeper } from '../../common/timekeeper.ts';
import { eventually, WaitExpired, type Poll } from '../../common/waiter.ts';

const BEFORE_MS = 60;
const AFTER_MS = 500;
const LOOK_EVERY_MS = 5;

/** What the probe finds within the limit, or undefined. */
export async function inTime<T>(poll: Poll<T>): Promise<T | undefined> {
  if (!poll.timekeeper.moved) return found(poll);
  const inTransit = { ...poll, timekeeper: realTimekeeper, every: LOOK_EVERY_MS };
  return (
    (await found({ ...inTransit, limit: BEFORE_MS })) ??
    (await found(poll)) ??
    (await found({ ...inTransit, limit: AFTER_MS }))
  );
}

async function found<T>(poll: Poll<T>): Promise<T | undefined> {
  try {
    return await eventually(poll);
  } catch (error) {
    if (error instanceof WaitExpired) return undefined;
    throw error;
  }
}
