/**
 * The judging code: which files decide what a run says about a target, and the unit tests that try them.
 */

import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { PROJECT } from '../support/command-line.ts';
import { changesOf, type Change } from './changes.ts';

const JUDGING_CODE = [
  'src/oracle/*.ts',
  'src/oracle/account/*.ts',
  'src/scenario/expect/*.ts',
  'src/conformance/verdict/*.ts',
  'src/record/{consequences,defects,signs}.ts',
  'src/load/merge.ts',
  'src/load/verdict/*.ts',
];
/** The checker tries only one of so many changes in these folders, the same ones each time. */
const TRIED_IN_PART: Readonly<Record<string, number>> = { 'src/oracle/account': 24, 'src/scenario/expect': 6 };
/** Beside them, and of no say in a verdict: drift is a remark. */
const REMARKS: readonly string[] = ['src/load/verdict/drift.ts'];

/** Tests that do not have the name of the file that they try. */
const MORE_TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/conformance/verdict/analysis.ts': ['conformance/verdict/analysis-of-run'],
  'src/oracle/invariant.ts': ['oracle/invariants'],
  'src/load/verdict/judge-load.ts': ['load/verdict/worker-losses', 'load/verdict/drift', 'report/load'],
  'src/oracle/account/event-judge.ts': ['oracle/account/statistic-judge'],
  'src/oracle/account/hook-settings.ts': ['oracle/account/event-judge'],
  'src/oracle/account/job-facts.ts': ['oracle/account/job-judge', 'oracle/account/state-judge'],
  'src/oracle/account/list-judge.ts': ['oracle/account/submission-judge'],
  'src/oracle/account/occurrences.ts': ['oracle/account/event-judge'],
  'src/oracle/account/parties.ts': ['oracle/account/party-judge'],
  'src/oracle/account/party-judge.ts': ['oracle/account/credential-judge'],
  'src/oracle/account/webhook-requests.ts': ['oracle/account/event-judge', 'common/spellings'],
  'src/oracle/ledger-classes.ts': ['oracle/ledger'],
  'src/oracle/race-models.ts': ['oracle/linearizability'],
  'src/record/signs.ts': ['record/defects', 'record/consequences'],
};

export interface JudgingFile {
  /** Below the project. */
  readonly file: string;
  readonly source: string;
  /** Test files, the likeliest to find a mistake first. */
  readonly tests: readonly string[];
  readonly changes: readonly Change[];
  /** Those of them that are tried for the page. */
  readonly tried: readonly Change[];
}

export function judgingFiles(): readonly JudgingFile[] {
  return globSync(JUDGING_CODE, { cwd: PROJECT })
    .filter((file) => !REMARKS.includes(file))
    .toSorted()
    .map((file) => {
      const source = readFileSync(path.join(PROJECT, file), 'utf8');
      const changes = changesOf(source);
      const tried = changes.filter(({ name }) => isTried(file, name));
      return { file, source, tests: testsOf(file), changes, tried };
    })
    .filter(({ changes }) => changes.length > 0);
}

/** By its name alone: a change elsewhere in the file makes no difference. */
function isTried(file: string, change: string): boolean {
  const oneIn = TRIED_IN_PART[path.dirname(file)] ?? 1;
  return createHash('sha256').update(`${file} ${change}`).digest().readUInt32BE() % oneIn === 0;
}

function testsOf(file: string): readonly string[] {
  const own = file.replace(/^src\/(.*)\.ts$/, '$1');
  return [own, ...(MORE_TESTS[file] ?? [])]
    .map((test) => path.join(PROJECT, 'test/unit', `${test}.test.ts`))
    .filter((test) => existsSync(test));
}
