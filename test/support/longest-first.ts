/**
 * The order of test files: those that take long begin, so that all workers are busy to the end.
 */

import path from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { PROJECT } from './command-line.ts';

/** Below test/. Files that are not here come last, in the order of vitest. */
const LONGEST = [
  'e2e/guides',
  'distributed',
  'container',
  'e2e',
  'load-faults',
  'browser',
  'conformance',
  'variants',
  'mutants',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's, not an array's
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const file = path.relative(path.join(PROJECT, 'test'), moduleId);
  const index = LONGEST.findIndex((prefix) => file.startsWith(prefix));
  return index < 0 ? LONGEST.length : index;
}
