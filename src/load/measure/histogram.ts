/**
 * Durations in microseconds, in a histogram: three significant digits from 1 µs to an hour. Two histograms
 * added up are exactly the histogram of all their values, so shards can be merged without loss.
 */

import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';

import type { DurationRecord } from '../../record/load-record.ts';

const LONGEST_US = 3_600_000_000;
const DIGITS = 3;

export class Durations {
  readonly #histogram: Histogram;

  constructor(histogram: Histogram = emptyHistogram()) {
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

  /** The duration that this many percent of them do not exceed; 0 when there are none. */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.getValueAtPercentile(percent);
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
    durations.#histogram.add(decoded);
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

function emptyHistogram(): Histogram {
  return build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: DIGITS,
    useWebAssembly: false,
  });
}
