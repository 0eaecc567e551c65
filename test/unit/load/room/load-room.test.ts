import { describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { FaultPlan } from '../../../../src/common/fault-plan.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { webSocketLink } from '../../../../src/link/websocket-link.ts';
import type { LoadScenario } from '../../../../src/load/plan/load-scenario.ts';
import type { LoadFacts } from '../../../../src/record/load-record.ts';
import { embeddedTarget } from '../../../../src/targets/embedded.ts';
import { loadScenario, submissions } from '../../../support/load-scenario.ts';
import { runShardHere } from '../../../support/shard-run.ts';

async function load(
  changes: Partial<LoadScenario>,
  options: Partial<Parameters<typeof runShardHere>[2]> = {},
): Promise<LoadFacts> {
  const target = await embeddedTarget({ clock: 'real' });
  try {
    const scenario = loadScenario({
      accounts: 2,
      webhooks: { receiver: { answers: 'ok', delayMs: 0 }, outage: null },
      streams: [submissions('jobs', 0, 16, 1_500)],
      ...changes,
    });
    const link = webSocketLink({ clock: systemClock });
    const { record } = await runShardHere(scenario, target.baseUrl, {
      apiKey: target.apiKey,
      link,
      ...options,
    });
    return record;
  } finally {
    await target.close();
  }
}

describe('a room under load', () => {
  it('accounts for every job and every event, and agrees with the counters of the service', async () => {
    const { ledger, webhooks, legs } = await load({});
    expect(ledger.totals).toMatchObject({ intents: 24, unreported: 0, clashes: 0 });
    expect(ledger.totals.classes['delivered-once']).toBe(24);
    expect(webhooks?.classes).toMatchObject({ delivered: 72, lost: 0 });
    expect(webhooks?.reconciliation.map(({ agrees }) => agrees)).toEqual([true, true, true, true]);
    expect(legs.map(({ name }) => name)).toContain('paper');
  }, 30_000);

  it('recovers from a power cut, and records how long that took', async () => {
    const { ledger, disasters } = await load({
      chaos: [{ what: 'power-cut', atMs: 500, share: 1, forMs: 400, withinMs: 200 }],
    });
    expect(ledger.totals.classes['delivered-once']).toBe(24);
    expect(disasters).toMatchObject([{ what: 'power-cut', hit: 11, lowestConnected: 0 }]);
    expect(disasters[0]?.recoveredMs).toBeGreaterThan(400);
  }, 30_000);

  it('drains while computers are still coming back, and waits for the last of them', async () => {
    const faults = new FaultPlan(systemClock, createRandom(1));
    faults.add({ at: 'link/Shop 1/connect', fault: 'refuse', after: 1, for: '2s' });
    const drainingWith: number[] = [];
    const { disasters, durationMs } = await load(
      {
        longestBackoffMs: 100,
        chaos: [{ what: 'power-cut', atMs: 1_000, share: 1, forMs: 100, withinMs: 100 }],
      },
      {
        faults,
        link: webSocketLink({ clock: systemClock, faults }),
        onProgress: ({ phase, connected }) => {
          if (phase === 'draining') drainingWith.push(connected);
        },
      },
    );
    expect(drainingWith[0]).toBeLessThan(11);
    expect(drainingWith.at(-1)).toBe(11);
    expect(disasters[0]?.recoveredMs).toBeGreaterThan(2_000);
    expect(durationMs).toBeLessThan(10_000);
  }, 30_000);

  it('distinguishes allowed repetition and loss of webhook events from the rest', async () => {
    const { webhooks } = await load({
      webhooks: {
        receiver: { answers: 'ok', delayMs: 0 },
        outage: { atMs: 0, forMs: 600, receiver: { answers: 'error', delayMs: 0 } },
      },
      drainMs: 12_000,
    });
    expect(webhooks?.classes.repeated).toBeGreaterThan(0);
    expect(webhooks?.classes).toMatchObject({ lost: 0, 'too-often': 0, dropped: 0 });
  }, 40_000);
});
