import { expect, it } from 'vitest';

import type { CheckRecord, CheckRunRecord } from '../../../../src/record/check-record.ts';
import { viewOfCheck } from '../../../../src/report/view/check-view.ts';
import { madeUpRun } from '../../../support/run-records.ts';

function runOf(exitCode: number, ...changes: readonly Partial<CheckRecord>[]): CheckRunRecord {
  const record = madeUpRun({ failures: 0 });
  const checks = record.checks.map((check, index) => ({ ...check, ...changes[index] }));
  return { ...record, checks, summary: { ...record.summary, exitCode } };
}

it('names the line of the descriptor that settles a run which lacks nothing but time', () => {
  const long: Partial<CheckRecord> = { verdict: 'inconclusive', needs: ['virtual-clock'] };
  expect(viewOfCheck(runOf(2, long, long)).sentence).toBe(
    'No failure counts, but not everything could be judged. 2 checks take longer than anyone waits: ' +
      '`waits: 60s` in the descriptor of the target declares that.',
  );
  expect(viewOfCheck(runOf(2, long, { verdict: 'blocked' })).sentence).toBe(
    'No failure counts, but not everything could be judged.',
  );
});

it('says of a run that passed with warnings that the service broke no must', () => {
  const { summary, ...record } = runOf(0);
  const clauses = { ...summary.clauses, total: 9, covered: 9, broken: 2, notJudged: 1 };
  expect(viewOfCheck({ ...record, summary: { ...summary, clauses } })).toMatchObject({
    word: 'PASSED',
    sentence: 'Of the 8 clauses that were judged the service breaks 2, none of them a must.',
  });
});
