/**
 * Expiry: how long the service keeps a job that it cannot deliver.
 */

import { LIMITS } from '../../spec/limits.ts';

/**
 * When a job expires, in milliseconds since the epoch.
 *
 * @param expireAfter - seconds, as the caller asked; undefined for the default of 14 days
 */
export function expiryMs(createdMs: number, expireAfter: number | undefined): number {
  return createdMs + (expireAfter ?? LIMITS.expireAfterDefaultSeconds.value) * 1_000;
}
