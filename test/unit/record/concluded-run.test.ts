import { expect, it } from 'vitest';

import { clauseCounts, concluded } from '../../../src/record/concluded-run.ts';
import type { CheckRecord, ClauseRecord } from '../../../src/record/check-record.ts';
import { madeUpRun } from '../../support/run-records.ts';

const [madeUp] = madeUpRun({ failures: 1 }).checks;
if (!madeUp) throw new Error('it has a check');

const mismatch = { at: 'it', expected: 'this', actual: 'that' };

function check(id: string, verdict: CheckRecord['verdict'], ...clauses: readonly string[]): CheckRecord {
  const judgements = clauses.map((clause) => ({ clause, ...(verdict === 'fail' && { mismatch }) }));
  return { ...(madeUp as CheckRecord), id, verdict, evidence: { ...(madeUp as CheckRecord).evidence, judgements } };
}

const clause = (outcome: ClauseRecord['outcome'], status: ClauseRecord['status'] = 'covered'): ClauseRecord => ({
  level: 'must',
  statement: '',
  status,
  outcome,
  checks: [],
});

const CHECKS = [check('a/all', 'fail', 'cause', 'specified', 'linked'), check('a/kept', 'pass', 'specified', 'linked')];

it('takes a consequence for not judged, of the specification and of the device link, and says since what', () => {
  const clauses = { cause: clause('broken'), specified: clause('broken') };
  const told = concluded({ checks: CHECKS, clauses, linkClauses: { linked: clause('broken') } });
  const since = { ...clause('not-judged'), since: 'cause' };
  expect(told).toEqual({
    checks: CHECKS,
    clauses: { cause: clause('broken'), specified: since },
    linkClauses: { linked: since },
  });
  expect(concluded({ checks: CHECKS, clauses })).not.toHaveProperty('linkClauses');
});

it('lets a check of consequences follow from one of their cause', () => {
  const [all, kept] = CHECKS;
  const part = check('a/part', 'fail', 'specified');
  const clauses = { cause: clause('broken'), specified: clause('broken') };
  const { checks } = concluded({ checks: [part, ...CHECKS, { ...(kept as CheckRecord), id: 'a/again' }], clauses });
  expect(checks[0]).toEqual({ ...part, followsFrom: all?.id });
});

it('counts clauses by what became of them', () => {
  const clauses = {
    kept: clause('kept'),
    broken: clause('broken'),
    absent: clause('not-offered'),
    silent: clause('not-judged'),
    excluded: clause('not-judged', 'excluded'),
    absentExcluded: clause('not-offered', 'excluded'),
    open: clause('not-judged', 'not-yet'),
  };
  expect(clauseCounts(clauses)).toEqual({
    total: 7,
    covered: 4,
    excluded: 2,
    notYet: 1,
    broken: 1,
    notOffered: 1,
    notJudged: 1,
  });
});
