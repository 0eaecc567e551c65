/**
 * The mutants as a whole: a check that no mutant trips proves nothing.
 */

import { expect, it } from 'vitest';

import { CHECKS } from '../../src/conformance/registry.ts';
import { LINK_CLAUSES } from '../../src/link/link-clauses.ts';
import { CLAUSES } from '../../src/spec/clauses.ts';
import { ALL_MUTANTS } from './catalogue.ts';

it('breaks every clause that a check judges', () => {
  const judged = new Set<string>(CHECKS.flatMap(({ clauses }) => clauses));
  const broken = new Set<string>(ALL_MUTANTS.map(({ clause }) => clause));
  expect(
    [...CLAUSES.map(({ id }) => id), ...Object.keys(LINK_CLAUSES)].filter((id) => judged.has(id) && !broken.has(id)),
  ).toEqual([]);
});
