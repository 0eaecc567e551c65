/**
 * Property: many seeded inputs for one expectation, by fast-check; the smallest input that breaks it is
 * what gets reported.
 */

import * as fc from 'fast-check';

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';

export interface PropertyPlan<Input> {
  readonly seed: number;
  readonly runs: number;
  /** Without time only the first inputs are tried: a service may be slow. Default: there is time. */
  readonly hasTime?: (() => boolean) | undefined;
  readonly inputs: fc.Arbitrary<Input>;
  readonly judge: (input: Input) => Promise<Mismatch | undefined>;
}

/** Tries to make a failing input smaller this often at most: each try costs requests. */
const SHRINK_MAX_TRIES = 60;

/** However slow a service is. */
const INPUTS_LEAST = 3;

/** Thrown inside fast-check, to distinguish a broken expectation from any other exception there. */
class ExpectationBroken extends Error {
  override readonly name = 'ExpectationBroken';
}

/**
 * The mismatch of the smallest failing input found, with that input in `at`; undefined when all hold.
 *
 * @throws anything that the judge throws
 */
export async function tryProperty<Input>(plan: PropertyPlan<Input>): Promise<Mismatch | undefined> {
  let smallest: Mismatch | undefined;
  let tried = 0;
  const inputs = fc.limitShrink(plan.inputs, SHRINK_MAX_TRIES);
  const details = await fc.check(
    fc.asyncProperty(inputs, async (input) => {
      if (++tried > INPUTS_LEAST && plan.hasTime?.() === false) return;
      const mismatch = await plan.judge(input);
      if (!mismatch) return;
      smallest = { ...mismatch, at: `${mismatch.at}, with input ${showValue(input)}` };
      throw new ExpectationBroken();
    }),
    { seed: plan.seed, numRuns: plan.runs },
  );
  if (!details.failed) return undefined;
  if (!(details.errorInstance instanceof ExpectationBroken)) throw details.errorInstance;
  return smallest;
}
