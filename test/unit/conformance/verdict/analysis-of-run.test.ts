/**
 * Analysis of a real run, as it was stored and with one thing in it changed.
 */

import { gzipSync } from 'node:zlib';

import { beforeAll, expect, it } from 'vitest';

import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { readExchangeLog, renderExchangeLog } from '../../../../src/conformance/record/exchange-log.ts';
import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import {
  analyzeRun,
  type Analysis,
  type StoredExchange,
  type StoredRun,
} from '../../../../src/conformance/verdict/analysis.ts';
import { EXCHANGE_RULES } from '../../../../src/oracle/exchange-rules.ts';
import { INVARIANTS } from '../../../../src/oracle/invariants.ts';
import type { CheckRunRecord } from '../../../../src/record/check-record.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';

let record: CheckRunRecord;
let exchanges: readonly StoredExchange[];

beforeAll(async () => {
  const target = await startEmbeddedTarget();
  const result = await runConformance({ target, seed: 3, grep: '^(misc|every-response)/|^tags/life$' });
  await target.close();
  record = buildRunRecord(result);
  exchanges = readExchangeLog(renderExchangeLog(result)).map((line) => ({
    request: { method: line.method, path: line.path, headers: line.asked },
    response: { status: line.status, headers: line.headers, body: Buffer.from(line.body) },
    isAltered: line.isAltered,
    sentMs: line.sentMs,
    receivedMs: line.receivedMs,
  }));
});

/** The run with one check changed. */
function withCheck(id: string, change: Partial<CheckRunRecord['checks'][number]>): Analysis {
  const checks = record.checks.map((check) => (check.id === id ? { ...check, ...change } : check));
  return analyzeRun({ ...record, checks } satisfies StoredRun, exchanges);
}

it('finds no contradiction in a run as it was stored', () => {
  expect(exchanges).toHaveLength(record.summary.requests);
  expect(analyzeRun(record, exchanges)).toMatchObject({ contradictions: [], checks: record.checks.length });
});

it('finds a verdict that its judgements do not bear out', () => {
  expect(withCheck('misc/ping', { verdict: 'fail' }).contradictions).toEqual([
    'misc/ping is stored as fail, and no judgement of it says so',
    '0 checks are counted as fail, and 1 are there',
    expect.stringMatching(/^\d+ checks are counted as pass, and \d+ are there$/),
    'the exit code is stored as 0, and the verdicts say 1',
  ]);
});

it('finds a pass with a broken clause in it, and what that makes of the coverage', () => {
  const mismatch = { at: 'GET /ping', expected: 'status 200', actual: 'status 500' };
  const evidence = {
    judgements: [{ clause: 'misc/ping', mismatch }],
    exchanges: [],
    unanswered: [],
    notes: [],
  } as const;
  const { contradictions } = withCheck('misc/ping', { evidence });
  expect(contradictions[0]).toBe('misc/ping is stored as pass, and a judgement of it says fail');
  expect(contradictions.at(-1)).toMatch(/^0 clauses are counted as broken, and 1 are$/);
});

it('finds a pass that judged less than it declares', () => {
  const check = record.checks.find(({ id }) => id === 'tags/life');
  const judgements = check?.evidence.judgements.filter(({ clause }) => clause !== 'accounts/tag-delete') ?? [];
  const { contradictions } = withCheck('tags/life', {
    evidence: { judgements, exchanges: [], unanswered: [], notes: [] },
  });
  expect(contradictions).toContain('tags/life is stored as pass, and did not judge accounts/tag-delete');
});

it('finds a response that breaks a rule which the run says was kept', () => {
  const [first, ...others] = exchanges;
  if (!first) throw new Error('no exchange');
  const headers = first.response.headers.filter(([name]) => name !== 'Request-Id');
  const changed = [{ ...first, response: { ...first.response, headers } }, ...others];
  expect(analyzeRun(record, changed).contradictions).toEqual([
    expect.stringMatching(/^service\/request-id-present is stored as kept, and exchange 0 breaks it/),
  ]);
});

it('finds a response that breaks a rule which the run did not judge', () => {
  const checks = record.checks.filter(({ id }) => !id.startsWith('every-response/'));
  const clauses = Object.fromEntries(
    Object.entries(record.clauses).map(([id, clause]) => [id, { ...clause, outcome: 'not-judged' as const }]),
  );
  const bare = exchanges.map((one) => ({ ...one, response: { ...one.response, headers: [] } }));
  const { findings } = analyzeRun({ ...record, checks, clauses }, bare);
  expect(findings).toContainEqual(expect.stringMatching(/^service\/request-id-present: exchange 0 breaks it/));
});

it('holds nothing against a body that was changed to hide a key', () => {
  const changed = exchanges.map((exchange) => ({
    ...exchange,
    response: { ...exchange.response, body: Buffer.from('…') },
    isAltered: true,
  }));
  expect(analyzeRun(record, changed).contradictions).toEqual([]);
});

it('judges the rules of every response again, where exchanges were stored', () => {
  expect(analyzeRun(record, exchanges).invariants).toBe(INVARIANTS.length + EXCHANGE_RULES.length);
  expect(analyzeRun(record, exchanges.slice(0, 1)).invariants).toBe(INVARIANTS.length + EXCHANGE_RULES.length);
  expect(analyzeRun(record, []).invariants).toBe(0);
});

it('counts the judgements of all checks', () => {
  const count = record.checks.flatMap(({ evidence }) => evidence.judgements).length;
  expect(analyzeRun(record, exchanges).judgements).toBe(count);
});

const breaks = (line: string): boolean => /^service\/request-id-present.*breaks it/.test(line);

it('reports a broken rule of every response once: as a contradiction, or as a finding', () => {
  const bare = exchanges.map((one) => ({ ...one, response: { ...one.response, headers: [] } }));
  const outcomes = { broken: [0, 0], kept: [1, 0], 'not-judged': [0, 1] } as const;
  for (const [outcome, [contradictions, findings]] of Object.entries(outcomes)) {
    const clauses = { 'service/request-id-present': { level: 'must', outcome } };
    const told = analyzeRun({ ...record, clauses }, bare);
    expect(told.contradictions.filter(breaks)).toHaveLength(contradictions);
    expect(told.findings.filter(breaks)).toHaveLength(findings);
  }
});

it('blames a changed body for nothing that a header breaks, whatever the path', () => {
  const [first, ...others] = exchanges;
  if (!first) throw new Error('no exchange');
  const request = { ...first.request, path: '/account/tag/body' };
  const headers = first.response.headers.filter(([name]) => name !== 'Request-Id');
  const altered = { ...first, request, response: { ...first.response, headers }, isAltered: true };
  expect(analyzeRun(record, [altered, ...others]).contradictions).toContainEqual(
    expect.stringMatching(/^service\/request-id-present is stored as kept, and exchange 0 breaks it/),
  );
});

it('blames a body for what it breaks where nothing in it was changed', () => {
  const [first, ...others] = exchanges;
  if (!first) throw new Error('no exchange');
  const other = { ...first, response: { ...first.response, body: Buffer.from('"another"') } };
  expect(analyzeRun(record, [other, ...others]).contradictions).toContainEqual(
    expect.stringMatching(/^service\/content-md5\S* is stored as kept, and exchange 0 breaks it/),
  );
});

it('takes a clause that the run does not name for one that it did not judge', () => {
  const bare = exchanges.map((one) => ({ ...one, response: { ...one.response, headers: [] } }));
  expect(analyzeRun({ ...record, clauses: {} }, bare).findings).toContainEqual(
    expect.stringMatching(/^service\/request-id-present: exchange 0 breaks it/),
  );
});

it('reads no log that unpacks into more than a run writes', () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, '\n'));
  expect(() => readExchangeLog(bomb)).toThrow('larger than');
});
