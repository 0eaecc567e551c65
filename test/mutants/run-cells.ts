/**
 * Tries every fault of a cell, and writes to tiers/proven that they need not be tried again as long as nothing that matters
 * changes. Exits 1 when one is not seen.
 *
 * Usage: node test/mutants/run-cells.ts
 */

import { noteProven } from '../tiers/proven.ts';
import { cellsKey, CELL_LIMITS, isOfLimits } from './matrix/cell-proof.ts';
import { MATRIX_MUTANTS } from './matrix/matrix-mutants.ts';
import { startCellTrial } from './matrix/try-cell.ts';

let missed = 0;
for (const limits of CELL_LIMITS) {
  await using trial = await startCellTrial(limits);
  for (const mutant of MATRIX_MUTANTS.filter((one) => isOfLimits(one, limits))) {
    const found = await trial.try(mutant);
    if (found.length === 0) missed++;
    process.stdout.write(`${found.length === 0 ? 'MISSED' : 'seen'}  ${mutant.check}: ${mutant.name}\n`);
  }
}
if (missed === 0) noteProven('cells', [cellsKey()]);
process.stdout.write(`${MATRIX_MUTANTS.length} faults of cells, ${missed} not seen\n`);
process.exitCode = missed === 0 ? 0 : 1;
