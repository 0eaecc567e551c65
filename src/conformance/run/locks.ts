/**
 * Locks: what a check cannot share with others that run at the same time, and where alone it can run.
 */

import type { Check, Lock } from '../check.ts';

/** Only the account that the run was given may have Child Accounts. */
export function isOfIntegrator({ needs }: Check): boolean {
  return needs.some((need) => need === 'integrator' || need === 'child-account');
}

/** What it declares, and the account where it listens: a webhook hears of everything that happens there. */
export function locksOf({ locks = [], needs }: Check): ReadonlySet<Lock> {
  return new Set([...locks, ...(needs.includes('webhook-receiver') ? (['account'] as const) : [])]);
}
