/**
 * Clock time: when something happened, as it stands before a line.
 */

import { systemClock } from '../../common/clock.ts';

const TIME_OF_DAY = { start: 11, end: 19 };

/** The time of day in UTC, to the second. */
export function clockTime(): string {
  return new Date(systemClock.now()).toISOString().slice(TIME_OF_DAY.start, TIME_OF_DAY.end);
}
