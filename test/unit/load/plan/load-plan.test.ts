import fc from 'fast-check';
import { expect, it } from 'vitest';

import {
  accountsOf,
  arrivals,
  loops,
  loopTurn,
  planLoad,
  WHOLE,
  type Arrival,
} from '../../../../src/load/plan/load-plan.ts';
import { JOBS_STREAM, loadScenario, MIXED_STREAM } from '../../../support/load-scenario.ts';

const PLAN = planLoad(loadScenario());

function keyOf({ stream, index }: Arrival): string {
  return `${stream}/${index}`;
}

it('joins to the one plan, arrival by arrival, for any number of shards', () => {
  const whole = [...arrivals(PLAN, WHOLE)];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), (count) => {
      const parts = Array.from({ length: count }, (_, at) => [...arrivals(PLAN, { index: at + 1, count })]);
      const joined = new Map(parts.flat().map((arrival) => [keyOf(arrival), arrival]));
      expect(parts.flat()).toHaveLength(whole.length);
      expect(whole.map((arrival) => joined.get(keyOf(arrival)))).toEqual(whole);
    }),
    { numRuns: 12 },
  );
});

it('splits no account between shards', () => {
  const owners = new Map<number, Set<number>>();
  for (let index = 1; index <= 3; index++) {
    for (const { account } of arrivals(PLAN, { index, count: 3 })) {
      owners.set(account, (owners.get(account) ?? new Set()).add(index));
    }
  }
  expect([...owners.values()].every((shards) => shards.size === 1)).toBe(true);
  expect([1, 2, 3].flatMap((index) => accountsOf(PLAN, { index, count: 3 })).toSorted((a, b) => a - b)).toEqual([
    0, 1, 2, 3, 4, 5, 6,
  ]);
});

it('brings the arrivals of all streams in one ascending order', () => {
  const times = [...arrivals(PLAN, WHOLE)].map(({ intendedMs }) => intendedMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it('keeps the draws of a stream when another stream is added or removed', () => {
  const alone = planLoad(loadScenario({ streams: [JOBS_STREAM] }));
  const among = [...arrivals(PLAN, WHOLE)].filter(({ stream }) => stream === 0);
  expect([...arrivals(alone, WHOLE)]).toEqual(among);
});

it('draws operations by their weights, and accounts evenly', () => {
  const stream = {
    ...MIXED_STREAM,
    arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 4_000 } },
  } as const;
  const all = [...arrivals(planLoad(loadScenario({ streams: [stream] })), WHOLE)];
  const share = all.filter(({ operation }) => operation === 0).length / all.length;
  expect(share).toBeCloseTo(0.75, 1);
  const perAccount = [0, 1, 2, 3, 4, 5, 6].map((account) => all.filter((one) => one.account === account).length);
  expect(Math.min(...perAccount) / Math.max(...perAccount)).toBeGreaterThan(0.85);
});

it('has a hash that differs by scenario and seed only', () => {
  const hashes = [PLAN, planLoad(loadScenario()), planLoad(loadScenario(), 8), planLoad(loadScenario({ accounts: 8 }))];
  const [first, again, seeded, changed] = hashes.map(({ hash }) => hash);
  expect(again).toBe(first);
  expect(new Set([first, seeded, changed]).size).toBe(3);
});

it('keeps each caller of a closed stream with one account, and numbers its turns over the whole stream', () => {
  const closed = { ...JOBS_STREAM, arrivals: { kind: 'closed', loops: 9, thinkMs: 0 } } as const;
  const plan = planLoad(loadScenario({ streams: [closed] }));
  const shards = [1, 2].flatMap((index) => loops(plan, { index, count: 2 }));
  expect(shards.toSorted((a, b) => a.loop - b.loop)).toEqual(loops(plan, WHOLE));
  const turns = loops(plan, WHOLE).flatMap((loop) => [0, 1, 2].map((turn) => loopTurn(plan, loop, turn, 5)));
  expect(new Set(turns.map(({ index }) => index)).size).toBe(27);
});

it('numbers computers and printers over the room, and knows their accounts', () => {
  const { room } = PLAN;
  expect([room.computerCount, room.printerCount]).toEqual([11, 21]);
  expect([...room.computersOf(3)].map(({ name, firstPrinter }) => [name, firstPrinter])).toEqual([
    ['Shop 4', 6],
    ['Office', 20],
  ]);
  for (let index = 0; index < room.computerCount; index++) {
    const { account, firstPrinter, printers } = room.computer(index);
    for (let at = 0; at < printers; at++) expect(room.accountOfPrinter(firstPrinter + at)).toBe(account);
  }
  expect(() => room.computer(11)).toThrow('there is no computer 11');
});

it('estimates requests, bytes and the densest rate, and warns of a limit', () => {
  const { estimate } = PLAN;
  expect(estimate).toMatchObject({
    requests: 440,
    jobs: 200,
    connections: 11,
    peakRate: 100,
    durationMs: 10_000,
  });
  expect(estimate.bytes).toBe(200 * (3_000 * (4 / 3) + 500) + 240 * 500);
  expect(estimate.warnings[0]).toContain('traffic.accounts: 10 would stay below');
  expect(planLoad(loadScenario({ streams: [] })).estimate.warnings).toEqual([]);
});
