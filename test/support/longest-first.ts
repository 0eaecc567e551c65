/**
 * The order of test files: those that take long begin, so that all workers are busy to the end. Those that compute and
 * those that wait for other programs take turns, so that the processor is neither fought over nor idle.
 */

import path from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { PROJECT } from './command-line.ts';

/**
 * Below test/. Files that are not here come last, in the order of vitest. The first packs the package, and with it
 * builds the page: tests of the page begin after it.
 */
const LONGEST = [
  'container',
  'attacks',
  'mutants/mutants',
  'e2e/guides',
  'variants/variants',
  'e2e/package',
  'client',
  'mutants/matrix',
  'e2e/print-system',
  'conformance/reference-service',
  'explore/restart',
  'unit/workbench/runs/runs',
  'e2e/check',
  'e2e/tls',
  'browser/views',
  'e2e/run-operating-system',
  'browser/controls',
  'e2e/run-load',
  'conformance/shared-accounts',
  'distributed',
  'variants',
  'e2e',
  'conformance',
  'hardware',
  'browser',
  'load-faults',
  'unit/targets/described',
  'judges',
  'strangers',
  'explore',
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
