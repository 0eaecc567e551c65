/**
 * Signs of life: at short intervals whoever takes part in a run gives one and looks for those of others. Who
 * hears nothing for too long gives up: the dead man's switch.
 */

import type { Clock, Timer } from '../../common/clock.ts';

/** A sign of life is given more often than four times within the time it lasts. */
export const SIGN_LASTS_MS = 2_000;
export const SIGN_EVERY_MS = 450;

export interface SignParts {
  readonly clock: Clock;
  /** Gives a sign and looks for others; whether it heard what it has to hear. May fail: then it did not. */
  readonly exchange: () => Promise<boolean>;
  readonly deadManMs: number;
  /** Nothing was heard for that long. Called again until it is cancelled. */
  readonly onSilence: () => void;
}

export function exchangeSigns({ clock, exchange, deadManMs, onSilence }: SignParts): Timer {
  let heardMs = clock.now();
  // One exchange waits as long as the server is away.
  let isUnderWay = false;
  const exchangeOnce = async (): Promise<void> => {
    isUnderWay = true;
    if (await exchange().catch(() => false)) heardMs = clock.now();
    isUnderWay = false;
  };
  return clock.beat(SIGN_EVERY_MS, () => {
    if (clock.now() - heardMs > deadManMs) onSilence();
    if (!isUnderWay) void exchangeOnce();
  });
}
