/**
 * Live figures: what a shard has measured so far, small enough to be sent every second, and to be added
 * up by each exporter of metrics. The record at the end has more, and exact figures.
 */

import { sumsOf } from '../../common/sums.ts';
import type { Ledger, LedgerProgress } from '../../oracle/ledger.ts';
import { LEDGER_CLASSES, type LedgerClass, type Phase, type RequestOutcome } from '../../record/words.ts';
import type { DurationBuckets, Durations } from './histogram.ts';
import type { DurationKind } from './measures.ts';

export interface LiveStream extends Readonly<Record<DurationKind, DurationBuckets>> {
  readonly name: string;
  readonly counts: Readonly<Record<RequestOutcome, number>>;
}

export interface LiveFigures {
  readonly streams: readonly LiveStream[];
  readonly phases: readonly { readonly name: Phase; readonly durations: DurationBuckets }[];
  readonly jobs: LedgerProgress;
  /** What became of the jobs; of a long ledger as it was a while ago. */
  readonly ledger: Readonly<Record<LedgerClass, number>>;
}

/** Half a millisecond to five minutes: answers of a fast service and queues of a slow printer. */
export const BUCKET_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];
const BOUNDS_US = BUCKET_BOUNDS_S.map((bound) => bound * 1e6);

export function bucketsOf(durations: Durations): DurationBuckets {
  return durations.toBuckets(BOUNDS_US);
}

/** A look at this many rows takes less than a millisecond: no request may be late because of it. */
const ROWS_A_LOOK = 10_000;

/** Counts the classes of a ledger that is being written, some rows at a time. */
export class ClassCount {
  readonly #ledger: Ledger;
  #row = 0;
  #counting = sumsOf(LEDGER_CLASSES, []);
  #counted = sumsOf(LEDGER_CLASSES, []);

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** As of the last time that all rows had been counted. */
  look(): Readonly<Record<LedgerClass, number>> {
    this.#countUntil(Math.min(this.#ledger.rows, this.#row + ROWS_A_LOOK));
    return this.#counted;
  }

  /** As of now, however many rows there are. */
  lookAtAll(): Readonly<Record<LedgerClass, number>> {
    this.#row = 0;
    this.#counting = sumsOf(LEDGER_CLASSES, []);
    this.#countUntil(this.#ledger.rows);
    return this.#counted;
  }

  #countUntil(end: number): void {
    for (; this.#row < end; this.#row++) this.#counting[this.#ledger.classOf(this.#row)]++;
    if (end < this.#ledger.rows) return;
    this.#counted = this.#counting;
    this.#counting = sumsOf(LEDGER_CLASSES, []);
    this.#row = 0;
  }
}
