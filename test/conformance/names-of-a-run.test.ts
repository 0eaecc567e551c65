/**
 * What a broken service does not delete is still there in the next run: a run of the same seed has names of its own for
 * what it makes.
 */

import { expect, it } from 'vitest';

import { runConformance, type ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import type { Verdict } from '../../src/record/words.ts';
import type { Target } from '../../src/targets/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

/** Checks that make API keys and tags, of each kind. */
const MAKERS = '^(tags/|api-keys/life|races/tag|link/revoked|gap/(tag|api-key)|matrix/integrator-settings)';

/** Other names are the specification's or JavaScript's, the same in each run and free of what was left behind. */
const isDrawn = (name: string): boolean => /[0-9a-f]{6}/.test(name);

it('calls what a check makes by names that the run before did not have, with the same verdicts', async () => {
  const target = await startEmbeddedTarget();
  const before = await runOn(target);
  await target.timekeeper.elapse('1s');
  const again = await runOn(target);
  expect(verdictsOf(again)).toEqual(verdictsOf(before));
  const made = namesIn(before);
  expect(made.size).toBeGreaterThan(40);
  await target.close();
  expect([...namesIn(again)].filter((name) => made.has(name))).toEqual([]);
});

function runOn(target: Target): Promise<ConformanceResult> {
  return runConformance({ target, seed: 7, grep: MAKERS });
}

function namesIn({ exchanges }: ConformanceResult): ReadonlySet<string> {
  const names = exchanges.flatMap(({ request: { path } }) => /^\/account\/(?:tag|apikey)\/(.+)/.exec(path)?.[1] ?? []);
  return new Set(names.filter(isDrawn));
}

function verdictsOf({ outcomes }: ConformanceResult): readonly (readonly [string, Verdict])[] {
  return outcomes.map(({ check, verdict }) => [check.id, verdict]);
}
