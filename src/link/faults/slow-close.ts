/**
 * Slow close: this end gives a connection up without a goodbye, and yet it stays open, read by nobody, for
 * `delay` (30 s unless set): the service meets a ghost.
 */

import type { FaultPlan } from '../../common/fault-plan.ts';
import { durationSetting } from '../../common/fault-settings.ts';

/** How long the end of a connection at this place takes; 0 where it ends at once. */
export function closingMs(plan: FaultPlan, place: string): number {
  const firing = plan.fires(`${place}/close`, 'slow-close');
  return firing ? durationSetting(firing, 'delay', 30_000) : 0;
}
