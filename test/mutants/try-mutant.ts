/**
 * Tries a mutant: the checks of its clause run on it, and those that name the clause have caught it.
 */

import { runConformance } from '../../src/conformance/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { startMeddlingProxy } from './meddling-proxy.ts';
import type { Mutant } from './mutants.ts';

export interface MutantResult {
  /** Checks that failed and named the clause. */
  readonly caughtBy: readonly string[];
  readonly exitCode: number;
}

export async function tryMutant(mutant: Mutant): Promise<MutantResult> {
  await using target = await startMutant(mutant);
  const { outcomes, exitCode } = await runConformance({ target, seed: 1, grep: `^${mutant.clause}$` });
  const broken = outcomes.filter(
    ({ verdict, judgements }) =>
      verdict === 'fail' && judgements.some(({ clause, mismatch }) => clause === mutant.clause && mismatch),
  );
  return { caughtBy: broken.map(({ check }) => check.id), exitCode };
}

async function startMutant({ parts, rewrite, meddle }: Mutant): Promise<Target & AsyncDisposable> {
  const target = await startEmbeddedTarget(parts ? { parts } : {});
  if (!meddle && !rewrite) return { ...target, [Symbol.asyncDispose]: () => target.close() };
  const proxy = await startMeddlingProxy(target.baseUrl, { rewrite, meddle });
  return {
    ...target,
    baseUrl: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await target.close();
    },
  };
}
