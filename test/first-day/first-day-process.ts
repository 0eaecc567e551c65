/**
 * First-day process: tries one set of deviations after the other, and sends what the check said.
 */

import { PLANTED } from './deviations.ts';
import { tryFirstDay } from './try-first-day.ts';

export interface FirstDayOrder {
  /** Names of deviations that one service has. */
  readonly names: readonly string[];
  /** A pattern of checks. Default: all. */
  readonly checks?: string | undefined;
}

process.on('message', ({ names, checks }: FirstDayOrder) => {
  void tryFirstDay(
    PLANTED.filter(({ name }) => names.includes(name)),
    checks,
  ).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
