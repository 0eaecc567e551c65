/**
 * The judging code: which files decide what a run says about a target, and the unit tests that try them.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { PROJECT } from '../support/command-line.ts';
import { changesOf, type Change } from './changes.ts';

const JUDGING_CODE = ['src/oracle/*.ts', 'src/conformance/verdict/*.ts', 'src/load/merge.ts', 'src/load/verdict/*.ts'];
/** Beside them, and of no say in a verdict: drift is a remark. */
const REMARKS: readonly string[] = ['src/load/verdict/drift.ts'];

/** Tests that do not have the name of the file that they try. */
const MORE_TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/conformance/verdict/analysis.ts': ['conformance/verdict/analysis-of-run'],
  'src/oracle/invariant.ts': ['oracle/invariants'],
  'src/load/verdict/judge-load.ts': ['load/verdict/worker-losses'],
  'src/oracle/ledger-classes.ts': ['oracle/ledger'],
  'src/oracle/race-models.ts': ['oracle/linearizability'],
};

export interface JudgingFile {
  /** Below the project. */
  readonly file: string;
  readonly source: string;
  /** Test files, the likeliest to find a mistake first. */
  readonly tests: readonly string[];
  readonly changes: readonly Change[];
}

export function judgingFiles(): readonly JudgingFile[] {
  return globSync(JUDGING_CODE, { cwd: PROJECT })
    .filter((file) => !REMARKS.includes(file))
    .toSorted()
    .map((file) => {
      const source = readFileSync(path.join(PROJECT, file), 'utf8');
      return { file, source, tests: testsOf(file), changes: changesOf(source) };
    })
    .filter(({ changes }) => changes.length > 0);
}

function testsOf(file: string): readonly string[] {
  const own = file.replace(/^src\/(.*)\.ts$/, '$1');
  return [own, ...(MORE_TESTS[file] ?? [])]
    .map((test) => path.join(PROJECT, 'test/unit', `${test}.test.ts`))
    .filter((test) => existsSync(test));
}
