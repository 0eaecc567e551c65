/**
 * Tries a mutant: the checks of its clause run on it, and those that name the clause have caught it.
 */

import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { Verdict } from '../../src/record/words.ts';
import type { Level } from '../../src/spec/clause.ts';
import type { Target } from '../../src/target/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { meddlingLink } from './meddling-link.ts';
import { startMeddlingProxy, type MeddlingProxy } from './meddling-proxy.ts';
import { startMeddlingWebsocket } from './meddling-websocket.ts';
import type { Mutant } from './mutant.ts';

export interface MutantResult {
  /** Checks that failed or, of a lesser clause, warned, and named the clause. */
  readonly caughtBy: readonly string[];
  readonly exitCode: number;
}

export async function tryMutant(mutant: Mutant): Promise<MutantResult> {
  await using target = await startMutant(mutant);
  const { outcomes, exitCode } = await runConformance({ target, seed: 1, grep: `^${mutant.clause}$` });
  const broken = outcomes.filter(
    ({ verdict, judgements }) =>
      CATCHES[levelOf(mutant.clause)].includes(verdict) &&
      judgements.some(({ clause, mismatch }) => clause === mutant.clause && mismatch),
  );
  return { caughtBy: broken.map(({ check }) => check.id), exitCode };
}

/** What breaking a clause of a level comes to; a check that warns may fail for another clause. */
const CATCHES: Readonly<Record<Level, readonly Verdict[]>> = {
  must: ['fail'],
  should: ['fail', 'warn'],
  observed: ['fail', 'warn'],
  gap: [],
};

/** The mutant as a target. */
export async function startMutant(mutant: Mutant): Promise<Target & AsyncDisposable> {
  const { rules, rewrite, meddle, rewriteUpgrade, meddleFrames, link } = mutant;
  const embedded = await startEmbeddedTarget(rules ? { rules } : {});
  const target = link && embedded.link ? { ...embedded, link: meddlingLink(embedded.link, link) } : embedded;
  if (mutant.frames) return throughProxy(target, await startMeddlingWebsocket(target.baseUrl, mutant.frames()));
  const isMeddledWith = rewrite ?? meddle ?? rewriteUpgrade ?? meddleFrames;
  if (!isMeddledWith) return { ...target, [Symbol.asyncDispose]: () => target.close() };
  return throughProxy(target, await startMeddlingProxy(target.baseUrl, mutant));
}

function throughProxy(target: Target, proxy: MeddlingProxy): Target & AsyncDisposable {
  return {
    ...target,
    baseUrl: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await target.close();
    },
  };
}
