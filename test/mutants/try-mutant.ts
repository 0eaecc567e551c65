/**
 * Tries a mutant: the checks of its clause run on it, and those that name the clause have caught it. Checks of effects
 * run where the others let it pass.
 */

import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { EFFECT_RULES } from '../../src/conformance/matrix/effects/effect-rules.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { Verdict } from '../../src/record/words.ts';
import type { Level } from '../../src/specification/clause.ts';
import type { Target } from '../../src/targets/target.ts';
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

/** They judge for each kind of caller what other checks judge too, and have mutants of their own. */
const EFFECTS: ReadonlySet<string> = new Set(Object.keys(EFFECT_RULES));

export async function tryMutant(mutant: Mutant): Promise<MutantResult> {
  const ofClause = CHECKS.filter(({ clauses }) => clauses.includes(mutant.clause)).map(({ id }) => id);
  const others = ofClause.filter((id) => !EFFECTS.has(id));
  const result = others.length > 0 ? await tryChecks(mutant, others) : undefined;
  return result && result.caughtBy.length > 0 ? result : tryChecks(mutant, ofClause);
}

async function tryChecks(mutant: Mutant, ids: readonly string[]): Promise<MutantResult> {
  await using target = await startMutant(mutant);
  const { outcomes, exitCode } = await runConformance({ target, seed: 1, ids });
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
  const { rules, rewrite, meddle, rewriteUpgrade, meddleFrames, spreadFrames, link } = mutant;
  const embedded = await startEmbeddedTarget(rules ? { rules } : {});
  const target = link && embedded.link ? { ...embedded, link: meddlingLink(embedded.link, link) } : embedded;
  if (mutant.frames) return throughProxy(target, await startMeddlingWebsocket(target.baseUrl, mutant.frames()));
  const isMeddledWith = rewrite ?? meddle ?? rewriteUpgrade ?? meddleFrames ?? spreadFrames;
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
