/**
 * Heartbeat: coordinator and workers each write one at short intervals and look for those of the others. One that
 * hears none for the length of its lease gives up.
 */

import type { Clock, Timer } from '../../common/clock.ts';

/** How long a heartbeat counts; more than four are written within that time. */
export const HEARTBEAT_LASTS_MS = 2_000;
export const HEARTBEAT_EVERY_MS = 450;

export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Writes a heartbeat and looks for others. Resolves with whether it found them; a rejection counts as no. */
  readonly exchange: () => Promise<boolean>;
  readonly leaseMs: number;
  /** No heartbeat was heard for the length of the lease. Called again until the timer is cancelled. */
  readonly onExpiry: () => void;
}

export function startHeartbeat({ clock, exchange, leaseMs, onExpiry }: HeartbeatOptions): Timer {
  let heardMs = clock.now();
  // An exchange lasts for as long as the server is away.
  let isUnderWay = false;
  const exchangeOnce = async (): Promise<void> => {
    isUnderWay = true;
    if (await exchange().catch(() => false)) heardMs = clock.now();
    isUnderWay = false;
  };
  return clock.beat(HEARTBEAT_EVERY_MS, () => {
    if (clock.now() - heardMs > leaseMs) onExpiry();
    if (!isUnderWay) void exchangeOnce();
  });
}
