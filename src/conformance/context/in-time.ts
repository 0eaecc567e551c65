/**
 * Waits whose end is for the check to judge: what does not come in time is undefined, not an error.
 */

import { eventually, WaitExpired, type Poll } from '../../common/waiter.ts';

/** What the probe finds within the limit, or undefined. */
export async function inTime<T>(poll: Poll<T>): Promise<T | undefined> {
  try {
    return await eventually(poll);
  } catch (error) {
    if (error instanceof WaitExpired) return undefined;
    throw error;
  }
}
