/**
 * Every mutant is caught by a check of the clause that it breaks, and that check names the clause.
 */

import { afterEach, describe, expect, it } from 'vitest';

import { levelOf, runConformance } from '../../src/conformance/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { startMeddlingProxy } from './meddling-proxy.ts';
import { ACCOUNT_MUTANTS } from './account-mutants.ts';
import { CALLER_MUTANTS } from './caller-mutants.ts';
import { HOUSE_MUTANTS } from './house-mutants.ts';
import { LIMIT_MUTANTS } from './limit-mutants.ts';
import { EVENT_MUTANTS } from './event-mutants.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { SCALE_MUTANTS } from './scale-mutants.ts';
import { WEBHOOK_MUTANTS } from './webhook-mutants.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startMutant(mutant: Mutant): Promise<Target> {
  const { parts, rewrite, meddle, rewriteUpgrade, meddleFrames } = mutant;
  const target = await startEmbeddedTarget(parts ? { parts } : {});
  closing.push(() => target.close());
  if (!(rewrite || meddle || rewriteUpgrade || meddleFrames)) return target;
  const proxy = await startMeddlingProxy(target.baseUrl, mutant);
  closing.push(() => proxy.close());
  return { ...target, baseUrl: proxy.url };
}

describe('the check of a broken clause', () => {
  it.each([
    ...MUTANTS,
    ...ACCOUNT_MUTANTS,
    ...CALLER_MUTANTS,
    ...LIMIT_MUTANTS,
    ...HOUSE_MUTANTS,
    ...WEBHOOK_MUTANTS,
    ...EVENT_MUTANTS,
    ...SCALE_MUTANTS,
  ])('catches: $name ($clause)', async (mutant) => {
    const target = await startMutant(mutant);
    const result = await runConformance({ target, seed: 1, grep: `^${mutant.clause}$` });
    // What the specification only observed is a warning.
    const wanted = levelOf(mutant.clause) === 'observed' ? 'warn' : 'fail';
    const broken = result.outcomes.filter(
      ({ verdict, judgements }) =>
        verdict === wanted && judgements.some(({ clause, mismatch }) => clause === mutant.clause && mismatch),
    );
    expect(broken.map(({ check }) => check.id)).not.toEqual([]);
    expect(result.exitCode).toBe(wanted === 'fail' ? 1 : 0);
    expect(result.outcomes.map(({ verdict }) => verdict)).not.toContain('harness-error');
  });
});
