/**
 * Dimension: something that a service may decide, with the answers that are tried. The reference service gives the
 * first; each of the others is a small change of it, and goes with any value of any other dimension.
 *
 *   suite ──► rewrites, last dimension first ──► service with its choices and rules
 *         ◄── meddles,  first dimension first ◄──
 */

import type { ServiceChoices } from '../../src/service/choices.ts';
import type { RateLimit } from '../../src/service/gate/rate-limit.ts';
import type { ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/specification/clauses.ts';
import type { GapId } from '../../src/specification/gaps.ts';
import { withDigest, type Ask, type AskingMeddle, type AskingRewrite } from '../mutants/meddling-proxy.ts';
import { passRefusals } from './refusals.ts';

export interface Change {
  readonly choices?: Partial<ServiceChoices>;
  /** Rules in place of those of the service, which they may build on. */
  readonly rules?: (rules: ServiceRules) => Partial<ServiceRules>;
  readonly rewrite?: AskingRewrite;
  readonly meddle?: AskingMeddle;
  /** Each request takes this much longer, half of it before the service sees it. */
  readonly delayMs?: number;
  /** Checks that may find no way to judge such a service, and say so. */
  readonly undecided?: readonly string[];
}

export interface Dimension {
  /** The gap, or the clause that leaves it open. */
  readonly where: ClauseId | GapId;
  readonly question: string;
  /** How the reference service answers it. */
  readonly reference: string;
  /** Other answers. A change that remembers something is made anew for each service. */
  readonly values: Readonly<Record<string, Change | (() => Change)>>;
}

/** @param reference - how the reference service answers it @param values - other answers */
export function decides(
  where: Dimension['where'],
  question: string,
  reference: string,
  values: Dimension['values'],
): Dimension {
  return { where, question, reference, values };
}

export type Dimensions = Readonly<Record<string, Dimension>>;

/** The value of each dimension in which a service differs from the reference. */
export type Combination = Readonly<Record<string, string>>;

/** A dimension of ids that is closed to new ones: `satisfies` would lose the type of each value. */
export function valuesOf({ reference, values }: Dimension): readonly string[] {
  return [reference, ...Object.keys(values)];
}

/** The combination that a row stands for: a value of each dimension, from 0, which is the reference. */
export function combinationOf(dimensions: Dimensions, row: readonly number[]): Combination {
  return Object.fromEntries(
    Object.entries(dimensions).flatMap(([id, dimension], column) => {
      const value = row[column] ?? 0;
      return value === 0 ? [] : [[id, valuesOf(dimension)[value] ?? '']];
    }),
  );
}

/** All changes of a combination as one. */
export function combine(dimensions: Dimensions, combination: Combination): Change {
  const changes = changesOf(dimensions, combination);
  const rewrites = changes.flatMap(({ rewrite }) => rewrite ?? []);
  const meddles = changes.flatMap(({ meddle }) => meddle ?? []);
  const delayMs = changes.reduce((sum, change) => sum + (change.delayMs ?? 0), 0);
  const questions = { underWay: 0 };
  const free = (ask: Ask): Ask => askFreely(ask, questions);
  return {
    choices: Object.assign({}, ...changes.map(({ choices }) => choices)) as Partial<ServiceChoices>,
    rules: (reference) => {
      const rules = changes.reduce((built, change) => ({ ...built, ...change.rules?.(built) }), reference);
      return { ...rules, rateLimit: () => uncounted(rules.rateLimit(), questions) };
    },
    ...(rewrites.length > 0 && { rewrite: rewriteInTurn(rewrites.toReversed(), free) }),
    ...(rewrites.length + meddles.length > 0 && { meddle: meddleInTurn([passRefusals, ...meddles], free) }),
    ...(delayMs > 0 && { delayMs }),
    undecided: changes.flatMap(({ undecided = [] }) => undecided),
  };
}

/** What a change asks the service itself is not counted towards the rate of the caller. */
function askFreely(ask: Ask, questions: { underWay: number }): Ask {
  return async (question) => {
    questions.underWay++;
    try {
      return await ask(question);
    } finally {
      questions.underWay--;
    }
  };
}

function uncounted(limit: RateLimit, questions: { readonly underWay: number }): RateLimit {
  return { take: (key, nowMs) => (questions.underWay > 0 ? 0 : limit.take(key, nowMs)) };
}

/** In the order of the dimensions, whatever that of the combination. */
function changesOf(dimensions: Dimensions, combination: Combination): readonly Change[] {
  for (const [id, value] of Object.entries(combination)) {
    if (dimensions[id]?.values[value] === undefined) throw new Error(`there is no value ${value} of ${id}`);
  }
  return Object.entries(dimensions).flatMap(([id, { values }]) => {
    const change = values[combination[id] ?? ''] ?? [];
    return typeof change === 'function' ? change() : change;
  });
}

function meddleInTurn(meddles: readonly AskingMeddle[], free: (ask: Ask) => Ask): AskingMeddle {
  return async (answer, ask) => {
    let changed = answer;
    for (const meddle of meddles) {
      changed = { ...changed, ...withDigest(changed, (await meddle(changed, free(ask))) ?? {}) };
    }
    const { status, headers, body } = changed;
    return { status, headers, body };
  };
}

function rewriteInTurn(rewrites: readonly AskingRewrite[], free: (ask: Ask) => Ask): AskingRewrite {
  return async (request, ask) => {
    let changed = request;
    for (const rewrite of rewrites) {
      const { body, ...rest } = { ...changed, ...(await rewrite(changed, free(ask))) };
      changed = { ...rest, body: typeof body === 'string' ? Buffer.from(body) : body };
    }
    return changed;
  };
}
