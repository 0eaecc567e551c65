/**
 * A load on a pipeline: every job is accounted for by its paper, and what a pipeline has not is refused.
 */

import { expect, test } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { planLoad } from '../../src/load/plan/load-plan.ts';
import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import { loadPipeline } from '../../src/pipeline/load-pipeline.ts';
import { Ports } from '../../src/pipeline/ports.ts';
import type { LoadRecord } from '../../src/record/load-record.ts';
import { loadScenario, MIXED_STREAM, submissions } from '../support/load-scenario.ts';
import { modelPipeline } from './explore-model.ts';

const ports = new Ports();
const TWENTY_JOBS = { streams: [submissions('jobs', 0, 10, 2_000)], accounts: 2 };

async function loaded(fault: string, changes: Partial<LoadScenario> = TWENTY_JOBS): Promise<LoadRecord> {
  await using press = new Press(systemClock);
  const plan = planLoad(loadScenario({ ...changes, drainMs: 15_000 }));
  const pipeline = await modelPipeline(fault);
  const surroundings = { press, ports };
  const { signal } = new AbortController();
  const { record } = await loadPipeline({ plan, pipeline, surroundings, runId: 'load', signal });
  return record;
}

test.concurrent('a sound pipeline prints each job of a load once', { timeout: 60_000 }, async () => {
  const { ledger, streams, ending } = await loaded('none');
  expect(ledger.totals).toMatchObject({ intents: 20, unreported: 0, clashes: 0 });
  expect(ledger.totals.classes).toMatchObject({ 'delivered-once': 20, unknown: 0 });
  expect(streams[0]?.counts.ok).toBe(20);
  expect(ending).toBe('complete');
});

test.concurrent.each([
  { fault: 'two-of-them', name: 'duplicated' },
  { fault: 'skips-alike', name: 'lost' },
] as const)('jobs of a pipeline with the fault $fault are $name', { timeout: 60_000 }, async ({ fault, name }) => {
  const { ledger, verdict, reasons } = await loaded(fault);
  expect(ledger.totals.classes[name]).toBeGreaterThan(0);
  expect(verdict).toBe('fail');
  expect(reasons.join(' ')).toContain(name);
});

test('what a pipeline knows nothing of is refused', async () => {
  await expect(loaded('none', { streams: [MIXED_STREAM] })).rejects.toMatchObject({
    lines: ['a pipeline knows nothing of do: states, do: list-printers'],
  });
});
