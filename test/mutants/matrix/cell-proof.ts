/**
 * What proves the checks of the matrix: which faults are tried with which limits, and a key that changes when anything
 * changes that decides whether they are seen.
 */

import { contentKey } from '../../tiers/content-key.ts';
import type { CellMutant } from './try-cell.ts';

export const CELL_LIMITS = ['off', 'spec'] as const;

/** Limits are on for the faults of the request rate alone. */
export function isOfLimits({ check }: CellMutant, limits: (typeof CELL_LIMITS)[number]): boolean {
  return (check === 'matrix/request-rate') === (limits === 'spec');
}

export function cellsKey(): string {
  const modules = ['test/mutants/matrix/try-cell.ts', 'test/mutants/matrix/matrix-mutants.ts'];
  return contentKey(modules, 'src/conformance/registry.ts');
}
