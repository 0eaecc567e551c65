/**
 * Every mutant is caught by a check of the clause that it breaks, and that check names the clause.
 */

import { afterEach, describe, expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { startMeddlingProxy } from './meddling-proxy.ts';
import { ACCOUNT_MUTANTS } from './account-mutants.ts';
import { CALLER_MUTANTS } from './caller-mutants.ts';
import { HOUSE_MUTANTS } from './house-mutants.ts';
import { LIMIT_MUTANTS } from './limit-mutants.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startMutant({ parts, rewrite, meddle }: Mutant): Promise<Target> {
  const target = await startEmbeddedTarget(parts ? { parts } : {});
  closing.push(() => target.close());
  if (!meddle && !rewrite) return target;
  const proxy = await startMeddlingProxy(target.baseUrl, { rewrite, meddle });
  closing.push(() => proxy.close());
  return { ...target, baseUrl: proxy.url };
}

describe('the check of a broken clause', () => {
  it.each([...MUTANTS, ...ACCOUNT_MUTANTS, ...CALLER_MUTANTS, ...LIMIT_MUTANTS, ...HOUSE_MUTANTS])(
    'catches: $name ($clause)',
    async (mutant) => {
      const target = await startMutant(mutant);
      const result = await runConformance({ target, seed: 1, grep: `^${mutant.clause}$` });
      const broken = result.outcomes.filter(
        ({ verdict, judgements }) =>
          verdict === 'fail' &&
          judgements.some(({ clause, mismatch }) => clause === mutant.clause && mismatch),
      );
      expect(broken.map(({ check }) => check.id)).not.toEqual([]);
      expect(result.exitCode).toBe(1);
      expect(result.outcomes.map(({ verdict }) => verdict)).not.toContain('harness-error');
    },
  );
});
