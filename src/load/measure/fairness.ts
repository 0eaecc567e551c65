/**
 * Fairness between accounts: does each get the same share of its requests served, and does none wait far longer
 * than the others?
 *
 * Jain's index over the shares x of n accounts: (Σx)² / (n · Σx²). It is 1 where all get the same share, and 1/n
 * where one gets everything.
 */

import { sumOf } from '../../common/sums.ts';
import type { AccountShare, Fairness } from '../../record/load-record.ts';

/** With fewer answers an account is not judged. */
const FEWEST_ANSWERS = 20;
/** An account starves when its mean wait is more than this many times the median of all. */
const STARVING_FACTOR = 5;
const MOST_SHOWN = 10;

export class FairnessBook {
  readonly #asked: Uint32Array;
  readonly #served: Uint32Array;
  readonly #sumUs: Float64Array;

  constructor(accounts: number) {
    this.#asked = new Uint32Array(accounts);
    this.#served = new Uint32Array(accounts);
    this.#sumUs = new Float64Array(accounts);
  }

  ended(account: number, isServed: boolean, responseUs: number): void {
    this.#asked[account] = (this.#asked[account] ?? 0) + 1;
    if (!isServed) return;
    this.#served[account] = (this.#served[account] ?? 0) + 1;
    this.#sumUs[account] = (this.#sumUs[account] ?? 0) + responseUs;
  }

  /** Null when there were no requests. */
  toFairness(): Fairness | null {
    const accounts = [...this.#asked.entries()]
      .filter(([, asked]) => asked > 0)
      .map(([account, asked]): AccountShare => {
        const served = this.#served[account] ?? 0;
        const meanResponseUs = served === 0 ? 0 : Math.round((this.#sumUs[account] ?? 0) / served);
        return { account, asked, served, meanResponseUs };
      });
    return accounts.length === 0 ? null : { jainIndex: jainOfShares(accounts), accounts };
  }
}

/** The fairness of a whole run from that of its shards; each account is in one of them. */
export function mergeFairness(parts: readonly (Fairness | null)[]): Fairness | null {
  const accounts = parts.flatMap((part) => part?.accounts ?? []).toSorted((a, b) => a.account - b.account);
  return accounts.length === 0 ? null : { jainIndex: jainOfShares(accounts), accounts };
}

/** Jain's index of any amounts; 1 for no amounts, or only zeros. */
export function jainIndex(amounts: readonly number[]): number {
  const sum = sumOf(amounts, (amount) => amount);
  const squares = sumOf(amounts, (amount) => amount * amount);
  return squares === 0 ? 1 : (sum * sum) / (amounts.length * squares);
}

/** Accounts that wait far longer than the others or got nothing at all, the worst first. */
export function starving({ accounts }: Fairness): readonly AccountShare[] {
  const judged = accounts.filter(({ asked }) => asked >= FEWEST_ANSWERS);
  const medianUs = median(judged.filter(({ served }) => served > 0).map((one) => one.meanResponseUs));
  return judged
    .filter(({ served, meanResponseUs }) => served === 0 || meanResponseUs > medianUs * STARVING_FACTOR)
    .toSorted((a, b) => b.meanResponseUs - a.meanResponseUs)
    .slice(0, MOST_SHOWN);
}

function jainOfShares(accounts: readonly AccountShare[]): number {
  return jainIndex(accounts.map(({ asked, served }) => served / asked));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
