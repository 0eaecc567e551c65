/**
 * Stage of this process: where days are played one after the other, with what is too costly to make for each of them.
 */

import { Press } from '../devices/press/press.ts';
import { CurrentClock } from '../scenario/play/run-scenarios.ts';
import { embeddedTarget } from '../targets/embedded.ts';
import type { Stage } from './play-day.ts';

/**
 * A reference service for each day, on a virtual clock.
 *
 * @param dataName - begins the names of the folders that their data is kept in
 */
export function embeddedStage(dataName?: string): Stage {
  return stageOn((options) => embeddedTarget({ ...options, dataName }));
}

/** @param signal - ends the day that is being played */
export function stageOn(open: Stage['open'], signal?: AbortSignal): Stage {
  const clock = new CurrentClock();
  const press = new Press(clock);
  return { open, clock, press, signal, [Symbol.asyncDispose]: () => press.close() };
}
