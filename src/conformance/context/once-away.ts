/**
 * Once away: the state of a computer that has gone, when its service has seen that it has. Until then a job may still
 * be sent to its connection.
 */

import { asRecords } from '../expect/records.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import type { CheckContext } from './context.ts';

/** Between two looks at a state that is to come. */
const LOOK_MS = 1_000;

/** The state of a computer that has gone; a service may wait for a heartbeat or two before it shows that. */
export async function stateOnceAway({ api, elapse, target }: CheckContext, computerId: number): Promise<unknown> {
  const mostMs = lateMs(TOLERANCES.disconnectLate, target);
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const { value } = await api.get(`/computers/${computerId}`);
    const state = asRecords(value)?.[0]?.['state'];
    if (state === 'disconnected' || waitedMs >= mostMs) return state;
    await elapse(LOOK_MS);
  }
}
