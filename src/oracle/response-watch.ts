/**
 * Response watch: the invariants of every response, judged as responses come, in bounded memory and at a
 * bounded cost, for runs of millions.
 *
 *   refusals and errors      every one
 *   successes of a kind      the first hundred, then one in four
 *
 * Only level must is judged here: a load is not the place to weigh the rest. A 5xx is an outcome that is counted.
 */

import { requestName } from '../common/request-name.ts';
import { CLAUSES, type ClauseId } from '../specification/clauses.ts';
import type { Invariant, ObservedExchange } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';
import type { Mismatch } from './mismatch.ts';

const MUST = new Set(CLAUSES.filter(({ level }) => level === 'must').map(({ id }) => id));

const WATCHED = INVARIANTS.filter(({ clause }) => MUST.has(clause));

/** A clause that responses did not keep. */
export interface BrokenInvariant {
  readonly clause: ClauseId;
  readonly count: number;
  readonly example: Mismatch;
}

/** The first successes of one kind are all judged. */
const ALL_OF_THE_FIRST = 100;
/** Then one in four. */
const ONE_IN = 4;
/** Judges forget what they have seen (request ids, accounts) after this many responses. */
const MEMORY = 50_000;

interface Judge extends Pick<Invariant, 'clause' | 'concerns'> {
  readonly judge: ReturnType<Invariant['judge']>;
}

export class ResponseWatch {
  readonly #broken = new Map<ClauseId, BrokenInvariant>();
  readonly #seen: number[] = [];
  #judges: readonly Judge[] = [];
  #judged = 0;

  get judged(): number {
    return this.#judged;
  }

  /** Clauses that were broken, the most often broken first. */
  get broken(): readonly BrokenInvariant[] {
    return [...this.#broken.values()].toSorted((one, other) => other.count - one.count);
  }

  /**
   * Whether the next response of this kind is to be judged: asked first, so that the others cost nothing.
   *
   * @param kind - a small number for what was asked
   */
  wants(kind: number, status: number): boolean {
    if (status < 200 || status >= 300) return true;
    const seen = (this.#seen[kind] = (this.#seen[kind] ?? 0) + 1);
    return seen <= ALL_OF_THE_FIRST || seen % ONE_IN === 0;
  }

  judge(exchange: ObservedExchange): void {
    if (this.#judged++ % MEMORY === 0) this.#judges = WATCHED.map((one) => ({ ...one, judge: one.judge() }));
    for (const { clause, concerns, judge } of this.#judges) {
      const finding = concerns(exchange) ? judge(exchange) : undefined;
      if (!finding) continue;
      const { part, expected, actual } = finding;
      this.#add(clause, { expected, actual, at: `${part} of ${requestName(exchange.request)}` });
    }
  }

  #add(clause: ClauseId, example: Mismatch): void {
    const known = this.#broken.get(clause);
    this.#broken.set(clause, { clause, count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  }
}
