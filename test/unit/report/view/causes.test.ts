import { describe, expect, it } from 'vitest';

import type {
  CheckRecord,
  CheckRunRecord,
  ClauseRecord,
  DeviationRecord,
} from '../../../../src/record/check-record.ts';
import { renderGithubSummary } from '../../../../src/report/github.ts';
import { renderHtml } from '../../../../src/report/html/page.ts';
import { renderRun } from '../../../../src/report/terminal/run-terminal.ts';
import { viewOfCheck } from '../../../../src/report/view/check-view.ts';
import { onTerminal } from '../../../support/on-terminal.ts';
import { madeUpRun } from '../../../support/run-records.ts';

/** A run of so many failures, with checks changed by their place. */
function runWith(failures: number, change: (check: CheckRecord, index: number) => Partial<CheckRecord>) {
  const record = madeUpRun({ failures, results: 20, words: 'status 500' });
  return { ...record, checks: record.checks.map((check, index) => ({ ...check, ...change(check, index) })) };
}

const lacks = (name: string, checks: readonly string[]): DeviationRecord => ({
  id: name,
  at: `header ${name} of GET /printers`,
  expected: 'a value',
  actual: 'no such header',
  clauses: [`family-0/${name}`],
  checks,
});

const headsOf = (run: CheckRunRecord): readonly string[] => viewOfCheck(run).causes.map(({ id }) => id);

describe('causes', () => {
  it('stand in the order of what hangs on them: checks first, then clauses', () => {
    const ids = madeUpRun({ results: 20 }).checks.map(({ id }) => id);
    const run = runWith(4, (check, index) => {
      // The fourth has a follower, the second one more clause that is broken.
      if (index === 2) return { followsFrom: ids[3] ?? '' };
      return index === 1 ? { clauses: [...check.clauses, 'family-0/clause-0'] } : {};
    });
    const { causes } = viewOfCheck(run);
    expect(causes.map(({ id }) => id)).toEqual([ids[3], ids[1], ids[0]]);
    expect(causes[0]).toMatchObject({ checks: 2, clauses: 2, level: 'must' });
  });

  it('begin with what a run stopped at, where it did', () => {
    const run = runWith(1, (_, index) => (index > 2 ? { verdict: 'blocked', endedBy: { kind: 'failed-enough' } } : {}));
    const [failed = '', other = '', third = ''] = run.checks.map(({ id }) => id);
    const met = ['204', '205'].map((actual) => ({
      id: actual,
      at: 'status of GET /ping',
      expected: '200',
      actual,
      clauses: ['family-1/clause-1'],
      checks: [other, third],
    }));
    expect(headsOf({ ...run, deviations: met })).toEqual([failed, other, other]);
    expect(headsOf({ ...run, checks: run.checks.slice(0, 3), deviations: met })).toEqual([other, other, failed]);
  });

  it('say what the specification says, what the service did, and which request shows it', () => {
    const [cause] = viewOfCheck(madeUpRun({ failures: 1, words: 'status 500' })).causes;
    expect(cause).toMatchObject({
      clause: 'family-0/clause-0',
      says: expect.stringContaining('clause number 0'),
      did: expect.stringMatching(/^body of GET \/status 500: status 500; expected: status 200/),
      curl: expect.stringContaining('curl'),
    });
  });

  it('are named by a clause that is no consequence, whichever was judged first', () => {
    const run = runWith(2, ({ evidence }, index) => {
      const also = evidence.judgements.map((one) => ({ ...one, clause: 'family-1/clause-1' }));
      return index === 0 ? { evidence: { ...evidence, judgements: [...evidence.judgements, ...also] } } : {};
    });
    const [first = ''] = Object.keys(run.clauses);
    const laid = { ...run.clauses[first], outcome: 'not-judged', since: 'family-1/clause-1' } as ClauseRecord;
    const { causes } = viewOfCheck({ ...run, clauses: { ...run.clauses, [first]: laid } });
    expect(causes.map(({ clause }) => clause)).toEqual(['family-1/clause-1', 'family-1/clause-1']);
  });

  it('name a header that not every request has', () => {
    const run = runWith(1, ({ evidence }) => ({
      evidence: {
        ...evidence,
        exchanges: evidence.exchanges.map((one) => ({
          ...one,
          request: { ...one.request, headers: [['Authorization', 'basic KEY']] },
        })),
      },
    }));
    expect(viewOfCheck(run).causes[0]?.did).toMatch(/; sent with `Authorization: basic KEY`$/);
  });

  it('count a check that lacks what a deviation takes away as one that met it', () => {
    const run = runWith(2, (check) => ({
      verdict: 'blocked',
      endedBy: { kind: 'deviation', name: 'a: no body' },
      evidence: { ...check.evidence, judgements: [] },
    }));
    const one = { id: 'a: no body', at: 'body of DELETE', expected: 'a body', actual: 'nothing', clauses: ['a'] };
    const ids = run.checks.map(({ id }) => id);
    const { causes } = viewOfCheck({ ...run, deviations: [{ ...one, checks: ids }] });
    expect(causes.map(({ clause, checks }) => [clause, checks])).toEqual([['a', ids.length]]);
  });

  it('tell once what the service does otherwise wherever it does it, with how many checks met it', () => {
    const record = madeUpRun({ failures: 2, words: 'status 500' });
    const ids = record.checks.map(({ id }) => id);
    const one = { id: 'a', at: 'status of POST /printjobs', expected: '201', actual: '200', checks: ids };
    const { causes } = viewOfCheck({ ...record, deviations: [{ ...one, clauses: ['family-1/clause-1'] }] });
    expect(causes.map(({ clause }) => clause)).toEqual(['family-1/clause-1', 'family-0/clause-0']);
    expect(causes[0]).toMatchObject({
      checks: ids.length,
      did: expect.stringMatching(/^status of POST \/printjobs: 200; expected: 201; met in 10 checks/),
    });
  });

  it('are one for what an answer does in the same way in several places', () => {
    const record = madeUpRun({ failures: 0, results: 4 });
    const [first = '', second = ''] = record.checks.map(({ id }) => id);
    const deviations = [lacks('A', [first, second]), lacks('B', [first, second]), lacks('C', [first])];
    const { causes } = viewOfCheck({ ...record, deviations });
    expect(causes.map(({ clauses, did }) => [clauses, did.replace(/; met in.*/, '')])).toEqual([
      [2, 'header A of GET /printers: no such header; expected: a value; likewise header B of GET /printers'],
      [1, 'header C of GET /printers: no such header; expected: a value'],
    ]);
  });

  it('show the request of the finding that they name, not of one that matters less', () => {
    const run = runWith(1, ({ verdict, evidence }) => {
      if (verdict !== 'fail') return {};
      const [judgement] = evidence.judgements;
      const [exchange] = evidence.exchanges;
      if (!judgement?.mismatch || !exchange) throw new Error('a failed check has both');
      const other = { ...exchange, position: 99, curl: 'curl OTHER' };
      const mismatch = { ...judgement.mismatch, exchange: 99 };
      return {
        evidence: {
          ...evidence,
          judgements: [{ ...judgement, clause: 'no/such-clause', mismatch }, judgement],
          exchanges: [other, exchange],
        },
      };
    });
    expect(viewOfCheck(run).causes[0]).toMatchObject({ clause: 'family-0/clause-0', curl: "curl 'status 500'" });
  });

  it('show the request that got no answer, not the one before it', () => {
    const run = runWith(1, ({ verdict, evidence }) => {
      const [exchange] = evidence.exchanges;
      if (verdict !== 'fail' || !exchange) return {};
      const { request } = exchange;
      const unanswered = [{ request, kind: 'timeout', message: 'none', durationMs: 0, curl: 'curl UNANSWERED' }];
      return { evidence: { ...evidence, judgements: [], unanswered } };
    });
    expect(viewOfCheck(run).causes[0]?.curl).toBe('curl UNANSWERED');
  });

  it('begin with a service that went away, by the request that was under way', () => {
    const run = runWith(1, (_, index) =>
      index > 5 ? { verdict: 'blocked', endedBy: { kind: 'went-away', name: 'a/b' } } : {},
    );
    const [first] = viewOfCheck({ ...run, summary: { ...run.summary, exitCode: 75, lostIn: 'a/b' } }).causes;
    expect(first).toMatchObject({ checks: 14, did: expect.stringMatching(/^It went away/), curl: "curl 'status 500'" });
  });
});

const LACKING: CheckRunRecord = (() => {
  const record = madeUpRun({ failures: 12, results: 20, words: 'status 500' });
  const notOffered = [
    { name: 'webhooks', isDeclared: false },
    { name: 'GET /download/client/{os}', isDeclared: false },
    { name: 'scales', isDeclared: true },
  ];
  const endedBy = { kind: 'not-offered', name: 'webhooks' } as const;
  const checks = record.checks.map((check, index) =>
    index > 17 ? { ...check, verdict: 'not-offered' as const, endedBy } : check,
  );
  return { ...record, checks, target: { ...record.target, notOffered }, summary: { ...record.summary, exitCode: 1 } };
})();

describe('a report', () => {
  it('says what is not offered, and how a descriptor declares it', () => {
    const { lacks, sentence } = viewOfCheck(LACKING);
    expect(lacks.map(({ text }) => text)).toEqual([
      'webhooks, needed by 2 checks; `capabilities: { webhooks: false }` in the target descriptor says so',
      "GET /download/client/{os}; `capabilities: { 'GET /download/client/{os}': false }` in the target descriptor says so",
      'scales, as declared',
    ]);
    expect(sentence).toContain(
      'It does not offer webhooks, GET /download/client/{os}, and its descriptor does not say so.',
    );
  });

  it('says in one line why many checks are not judged', () => {
    const run = madeUpRun({ failures: 1, results: 20, words: 'status 500' });
    const reasons = [...Array<string>(5).fill('needs a key'), ...Array<string>(7).fill('needs a computer'), 'is odd'];
    const checks = run.checks.map((check, index) => {
      const message = reasons[index];
      return message === undefined ? check : { ...check, verdict: 'untestable' as const, message };
    });
    const text = '7 checks (needs a computer), 5 checks (needs a key)';
    expect(viewOfCheck({ ...run, checks }).lacks).toEqual([{ label: 'Not judged', text }]);
  });

  it.each([
    ['terminal', onTerminal(renderRun(LACKING))],
    ['page', renderHtml([LACKING]).replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')],
    ['summary', renderGithubSummary([LACKING])],
  ])('begins on the %s with what is not offered, ten causes, and the chapters', (_, text) => {
    const parts = ['Not offered', 'What to fix first', 'family-0/clause-0', 'family-9/clause-9', 'chapter'];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});
