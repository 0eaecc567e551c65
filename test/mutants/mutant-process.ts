/**
 * Mutant process: tries one mutant after the other, and sends which checks caught it.
 */

import { mutantWithId } from './mutant-page.ts';
import { tryMutant } from './try-mutant.ts';

export interface MutantOrder {
  readonly id: string;
}

process.on('message', ({ id }: MutantOrder) => {
  void tryMutant(mutantWithId(id)).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
