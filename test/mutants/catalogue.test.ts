/**
 * The mutants as a whole: a check that no mutant trips proves nothing.
 */

import { expect, it } from 'vitest';

import { CHECKS } from '../../src/conformance/registry.ts';
import { LINK_CLAUSES } from '../../src/link/link-clauses.ts';
import { CLAUSES } from '../../src/specification/clauses.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import { MATRIX_MUTANTS } from './matrix/matrix-mutants.ts';
import { MUTANT_PAGE } from './mutant-page.ts';

it('breaks every clause that a check judges', () => {
  const judged = new Set<string>(CHECKS.flatMap(({ clauses }) => clauses));
  const broken = new Set<string>(ALL_MUTANTS.map(({ clause }) => clause));
  expect(
    [...CLAUSES.map(({ id }) => id), ...Object.keys(LINK_CLAUSES)].filter((id) => judged.has(id) && !broken.has(id)),
  ).toEqual([]);
});

it('trips every check but those that only record', () => {
  const tripped = new Set([
    ...readBaselineRows(MUTANT_PAGE).flatMap((row) => [...(row[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, id]) => id)),
    ...MATRIX_MUTANTS.map(({ check }) => check),
  ]);
  const idle = CHECKS.filter(({ id }) => !id.startsWith('gaps/') && !tripped.has(id));
  expect(idle.map(({ id }) => id)).toEqual([]);
});
