/**
 * A target behind a bad network: answers that are cut, reset, late, or garbage, once in a while. The suite
 * ends with a full report, says of each such request what happened to it, and never blames itself.
 */

import { afterEach, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { FaultPlan } from '../../src/common/fault-plan.ts';
import { createRandom } from '../../src/common/random.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runChecks } from '../../src/conformance/run/runner.ts';
import { startFaultProxy } from '../../src/wire/fault-proxy.ts';
import { startMeddlingProxy, type Meddle } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

/** How often each fault strikes, in percent of requests. */
const PERCENT = 0.7;
const FAULTS = ['reset', 'empty', 'lost-answer', 'truncated', 'slow-body', 'latency', 'status-500'];

/** Slow, but not so slow that a busy machine could not tell it from no answer. */
const FAULT_SETTINGS: Readonly<Record<string, Record<string, unknown>>> = {
  latency: { delay: '200ms' },
  'slow-body': { delay: '200ms' },
};

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The whole suite over a network with all faults. */
async function outcomesOver(seed: number): Promise<readonly CheckOutcome[]> {
  const target = await startEmbeddedTarget();
  closing.push(() => target.close());
  const garbling = await startMeddlingProxy(target.baseUrl, { meddle: garbage(seed) });
  closing.push(() => garbling.close());
  // The network is slow in real time: virtual time stands still while a request is under way.
  const faults = new FaultPlan(systemClock, createRandom(seed));
  for (const fault of FAULTS) {
    faults.add({ at: 'http', fault, probability: PERCENT / 100, with: FAULT_SETTINGS[fault] ?? {} });
  }
  const proxy = await startFaultProxy({ clock: systemClock, faults, serviceUrl: garbling.url });
  closing.push(() => proxy.close());
  const { outcomes } = await runChecks({
    target: { ...target, baseUrl: proxy.url },
    checks: CHECKS,
    random: createRandom(seed),
    runTag: 'faulty',
    levelOf,
    requestLimit: '3s',
    checkLimit: '5s',
  });
  return outcomes;
}

/** Bytes that are no JSON instead of the body. */
function garbage(seed: number): Meddle {
  const random = createRandom(seed);
  return () => (random.integer(1, 1000) <= PERCENT * 10 ? { body: `\u0000<${random.hex(20)}>{"a":[` } : undefined);
}

it('ends with a full report over a bad network, and blames the target', async () => {
  const outcomes = await outcomesOver(2);
  expect(outcomes.map(({ check }) => check.id)).toEqual(CHECKS.map(({ id }) => id));
  const idsOf = (isMeant: (outcome: CheckOutcome) => boolean): readonly string[] =>
    outcomes.filter(isMeant).map(({ check, verdict, message }) => `${check.id} ${verdict}: ${message}`);
  expect(idsOf(({ verdict }) => verdict === 'harness-error')).toEqual([]);
  // A check that was refused an answer never looks green, unless it weighs what may have happened; and most
  // checks got all of theirs.
  const greenWithoutAnswers = outcomes.filter(
    ({ check, wireFailures, verdict }) =>
      wireFailures.length > 0 && verdict === 'pass' && !check.id.startsWith('races/'),
  );
  expect(greenWithoutAnswers).toEqual([]);
  expect(idsOf(({ message }) => message.includes('got no answer')).length).toBeGreaterThan(5);
  expect(idsOf(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(CHECKS.length / 3);
}, 120_000);
