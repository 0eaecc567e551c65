/**
 * Refuse: no connection can be made.
 */

import type { FaultPlan } from '../../common/fault-plan.ts';

/** @throws Error when the connection that is about to be made is refused */
export function mayRefuse(plan: FaultPlan, place: string): void {
  if (plan.fires(`${place}/connect`, 'refuse')) throw new Error('connection refused, by a fault rule');
}
