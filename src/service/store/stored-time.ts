/**
 * Stored time: milliseconds since the epoch, as far as a Date goes.
 */

import { z } from 'zod';

const LATEST_MS = 8.64e15;

export const STORED_TIME = z.number().min(-LATEST_MS).max(LATEST_MS);

/** The same for rows of which a request reads many. */
export function isStoredTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= LATEST_MS;
}
