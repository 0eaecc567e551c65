/**
 * Effects: what an endpoint has done, seen afterwards by the caller that asked for it.
 *
 *   kinds of callers × parts of the API ─► a check each: every endpoint of the part is called soundly, by each caller
 *
 * What a service does for one kind of account it may forget for another, and answer as if it had done it.
 */

import type { Mismatch } from '../../../oracle/mismatch.ts';
import type { Endpoint, Need } from '../../../specification/clause.ts';
import type { ClauseId } from '../../../specification/clauses.ts';
import { requireActsFor } from '../../context/account-view.ts';
import type { AccountPart } from '../../check.ts';
import type { CheckContext } from '../../context/context.ts';
import { firstOf } from '../../expect/that.ts';
import { atEndpoint, firstReason, nameOf, type MatrixRule } from '../matrix-rule.ts';
import { inOrder } from '../refusals.ts';
import type { Caller, CallerKind } from './caller.ts';

/** Judges a clause; a mismatch says at which endpoint, and for whom. */
export type JudgeEffect = (clause: ClauseId, ...expected: readonly (Mismatch | undefined)[]) => boolean;

/** Calls an endpoint and judges what it has done. */
export type Effect = (judge: JudgeEffect, endpoint: Endpoint) => Promise<void>;

/** The effects of a part on the things of one caller. */
export interface OpenPart {
  readonly effects: Readonly<Record<string, Effect>>;
  /** Judges what is seen in the end, before everything is deleted. */
  readonly settle?: () => Promise<void>;
}

/** Endpoints that are about the same things. */
export interface Part {
  /** Ends the ids of its checks. */
  readonly id: string;
  /** Begins the titles of its checks. */
  readonly title: string;
  readonly needs: readonly Need[];
  /** What it wants of an account that is not a new one. */
  readonly holds: readonly AccountPart[];
  readonly has: (endpoint: Endpoint) => boolean;
  readonly open: (context: CheckContext, caller: Caller) => OpenPart;
}

export function ruleOf(kind: CallerKind, part: Part): MatrixRule {
  return {
    columns: kind.columns,
    title: `${part.title} (${kind.by})`,
    needs: [...kind.needs, ...part.needs],
    locks: part.holds.flatMap((held) => (kind.owner ? [`${kind.owner}/${held}` as const] : [])),
    whyNot: (endpoint) => whyNot(kind, part, endpoint),
    judge: (context, endpoints) => judgeEffects(context, endpoints, kind, part),
  };
}

function whyNot(kind: CallerKind, part: Part, endpoint: Endpoint): string | undefined {
  const { authenticated, account, path } = endpoint;
  return firstReason(
    [!authenticated, 'knows no caller'],
    [account === 'integrator', 'makes Child Accounts, which is for Integrators alone and judged by child-accounts/'],
    [account === 'child' && !kind.namesChild, 'names a Child by a header'],
    [path === '/account/controllable' && !kind.isIntegrator, 'is printed for Integrators alone'],
    [!part.has(endpoint), 'belongs to another part'],
  );
}

async function judgeEffects(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  kind: CallerKind,
  part: Part,
): Promise<void> {
  for (const caller of await kind.callers(context)) {
    const { effects, settle } = part.open(context, caller);
    const call = async (endpoint: Endpoint): Promise<void> => {
      const effect = effects[nameOf(endpoint)];
      if (!effect) throw new Error(`nothing judges what ${nameOf(endpoint)} does`);
      const judge: JudgeEffect = (clause, ...expected) =>
        context.judge(clause, atEndpoint(endpoint, caller.title, firstOf(...expected)));
      await effect(judge, endpoint);
    };
    const ordered = inOrder(endpoints);
    for (const endpoint of ordered.filter(({ isUnrestricted }) => !isUnrestricted)) await call(endpoint);
    await settle?.();
    for (const endpoint of ordered.filter(({ isUnrestricted }) => isUnrestricted && caller.isDisposable)) {
      await requireActsFor(context, caller.api, caller.account.id);
      await call(endpoint);
    }
  }
}
