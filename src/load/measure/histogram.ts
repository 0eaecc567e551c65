/**
 * Durations in microseconds, in a histogram: three significant digits from 1 µs to an hour. Two histograms
 * added up are exactly the histogram of all their values, so shards can be merged without loss.
 */

import {
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  Int32Histogram,
  type Histogram,
  type JsHistogram,
} from 'hdr-histogram-js';

import type { DurationRecord } from '../../record/load-record.ts';

const LONGEST_US = 3_600_000_000;
const DIGITS = 3;

/** Durations by how long they are; adds up with those of other shards. */
export interface DurationBuckets {
  readonly counts: readonly number[];
  readonly sumUs: number;
}

export class Durations {
  readonly #histogram: JsHistogram;

  constructor(histogram: JsHistogram = new Int32Histogram(1, LONGEST_US, DIGITS)) {
    this.#histogram = histogram;
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  get meanUs(): number {
    return this.count === 0 ? 0 : this.#histogram.mean;
  }

  get maxUs(): number {
    return this.count === 0 ? 0 : this.#histogram.maxValue;
  }

  /** Longer than an hour counts as an hour, less than zero as zero. */
  record(durationUs: number): void {
    this.#histogram.recordValue(Math.max(0, Math.min(LONGEST_US, Math.round(durationUs))));
  }

  /** The duration that this many percent of them do not exceed; 0 for an empty histogram. */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.getValueAtPercentile(percent);
  }

  /** How many lie up to each bound and above the one before it, to three digits; the last counts those above all. */
  toBuckets(boundsUs: readonly number[]): DurationBuckets {
    const histogram = this.#histogram;
    const end = this.count === 0 ? 0 : histogram.countsArrayIndex(histogram.maxValue) + 1;
    const ends = [...boundsUs.map((boundUs) => Math.min(end, histogram.countsArrayIndex(boundUs) + 1)), end];
    const middlesUs = middlesOfSlots();
    let slot = 0;
    let sumUs = 0;
    const counts = ends.map((endOfBucket) => {
      let sum = 0;
      for (; slot < endOfBucket; slot++) {
        const count = histogram.getCountAtIndex(slot);
        if (count === 0) continue;
        sum += count;
        sumUs += count * (middlesUs[slot] ?? 0);
      }
      return sum;
    });
    return { counts, sumUs };
  }

  add(other: Durations): void {
    this.#histogram.add(other.#histogram);
  }

  reset(): void {
    this.#histogram.reset();
  }

  toBase64(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }

  toRecord(): DurationRecord {
    return {
      count: this.count,
      meanUs: Math.round(this.meanUs),
      p50Us: this.percentile(50),
      p90Us: this.percentile(90),
      p95Us: this.percentile(95),
      p99Us: this.percentile(99),
      p999Us: this.percentile(99.9),
      maxUs: this.maxUs,
      histogram: this.toBase64(),
    };
  }

  /** @throws Error when the string is not such a histogram */
  static fromBase64(text: string): Durations {
    const decoded = decodeFromCompressedBase64(text, 32, false);
    const durations = new Durations();
    const histogram: Histogram = durations.#histogram;
    histogram.add(decoded);
    return durations;
  }
}

/** The durations of several shards as one, exactly as if one shard had recorded all of them. */
export function mergeDurations(records: readonly DurationRecord[]): DurationRecord {
  const sum = new Durations();
  for (const { histogram } of records) sum.add(Durations.fromBase64(histogram));
  // A stored histogram has its longest duration to three digits, the record to the microsecond.
  return { ...sum.toRecord(), maxUs: Math.max(0, ...records.map(({ maxUs }) => maxUs)) };
}

let slotMiddlesUs: Float64Array | undefined;

/** Made once: it is the same for all histograms, and slow to work out. */
function middlesOfSlots(): Float64Array {
  if (slotMiddlesUs) return slotMiddlesUs;
  const histogram = new Int32Histogram(1, LONGEST_US, DIGITS);
  slotMiddlesUs = Float64Array.from({ length: histogram.countsArrayLength }, (_, slot) =>
    histogram.medianEquivalentValue(histogram.valueFromIndex(slot)),
  );
  return slotMiddlesUs;
}
