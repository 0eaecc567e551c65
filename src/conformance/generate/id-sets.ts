/**
 * Sets of ids as they stand in a path: any order, ids repeated, never empty.
 */

import * as fc from 'fast-check';

export interface IdSetInput {
  /** In the order and with the repetitions in which they are written. */
  readonly written: readonly number[];
}

/** Sets of some of these ids, up to twice as many places as there are ids. */
export function idSets(ids: readonly number[]): fc.Arbitrary<IdSetInput> {
  return fc.record({
    written: fc.array(fc.constantFrom(...ids), { minLength: 1, maxLength: 2 * ids.length, size: 'max' }),
  });
}

/** Each id once. */
export function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
