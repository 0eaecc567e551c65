/**
 * A target behind a bad network: answers that are cut, reset, late, or garbage, once in a while. The suite
 * ends with a full report, says of each such request what happened to it, and never blames itself.
 */

import { afterEach, describe, expect, it } from 'vitest';

import { FaultPlan } from '../../src/common/fault-plan.ts';
import { createRandom } from '../../src/common/random.ts';
import type { CheckOutcome } from '../../src/conformance/check.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { levelOf } from '../../src/conformance/run-conformance.ts';
import { runChecks } from '../../src/conformance/runner.ts';
import { startFaultProxy } from '../../src/wire/fault-proxy.ts';
import { startMeddlingProxy, type Meddle } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

/** Of a hundred requests. */
const FAULTY_PERCENT = 3;

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The whole suite over a network with this fault. */
async function outcomesOver(fault: string, seed: number): Promise<readonly CheckOutcome[]> {
  const target = await startEmbeddedTarget();
  closing.push(() => target.close());
  const garbling = await startMeddlingProxy(target.baseUrl, {
    meddle: fault === 'garbage' ? garbage(seed) : undefined,
  });
  closing.push(() => garbling.close());
  const faults = new FaultPlan(target.clock, createRandom(seed));
  if (fault !== 'garbage') {
    faults.add({ at: 'http/*', fault, probability: FAULTY_PERCENT / 100, times: 1000 });
  }
  const proxy = await startFaultProxy({ clock: target.clock, faults, serviceUrl: garbling.url });
  closing.push(() => proxy.close());
  const { outcomes } = await runChecks({
    target: { ...target, baseUrl: proxy.url },
    checks: CHECKS,
    random: createRandom(seed),
    runTag: 'faulty',
    levelOf,
    requestLimit: '500ms',
    checkLimit: '10s',
  });
  return outcomes;
}

/** Bytes that are no JSON instead of the body. */
function garbage(seed: number): Meddle {
  const random = createRandom(seed);
  return () =>
    random.integer(1, 100) <= FAULTY_PERCENT ? { body: `\u0000<${random.hex(20)}>{"a":[` } : undefined;
}

describe('the suite over a bad network', () => {
  it.each(['reset', 'empty', 'lost-answer', 'truncated', 'slow-body', 'latency', 'status-500', 'garbage'])(
    'ends with a full report, and blames the target: %s',
    async (fault) => {
      const outcomes = await outcomesOver(fault, 1);
      expect(outcomes.map(({ check }) => check.id)).toEqual(CHECKS.map(({ id }) => id));
      const broken = outcomes.filter(({ verdict }) => verdict === 'harness-error');
      expect(broken.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
      const silent = outcomes.filter(
        ({ verdict, wireFailures }) => wireFailures.length > 0 && verdict === 'pass',
      );
      expect(silent.map(({ check }) => check.id)).toEqual([]);
      expect(outcomes.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(0);
    },
    60_000,
  );
});
