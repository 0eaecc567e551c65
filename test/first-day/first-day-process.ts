/**
 * First-day process: tries one service after the other, and sends what the check said.
 */

import { mutantWithId } from '../mutants/mutant-page.ts';
import { PLANTED } from './deviations.ts';
import { tryFirstDay, tryMutated, type FirstDayResult } from './try-first-day.ts';

export interface FirstDayOrder {
  /** Names of deviations that one service has; with `isMutant` the id of a mutant. */
  readonly names: readonly string[];
  readonly isMutant?: boolean | undefined;
  /** A pattern of checks. Default: all. */
  readonly checks?: string | undefined;
}

process.on('message', (order: FirstDayOrder) => {
  void tried(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());

function tried({ names, isMutant, checks }: FirstDayOrder): Promise<FirstDayResult> {
  if (isMutant) return tryMutated(mutantWithId(names[0] ?? ''), checks);
  return tryFirstDay(
    PLANTED.filter(({ name }) => names.includes(name)),
    checks,
  );
}
