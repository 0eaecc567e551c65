/** Every mutant there is. */

import { ACCOUNT_MUTANTS } from './account-mutants.ts';
import { CALLER_MUTANTS } from './caller-mutants.ts';
import { HOUSE_MUTANTS } from './house-mutants.ts';
import { LIMIT_MUTANTS } from './limit-mutants.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

export const ALL_MUTANTS: readonly Mutant[] = [
  ...MUTANTS,
  ...ACCOUNT_MUTANTS,
  ...CALLER_MUTANTS,
  ...LIMIT_MUTANTS,
  ...HOUSE_MUTANTS,
];
