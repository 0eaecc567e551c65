/**
 * Scale instrument: what a scale reports of the weight on it, without time: its unit, its zero point, and
 * what is wrong with it. scale-weighing.ts does the arithmetic.
 */

import type { Random } from '../../common/random.ts';
import { decodeWeighingReport, encodeWeighingReport, type ScaleStatus } from './hid-report.ts';
import type { ScaleMode, ScaleProfile } from './scale-profile.ts';
import { statusReport, weigh } from './scale-weighing.ts';
import { readingOf, type WeighingReading } from './weighing-reading.ts';

/** What only a technician repairs; the scale reports nothing else until then. */
export type ScaleComplaint = Extract<ScaleStatus, 'fault' | 'needs-calibration' | 'needs-re-zeroing'>;

export class ScaleInstrument {
  readonly #profile: ScaleProfile;
  readonly #random: () => Random;
  #modeIndex = 0;
  #tareMicrograms = 0n;
  #isStuck = false;
  #complaint: ScaleComplaint | undefined;

  /** @param random - called when chance decides first: most scales of a room never move */
  constructor(profile: ScaleProfile, random: () => Random) {
    this.#profile = profile;
    this.#random = random;
  }

  get mode(): ScaleMode {
    const mode = this.#profile.modes[this.#modeIndex] ?? this.#profile.modes[0];
    if (!mode) throw new RangeError(`a '${this.#profile.product}' has no mode`);
    return mode;
  }

  /** First unit, zero with this weight on it. */
  powerOn(grossMicrograms: bigint): void {
    this.#modeIndex = 0;
    this.#isStuck = false;
    this.#tareMicrograms = grossMicrograms;
  }

  nextUnit(): void {
    this.#modeIndex = (this.#modeIndex + 1) % this.#profile.modes.length;
  }

  zero(grossMicrograms: bigint): void {
    const { quirks } = this.#profile;
    if (quirks.includes('no-zero-key')) return;
    this.#tareMicrograms = grossMicrograms;
    this.#isStuck = quirks.includes('stuck-at-zero');
  }

  /** Its zero point drifts. */
  creep(micrograms: bigint): void {
    this.#tareMicrograms -= micrograms;
  }

  complain(complaint: ScaleComplaint | undefined): void {
    this.#complaint = complaint;
  }

  /** Whether it has nothing to say of this weight. */
  isIdleWith(grossMicrograms: bigint): boolean {
    return grossMicrograms === this.#tareMicrograms && !this.#complaint;
  }

  /** What a scale would report that was empty when it was made. */
  firstReport(grossMicrograms: bigint): Uint8Array {
    const cell = { grossMicrograms, tareMicrograms: 0n, moving: false, flickersDown: false };
    return encodeWeighingReport(weigh(cell, this.mode, this.#profile));
  }

  weigh(grossMicrograms: bigint, moving: boolean): Uint8Array {
    const { mode } = this;
    const { reportId, quirks } = this.#profile;
    const status = this.#complaint ?? (this.#isStuck ? 'stable-at-zero' : undefined);
    if (status) return encodeWeighingReport(statusReport(status, mode, reportId));
    const flickersDown = quirks.includes('flicker') && this.#random().chance(0.5);
    const cell = { grossMicrograms, tareMicrograms: this.#tareMicrograms, moving, flickersDown };
    return encodeWeighingReport(weigh(cell, mode, this.#profile));
  }

  /** What a client program makes of these bytes; undefined when they are not a reading. */
  reading(report: Uint8Array): WeighingReading | undefined {
    const decoded = decodeWeighingReport(report);
    if (!decoded.ok) return undefined;
    const { modes, tellsResolution } = this.#profile;
    const mode = [this.mode, ...modes].find(({ unit }) => unit === decoded.value.unit);
    return readingOf(decoded.value, {
      division: tellsResolution ? (mode?.division ?? null) : null,
      twoPart: mode?.twoPart ?? false,
    });
  }
}
