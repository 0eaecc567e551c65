import { describe, expect, it } from 'vitest';

import { planFleet, submissionsByShard } from '../../../../src/load/plan/fleet-plan.ts';
import { arrivals, planLoad } from '../../../../src/load/plan/load-plan.ts';
import { JOBS_STREAM, loadScenario } from '../../../support/load-scenario.ts';

const URL = 'http://127.0.0.1:1';
const PLAN = planLoad(loadScenario());

describe('the plan of a fleet', () => {
  it('counts for each shard the requests that it will send', () => {
    const { shards } = planFleet(PLAN, 3, URL);
    const sent = [1, 2, 3].map((index) => [...arrivals(PLAN, { index, count: 3 })]);
    expect(shards.map(({ requests }) => requests)).toEqual(sent.map(({ length }) => length));
    const jobs = sent.map((all) => all.filter(({ stream }) => stream === 0).length);
    expect(shards.map(({ submissions }) => submissions)).toEqual(jobs);
    expect(submissionsByShard(PLAN, 3)).toEqual(jobs);
  });

  it.each([1, 2, 3, 8])('adds %i shards up to the whole, each account and computer once', (count) => {
    const { shards, sum } = planFleet(PLAN, count, URL);
    const { requests, submissions, bytes } = planFleet(PLAN, 1, URL).sum;
    expect(shards).toHaveLength(count);
    expect(sum).toMatchObject({ requests, submissions, computers: 11, accounts: 7 });
    expect(Math.abs(sum.bytes - bytes)).toBeLessThanOrEqual(count);
    expect(sum.connections).toBe(11 + count * 1_000);
  });

  it('estimates callers that wait for their answers, as the plan does', () => {
    const closed = { ...JOBS_STREAM, arrivals: { kind: 'closed', loops: 14, thinkMs: 95 } } as const;
    const plan = planLoad(loadScenario({ streams: [closed] }));
    const { sum } = planFleet(plan, 3, URL);
    expect(sum.requests).toBe(plan.estimate.requests);
    expect(sum.submissions).toBe(plan.estimate.jobs);
  });

  it('names the addresses that each machine must have', () => {
    expect(planFleet(PLAN, 2, URL).sum.sources).toEqual([]);
    expect(planFleet(PLAN, 2, 'http://print.example').sum.sources).toEqual([]);
    const named = planLoad(loadScenario({ sources: ['192.0.2.7', '192.0.2.8'] }));
    const { shards } = planFleet(named, 2, 'http://print.example');
    expect(shards.map(({ sources }) => sources.length)).toEqual([2, 2]);
  });

  it('refuses more computers than its addresses allow', () => {
    const [shop] = PLAN.scenario.computers;
    const many = planLoad(loadScenario({ computers: shop ? [{ ...shop, count: 6_000 }] : [] }));
    expect(() => planFleet(many, 2, 'http://print.example')).toThrow('need 2 source addresses');
  });
});
