/**
 * First-day process: tries one service after the other, and sends what the check said.
 */

import { mutantWithId } from '../mutants/mutant-page.ts';
import { PLANTED } from './deviations.ts';
import { bothOf, tryFirstDay, tryMutated, type FirstDayOptions, type FirstDayResult } from './try-first-day.ts';

export interface FirstDayOrder extends FirstDayOptions {
  /** Names of deviations that one service has; with `isMutant` ids of mutants, two at most. */
  readonly names: readonly string[];
  readonly isMutant?: boolean | undefined;
}

process.on('message', (order: FirstDayOrder) => {
  void tried(order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());

function tried({ names, isMutant, ...options }: FirstDayOrder): Promise<FirstDayResult> {
  const [one, other] = isMutant ? names.map(mutantWithId) : [];
  if (one) return tryMutated(other ? bothOf(one, other) : one, options);
  return tryFirstDay(
    PLANTED.filter(({ name }) => names.includes(name)),
    options,
  );
}
