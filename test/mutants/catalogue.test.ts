/**
 * The mutants as a whole: a check that no mutant trips proves nothing.
 */

import { expect, it } from 'vitest';

import { CHECKS } from '../../src/conformance/registry.ts';
import { CLAUSES } from '../../src/spec/clauses.ts';
import { ALL_MUTANTS } from './catalogue.ts';

it('breaks every clause that a check judges', () => {
  const judged = new Set<string>(CHECKS.flatMap(({ clauses }) => clauses));
  const broken = new Set<string>(ALL_MUTANTS.map(({ clause }) => clause));
  expect(CLAUSES.map(({ id }) => id).filter((id) => judged.has(id) && !broken.has(id))).toEqual([]);
});
