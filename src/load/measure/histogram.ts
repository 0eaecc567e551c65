/**
 * Durations in microseconds, in a histogram: three significant digits from 1 µs to an hour. Two histograms
 * added up are exactly the histogram of all their values, so shards can be merged without loss.
 */

import { inflateSync } from 'node:zlib';

import { encodeIntoCompressedBase64, Int32Histogram, type JsHistogram } from 'hdr-histogram-js';

import { messageOf } from '../../common/error-message.ts';
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

  /** @throws RangeError when the string is not such a histogram: it may be of anybody */
  static fromBase64(text: string): Durations {
    const durations = new Durations();
    const histogram = durations.#histogram;
    const [head, counts] = contentOf(text);
    let isSound = head.equals(contentOf(durations.toBase64())[0]);
    let slot = 0;
    for (const count of isSound ? countsIn(counts) : []) {
      // A run of slots without a value stands as its negative length.
      isSound &&= slot - Math.min(count, 0) < histogram.countsArrayLength && count <= MOST_COUNT;
      if (!isSound) break;
      if (count > 0) histogram.recordValueWithCount(histogram.valueFromIndex(slot), count);
      slot += count < 0 ? -count : 1;
    }
    if (!isSound) throw new RangeError('it is no histogram of durations');
    return durations;
  }
}

const MOST_COUNT = 2 ** 31 - 1;
/** Far more than one with a count in every slot. */
const MOST_BYTES = 1024 * 1024;
/** A mark and the length stand before what is compressed. */
const WRAPPER_BYTES = 8;
/** The mark of the format, and the settings; between them stands the length of the counts. */
const HEAD_PARTS = [
  [0, 4],
  [8, 32],
] as const;
const HEAD_BYTES = 40;

/** Its settings, and its counts. @throws RangeError when it is not compressed, or too long */
function contentOf(text: string): readonly [head: Buffer, counts: Buffer] {
  try {
    const bytes = inflateSync(Buffer.from(text, 'base64').subarray(WRAPPER_BYTES), { maxOutputLength: MOST_BYTES });
    return [Buffer.concat(HEAD_PARTS.map(([from, to]) => bytes.subarray(from, to))), bytes.subarray(HEAD_BYTES)];
  } catch (error) {
    throw new RangeError(`it is no histogram: ${messageOf(error)}`, { cause: error });
  }
}

/** Numbers of up to nine bytes, seven bits in each, the lowest first; their sign is the lowest bit. */
function* countsIn(bytes: Buffer): Generator<number> {
  for (let index = 0; index < bytes.length;) {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[index++] ?? 0;
      number += (byte % 128) * factor;
      if (byte < 128) break;
    }
    yield number % 2 === 0 ? number / 2 : -(number + 1) / 2;
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
