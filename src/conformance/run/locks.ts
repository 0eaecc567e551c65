/**
 * Locks: what a check cannot share with others that run at the same time.
 */

import type { Check, Lock } from '../check.ts';

/** What it declares, and the account where it listens: a webhook is told of all that happens there. */
export function locksOf({ locks = [], needs }: Check): ReadonlySet<Lock> {
  return new Set([...locks, ...(needs.includes('webhook-receiver') ? (['account'] as const) : [])]);
}
