import { expect, it } from 'vitest';

import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import type { CheckRunRecord, ClauseRecord, JudgementRecord } from '../../../../src/record/check-record.ts';
import { combine } from '../../../../src/report/read/combine.ts';
import { missingShards } from '../../../../src/report/read/shards.ts';
import { viewOf } from '../../../../src/report/view/view-of.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';
import { madeUpRun, madeUpScenarios } from '../../../support/run-records.ts';

const GREP = '^(misc|paging|sets|authentication)/';

async function realRun(shard?: { readonly index: number; readonly count: number }): Promise<CheckRunRecord> {
  const target = await startEmbeddedTarget();
  const result = await runConformance({ target, seed: 5, grep: GREP, ...(shard && { shard }) });
  await target.close();
  return buildRunRecord(result);
}

/** The n-th of several parts of a run, as a machine of its own would have made it. */
function shardOf(run: CheckRunRecord, index: number, of: number): CheckRunRecord {
  const checks = run.checks.filter((_, position) => position % of === index - 1);
  const ids = new Set(checks.flatMap(({ clauses }) => clauses));
  const clauses = Object.entries(run.clauses).map(
    ([id, clause]) => [id, ids.has(id) ? clause : { ...clause, outcome: 'not-judged' as const }] as const,
  );
  const failures = checks.filter(({ verdict }) => verdict === 'fail').length;
  return {
    ...run,
    runId: `${run.runId}-${index}`,
    startedAt: `2026-01-02T03:04:0${index}.000Z`,
    selection: { ...run.selection, shards: { held: [index], of } },
    clauses: Object.fromEntries(clauses),
    checks,
    summary: { ...run.summary, requests: index, exitCode: failures > 0 ? 1 : 0 },
  };
}

function combined(...records: readonly CheckRunRecord[]): unknown {
  const result = combine(records.map((record, index) => ({ file: `${index + 1}.json`, record })));
  return result.ok ? result.value : result.error;
}

it('makes of the shards of a real run what the run would have been', { timeout: 60_000 }, async () => {
  const whole = await realRun();
  const parts = [
    await realRun({ index: 2, count: 3 }),
    await realRun({ index: 1, count: 3 }),
    await realRun({ index: 3, count: 3 }),
  ];
  const result = combine(parts.map((record, index) => ({ file: `${index}.json`, record })));
  const [merged] = result.ok ? result.value : [];
  if (merged?.kind !== 'check') throw new Error('the shards are merged');
  expect(merged.checks.map(({ id, verdict }) => [id, verdict])).toEqual(
    whole.checks.map(({ id, verdict }) => [id, verdict]),
  );
  expect(merged.clauses).toEqual(whole.clauses);
  expect(merged.linkClauses).toEqual(whole.linkClauses);
  expect(merged.selection).toEqual(whole.selection);
  expect(merged.summary).toEqual({ ...whole.summary, requests: merged.summary.requests });
  expect(merged.runId).toMatch(/^check-.*-merged$/);
});

it('merges in any order, also in several goes', () => {
  const run = madeUpRun({ results: 12, failures: 5 });
  const [one, two, three] = [shardOf(run, 1, 3), shardOf(run, 2, 3), shardOf(run, 3, 3)] as const;
  const first = combined(one, two, three);
  expect(combined(three, one, two)).toEqual(first);
  const [half] = combined(one, two) as readonly CheckRunRecord[];
  const [again] = combined(three, half ?? one) as readonly CheckRunRecord[];
  expect(again?.summary).toEqual((first as readonly CheckRunRecord[])[0]?.summary);
  expect(again?.selection.shards).toBeNull();
});

it('judges of the whole whether a clause is a consequence, whatever its shards say', () => {
  const run = madeUpRun({ results: 4, failures: 3 });
  const [cause = '', , late = ''] = Object.keys(run.clauses);
  const laid = { ...run.clauses[late], outcome: 'not-judged', since: cause } as ClauseRecord;
  const [first] = run.checks;
  const asFirst = first?.evidence.judgements.map((one) => ({ ...one, clause: late })) ?? [];
  /** The second check finds the clause broken as the first one is, and the last keeps it. */
  const lateIn = (third: readonly JudgementRecord[]): unknown => {
    const judgements = [first?.evidence.judgements ?? [], asFirst, third, [{ clause: late }]];
    const checks = run.checks.map((check, index) => {
      const evidence = { ...check.evidence, ...(index === 1 && first?.evidence), judgements: judgements[index] ?? [] };
      return { ...check, evidence };
    });
    const whole = { ...run, checks, clauses: { ...run.clauses, [late]: laid } };
    const [merged] = combined(shardOf(whole, 1, 2), shardOf(whole, 2, 2)) as readonly CheckRunRecord[];
    return merged?.clauses[late];
  };
  expect(lateIn([])).toEqual(laid);
  const { since: _since, ...broken } = { ...laid, outcome: 'broken' };
  expect(lateIn(run.checks[2]?.evidence.judgements ?? [])).toEqual(broken);
});

const deviation = (id: string, { checks }: CheckRunRecord) => ({
  id,
  clauses: [id],
  at: 'status of GET /ping',
  expected: '200',
  actual: '204',
  checks: checks.map((check) => check.id),
});

it('tells what any shard met otherwise than printed, once and with the checks of all', () => {
  const run = madeUpRun({ results: 4 });
  const [one, other] = [shardOf(run, 1, 2), shardOf(run, 2, 2)];
  const result = combined(
    { ...one, deviations: [deviation('a', one)] },
    { ...other, deviations: [{ ...deviation('a', other), at: 'GET /noop', clauses: ['c'] }, deviation('b', other)] },
  );
  const ids = [one, other].map(({ checks }) => checks.map(({ id }) => id));
  expect(result).toMatchObject([
    {
      deviations: [
        { id: 'a', checks: ids.flat(), likewise: [{ at: 'GET /noop', clause: 'c' }] },
        { id: 'b', checks: ids[1] },
      ],
    },
  ]);
});

it('is incomplete without a shard, and names it', () => {
  const run = madeUpRun({ results: 12, failures: 0 });
  const [merged] = combined(shardOf(run, 1, 4), shardOf(run, 3, 4)) as readonly CheckRunRecord[];
  if (!merged) throw new Error('the shards are merged');
  expect(missingShards(merged.selection)).toEqual([2, 4]);
  expect(merged.summary.exitCode).toBe(2);
  expect(viewOf(merged)).toMatchObject({
    word: 'INCOMPLETE',
    remarks: ['Not all of the plan was run: shard 2, 4 of 4 is missing.'],
  });
});

it('has failed where a shard has failed, complete or not', () => {
  const run = madeUpRun({ results: 12, failures: 1 });
  const [merged] = combined(shardOf(run, 1, 4), shardOf(run, 3, 4)) as readonly CheckRunRecord[];
  expect(merged?.summary.exitCode).toBe(1);
});

it('is cut short where the target of a shard went away', () => {
  const run = madeUpRun({ results: 12, failures: 1 });
  const [one, two] = [shardOf(run, 1, 2), shardOf(run, 2, 2)] as const;
  const lost = { ...two, summary: { ...two.summary, exitCode: 75, lostIn: 'misc/ping' } };
  const [merged] = combined(one, lost) as readonly CheckRunRecord[];
  expect(merged?.summary).toMatchObject({ exitCode: 75, lostIn: 'misc/ping' });
});

it.each([
  ['seeds', { seed: 8 }, 'the seed is 7 in one and 8 in the other'],
  ['targets', { target: { ...madeUpRun().target, baseUrl: 'https://other.example' } }, 'the target is'],
  [
    'plans',
    { selection: { ...madeUpRun().selection, grep: 'scales', shards: { held: [2], of: 3 } } },
    'the plan is 12 checks, profile full in one and 10 checks, profile full, matching scales in the other',
  ],
  ['versions', { platenVersion: '9.9.9' }, 'the platen is 1.2.3 in one and 9.9.9 in the other'],
])('refuses shards of different %s', (_, change, words) => {
  const run = madeUpRun({ results: 12, failures: 0 });
  const other = { ...shardOf(run, 2, 3), ...change };
  expect(combined(shardOf(run, 1, 3), { ...other, selection: { ...run.selection, ...other.selection } })).toContain(
    words,
  );
});

it('refuses a shard that is there twice', () => {
  const run = madeUpRun({ results: 12, failures: 0 });
  expect(combined(shardOf(run, 1, 2), shardOf(run, 1, 2))).toBe('shard 1 is in both 1.json and 2.json');
});

it('shows whole runs side by side, each of them once, in the order they were named', () => {
  const [run, other] = [madeUpRun({ results: 4 }), { ...madeUpRun({ results: 4 }), seed: 8 }];
  const named = [
    madeUpScenarios(),
    shardOf(other, 2, 2),
    shardOf(run, 1, 2),
    shardOf(run, 2, 2),
    shardOf(other, 1, 2),
    run,
  ];
  const result = combine(named.map((record, index) => ({ file: `${index}.json`, record })));
  const shown = result.ok ? result.value.map((record) => [record.kind, 'seed' in record && record.seed]) : [];
  expect(shown).toEqual([
    ['run', null],
    ['check', 8],
    ['check', 7],
    ['check', 7],
  ]);
});
