import { expect, it } from 'vitest';

import type { CheckRecord, CheckRunRecord, ClauseRecord } from '../../../../src/record/check-record.ts';
import { renderRun } from '../../../../src/report/terminal/run-terminal.ts';
import { viewOfCheck } from '../../../../src/report/view/check-view.ts';
import { madeUpRun } from '../../../support/run-records.ts';
import { onTerminal } from '../../../support/on-terminal.ts';

function runOf(exitCode: number, ...changes: readonly Partial<CheckRecord>[]): CheckRunRecord {
  const record = madeUpRun({ failures: 0 });
  const checks = record.checks.map((check, index) => ({ ...check, ...changes[index] }));
  return { ...record, checks, summary: { ...record.summary, exitCode } };
}

it('names the line of the descriptor that settles a run which lacks nothing but time', () => {
  const long: Partial<CheckRecord> = { verdict: 'inconclusive', needs: ['virtual-clock'] };
  expect(viewOfCheck(runOf(2, long, long)).sentence).toBe(
    'No failure counts, but not everything could be judged. 2 checks take longer than a run can wait: ' +
      '`waits: 60s` in the target descriptor declares that.',
  );
  expect(viewOfCheck(runOf(2, long, { verdict: 'blocked' })).sentence).toBe(
    'No failure counts, but not everything could be judged.',
  );
});

it('says of failures without a broken clause that there are some, and else what is wrong with the known ones', () => {
  const known = { reason: 'old', owner: 'us', expires: '2027-01-01' };
  expect(viewOfCheck(runOf(1, { verdict: 'fail' })).sentence).toBe('1 check failed before judging anything.');
  const run = runOf(1, { verdict: 'fail', known });
  const outOfDate = { ...run, summary: { ...run.summary, baselineProblems: ['line 2: misc/ping passes'] } };
  expect(viewOfCheck(outOfDate).sentence).toBe(
    'The list of known failures is out of date, and no other failure counts.',
  );
});

it.each(['interrupted', 'failed-enough', 'process-lost', 'went-away'] as const)(
  'counts a check as skipped that ended by: %s',
  (kind) => {
    const [result] = viewOfCheck(runOf(2, { verdict: 'blocked', message: 'in any words', endedBy: { kind } })).results;
    expect(result).toMatchObject({ standing: 'skipped', message: 'in any words' });
  },
);

it('says when a target went away, how much was left, and what had been found until then', () => {
  const left: Partial<CheckRecord> = { verdict: 'blocked', endedBy: { kind: 'went-away', name: 'misc/ping' } };
  const record = runOf(75, left, left);
  const lost = { ...record, summary: { ...record.summary, lostIn: 'misc/ping' } };
  const total = record.checks.length;
  expect(viewOfCheck(lost)).toMatchObject({
    word: 'CUT SHORT',
    sentence: `The service went away during misc/ping: nothing listens there any more. 2 of ${total} checks did not finish. No failure counts.`,
  });
  const { clauses } = runThatBroke(75, ['must']);
  expect(viewOfCheck({ ...lost, clauses }).sentence).toMatch(/finish\. The service breaks 1 of the \d+ clauses/);
});

it('says that a run stopped at its failures, and how much of it did not run', () => {
  const stopped: Partial<CheckRecord> = { verdict: 'blocked', endedBy: { kind: 'failed-enough' } };
  const record = runOf(1, { verdict: 'fail' }, stopped, stopped);
  expect(viewOfCheck(record)).toMatchObject({
    word: 'FAILED',
    sentence: `1 check failed before judging anything. It stopped there, as -x or --max-failures says: 2 of ${record.checks.length} checks did not run to the end.`,
  });
});

type Level = 'must' | 'should' | 'observed';

/** A run whose first clauses, of these levels, were broken. */
function runThatBroke(exitCode: number, levels: readonly Level[], strict?: true): CheckRunRecord {
  const record = runOf(exitCode);
  const clauses = Object.entries(record.clauses).map(([id, clause], index) => {
    const level = levels[index];
    return [id, level === undefined ? clause : { ...clause, level, outcome: 'broken' as const }] as const;
  });
  return { ...record, clauses: Object.fromEntries(clauses), ...(strict && { strict }) };
}

it.each<readonly [string, CheckRunRecord, RegExp]>([
  [
    'no breach of what is only observed',
    runThatBroke(0, ['observed']),
    /keeps the \d+ clauses that were judged, and differs in 1 from what was only observed\.$/,
  ],
  [
    'a should apart, as a warning',
    runThatBroke(0, ['should', 'observed']),
    /breaks no must among the \d+ clauses that were judged, and 1 of level should\.$/,
  ],
  [
    'the musts alone as broken',
    runThatBroke(1, ['must', 'observed', 'must']),
    /breaks 2 of the \d+ clauses that were judged\.$/,
  ],
  [
    'musts, and a should as a warning',
    runThatBroke(1, ['must', 'should', 'observed']),
    /breaks 1 of the \d+ clauses that were judged, and 1 of level should, which only warns\.$/,
  ],
  [
    'a should as broken in a strict run',
    runThatBroke(1, ['should', 'observed'], true),
    /breaks 1 of the \d+ clauses that were judged\.$/,
  ],
  ['a must that is known', runThatBroke(0, ['must']), /clauses that were judged\. The failures are known\.$/],
])('counts %s', (_, record, sentence) => {
  expect(viewOfCheck(record).sentence).toMatch(sentence);
});

it('says of a consequence since which clause it is not judged, and counts it as no breach', () => {
  const record = runThatBroke(1, ['must', 'must']);
  const [cause = '', consequence = ''] = Object.keys(record.clauses);
  const laid = { ...record.clauses[consequence], outcome: 'not-judged', since: cause } as ClauseRecord;
  const view = viewOfCheck({ ...record, clauses: { ...record.clauses, [consequence]: laid } });
  expect(view.clauses[1]).toMatchObject({
    outcome: 'not judged',
    reason: `Not judged: all that was found of it comes of ${cause} being broken`,
  });
  expect(view.sentence).toMatch(/^The service breaks 1 of the/);
});

it('says the same of the clauses in the line above the verdict, and in the badge', () => {
  const record = runThatBroke(1, ['must', 'should', 'observed']);
  const { covered, total } = record.summary.clauses;
  expect(onTerminal(renderRun(record))).toContain(
    `${total} clauses: ${covered} covered, 1 of them broken, 1 of them with a warning, `,
  );
  expect(viewOfCheck(record).badge.text).toBe(`${covered - 3}/${covered} clauses`);
  const outcomes = viewOfCheck(record).clauses.map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 3)).toEqual(['broken', 'warned', 'differs']);
});
