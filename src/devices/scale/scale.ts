/**
 * Virtual scale: a USB scale over time. It makes real report bytes, which its computer decodes.
 *
 *   load() ─► in motion, 4 reports ─► at rest ─┬─ empty ─► silent (no timer: auto-off.ts)
 *              125 ms apart, damped            └─ loaded ─► the same again, each second
 *
 *   plugged in and on ─► tares to zero with what lies on it      unplugged or off ─► gone from the list
 *
 * Real scales repeat themselves several times a second and clients pass on one a second; the repeats
 * that a client would drop are left out here. Counts and times are fixed, chance comes from the seed.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { FaultPlan, Firing } from '../../common/fault-plan.ts';
import { placeOf } from '../../common/fault-rule.ts';
import type { Random } from '../../common/random.ts';
import type { ScaleReport } from '../../link/messages.ts';
import type { AutoOff, SelfOff } from './auto-off.ts';
import { decodeWeighingReport, encodeWeighingReport, type ScaleStatus } from './hid-report.ts';
import {
  creepMicrograms,
  REPORT_FAULTS,
  spoiledReport,
  STALE_FIRST_REPORT,
  unpluggedMs,
} from './scale-faults.ts';
import type { ScaleMode, ScaleProfile } from './scale-profile.ts';
import { statusReport, weigh, type LoadCell } from './scale-weighing.ts';
import { readingOf, type WeighingReading } from './weighing-reading.ts';

/** A scale of a room: a model, and what this one is called. */
export interface ScaleDescription {
  readonly profile: ScaleProfile;
  /** Vendor and product unless given. */
  readonly name?: string;
  /** What fault rules call it; its device name unless given. */
  readonly as?: string;
  /** The profile's own port unless given. */
  readonly port?: string | null;
  /** What lies on it from the beginning; nothing unless given. */
  readonly loadMicrograms?: number;
  /** How often an unchanged reading is told again, at least 1; 1 s unless given. */
  readonly republishMs?: number;
  /** Switches itself off after this long without a change; as its profile says unless given. */
  readonly autoOffMs?: number | null;
}

/** The computer it is plugged into. */
export interface ScaleHost {
  /** A scale that moves takes a stream of its own from it. */
  readonly random: Random;
  /** The scale was plugged in or unplugged, switched on or off. */
  scalesChanged(): void;
  /** The scale sent a report. */
  scaleReported(scale: VirtualScale, report: Uint8Array): void;
}

/** What all scales of a room share. */
export interface ScaleParts {
  readonly clock: Clock;
  readonly autoOff: AutoOff;
  /** What is to go wrong. */
  readonly faults?: FaultPlan | undefined;
}

export type ScaleKey = 'unit' | 'zero' | 'power';
/** What only a technician mends; the scale says nothing else until then. */
export type ScaleComplaint = Extract<ScaleStatus, 'fault' | 'needs-calibration' | 'needs-re-zeroing'>;

const DEFAULT_REPUBLISH_MS = 1_000;
const EMPTY: LoadCell = {
  grossMicrograms: 0n,
  tareMicrograms: 0n,
  moving: false,
  flickersDown: false,
};
const MOTION_REPORT_MS = 125;
/** How far the platform swings beyond the new weight, in thousandths of the way: drawn from these bounds. */
const OVERSHOOT_PERMILLE = { least: 20, most: 80 };

export class VirtualScale implements SelfOff {
  readonly port: string | null;
  readonly #number: number;
  readonly #name: string | undefined;
  readonly #as: string | undefined;
  readonly #profile: ScaleProfile;
  readonly #parts: ScaleParts;
  readonly #host: ScaleHost;
  readonly #republishMs: number;
  readonly #autoOffMs: number | null;
  #plugged = true;
  #on = true;
  #modeIndex = 0;
  #grossMicrograms = 0n;
  #tareMicrograms = 0n;
  #stuck = false;
  #complaint: ScaleComplaint | undefined;
  #report: Uint8Array | undefined;
  #changedAtMs: number;
  #timer: Timer | undefined;
  #isMoving = false;
  #ownRandom: Random | undefined;

  /**
   * @param number - counts the scales of its computer, from 1
   * @throws ActionableError when the description asks for what cannot be
   */
  constructor(number: number, description: ScaleDescription, parts: ScaleParts, host: ScaleHost) {
    const { profile, name, as, port, loadMicrograms = 0 } = description;
    const { republishMs = DEFAULT_REPUBLISH_MS, autoOffMs = profile.autoOffMs } = description;
    if (!(republishMs >= 1)) {
      const message = `a scale cannot repeat its reading every ${republishMs} ms`;
      throw new ActionableError('usage', message, 'Give republishMs as 1 or more.');
    }
    this.#number = number;
    this.#name = name;
    this.#as = as;
    this.port = port === undefined ? profile.port : port;
    this.#profile = profile;
    this.#parts = parts;
    this.#host = host;
    this.#republishMs = republishMs;
    this.#autoOffMs = autoOffMs;
    this.#changedAtMs = parts.clock.now();
    this.#grossMicrograms = microgramsOf(loadMicrograms);
    this.#rest();
  }

  /** Tells two of one name apart. */
  get key(): string {
    return `scale-${this.#number}`;
  }

  get deviceName(): string {
    return this.#name ?? [this.vendor, this.product].filter(Boolean).join(' - ');
  }

  /** Its name as a place for faults. */
  get place(): string {
    return placeOf('scale', this.#as ?? this.deviceName);
  }

  get vendor(): string {
    return this.#profile.vendor;
  }

  get product(): string {
    return this.#profile.product;
  }

  get vendorId(): number {
    return this.#profile.vendorId;
  }

  get productId(): number {
    return this.#profile.productId;
  }

  /** Whether its computer sees it: plugged in and switched on. */
  get attached(): boolean {
    return this.#plugged && this.#on;
  }

  /** What lies on the platform, in micrograms. */
  get loadMicrograms(): number {
    return Number(this.#grossMicrograms);
  }

  /** Whether the platform still swings. */
  get moving(): boolean {
    return this.#isMoving;
  }

  /** The last bytes it sent; until it has sent any, what it says of what lies on it. */
  get report(): Uint8Array {
    const cell = { ...EMPTY, grossMicrograms: this.#grossMicrograms };
    return this.#report ?? encodeWeighingReport(weigh(cell, this.#mode, this.#profile));
  }

  /** What its computer makes of these bytes; of the last ones unless given. Undefined when they are no reading. */
  reading(report: Uint8Array = this.report): WeighingReading | undefined {
    const decoded = decodeWeighingReport(report);
    if (!decoded.ok) return undefined;
    const { modes, tellsResolution } = this.#profile;
    const mode = [this.#mode, ...modes].find(({ unit }) => unit === decoded.value.unit);
    return readingOf(decoded.value, {
      division: tellsResolution ? (mode?.division ?? null) : null,
      twoPart: mode?.twoPart ?? false,
    });
  }

  /** As its computer lists it for the service. */
  listing(): ScaleReport {
    const { key, deviceName, vendor, product, vendorId, productId, port } = this;
    return { key, deviceName, vendor, product, vendorId, productId, port };
  }

  /**
   * Puts this much on the platform, in place of what lay there; 0 clears it.
   *
   * @throws RangeError when it is no whole number of micrograms from 0 up
   */
  load(massMicrograms: number): void {
    const before = this.#grossMicrograms;
    this.#grossMicrograms = microgramsOf(massMicrograms);
    this.#changed();
    if (this.attached) this.#swing(this.#swingFrom(before));
  }

  press(key: ScaleKey): void {
    if (key === 'power') return this.#power(this.#plugged, !this.#on);
    if (!this.attached) return;
    this.#changed();
    if (key === 'unit') this.#modeIndex = (this.#modeIndex + 1) % this.#profile.modes.length;
    else this.#zero();
    this.#settle();
  }

  /** Pulls the plug; what lies on the platform stays there. */
  unplug(): void {
    this.#power(false, this.#on);
  }

  /** Puts the plug back, perhaps after it had switched itself off. */
  plug(): void {
    this.#power(true, true);
  }

  /** When it goes off unless somebody touches it; never, for a scale that does not do that. */
  get offAtMs(): number {
    return this.#autoOffMs === null ? Infinity : this.#changedAtMs + this.#autoOffMs;
  }

  switchOff(): void {
    this.#power(this.#plugged, false);
  }

  /** From now on the scale only complains; undefined mends it. */
  complain(complaint: ScaleComplaint | undefined): void {
    this.#complaint = complaint;
    this.#changed();
    if (this.attached) this.#settle();
  }

  /** Ends its movements for good: the room is taken down. */
  close(): void {
    this.#waitForNothing();
  }

  #power(plugged: boolean, on: boolean): void {
    const before = this.attached;
    this.#plugged = plugged;
    this.#on = on;
    if (before === this.attached) return;
    this.#isMoving = false;
    this.#waitForNothing();
    if (this.attached) this.#start();
    else this.#host.scalesChanged();
  }

  /** Power-up: first unit, zero with whatever lies on the platform. */
  #start(): void {
    this.#changed();
    this.#modeIndex = 0;
    this.#stuck = false;
    this.#tareMicrograms = this.#grossMicrograms;
    this.#host.scalesChanged();
    const isStale = this.#profile.quirks.includes('stale-first') || this.#meets([STALE_FIRST_REPORT]);
    if (!isStale) return this.#settle();
    this.#send(this.report);
    this.#after(MOTION_REPORT_MS, () => this.#settle());
  }

  #zero(): void {
    const { quirks } = this.#profile;
    if (quirks.includes('no-zero-key')) return;
    this.#tareMicrograms = this.#grossMicrograms;
    this.#stuck = quirks.includes('stuck-at-zero');
  }

  /** What the platform shows on its way to a new weight: short, beyond, short, nearly there. */
  #swingFrom(beforeMicrograms: bigint): bigint[] {
    const { least, most } = OVERSHOOT_PERMILLE;
    const overshoot = this.#chance.integer(least, most);
    const way = this.#grossMicrograms - beforeMicrograms;
    const permilles = [
      450,
      1_000 + overshoot,
      1_000 - Math.floor(overshoot / 2),
      1_000 + Math.floor(overshoot / 8),
    ];
    return permilles.map((permille) => beforeMicrograms + (way * BigInt(permille)) / 1_000n);
  }

  #swing([next, ...later]: bigint[]): void {
    if (next === undefined) return this.#settle();
    this.#isMoving = true;
    this.#tell(next, true);
    if (this.attached) this.#after(MOTION_REPORT_MS, () => this.#swing(later));
  }

  #settle(): void {
    this.#isMoving = false;
    this.#tell(this.#grossMicrograms, false);
    if (this.attached) this.#rest();
  }

  /** Makes a report and sends it; while the platform moves only one that says something new. */
  #tell(grossMicrograms: bigint, moving: boolean): void {
    const firing = this.#meets(REPORT_FAULTS);
    if (firing?.fault === 'unplug') return this.#losePlug(firing);
    // The zero point creeps; the zero key puts it right.
    if (firing?.fault === 'drift') this.#tareMicrograms -= creepMicrograms(firing, this.#mode);
    const report = this.#weigh(grossMicrograms, moving);
    const told = firing ? spoiledReport(firing, { report, before: this.report, mode: this.#mode }) : report;
    if (!moving || Buffer.compare(told, this.report) !== 0) this.#send(told);
  }

  #meets(faults: readonly string[]): Firing | undefined {
    const plan = this.#parts.faults;
    return plan && !plan.isEmpty ? plan.firstOf(this.place, faults) : undefined;
  }

  #losePlug(firing: Firing): void {
    this.unplug();
    const outMs = unpluggedMs(firing, this.#parts.clock.now());
    if (outMs < Infinity) this.#after(Math.max(MOTION_REPORT_MS, outMs), () => this.plug());
  }

  /** An empty scale says nothing more. */
  #rest(): void {
    const { offAtMs } = this;
    const offInMs = offAtMs - this.#parts.clock.now();
    if (offInMs <= 0) return this.switchOff();
    if (!this.#isEmpty && this.#republishMs < offInMs)
      return this.#after(this.#republishMs, () => this.#settle());
    this.#waitForNothing();
    if (offAtMs < Infinity) this.#parts.autoOff.add(this);
  }

  get #isEmpty(): boolean {
    return this.#grossMicrograms === this.#tareMicrograms && !this.#complaint;
  }

  #weigh(grossMicrograms: bigint, moving: boolean): Uint8Array {
    const { reportId } = this.#profile;
    const mode = this.#mode;
    if (this.#complaint) return encodeWeighingReport(statusReport(this.#complaint, mode, reportId));
    if (this.#stuck) return encodeWeighingReport(statusReport('stable-at-zero', mode, reportId));
    const flickersDown = this.#profile.quirks.includes('flicker') && this.#chance.chance(0.5);
    const cell = { grossMicrograms, tareMicrograms: this.#tareMicrograms, moving, flickersDown };
    return encodeWeighingReport(weigh(cell, mode, this.#profile));
  }

  get #mode(): ScaleMode {
    const mode = this.#profile.modes[this.#modeIndex] ?? this.#profile.modes[0];
    if (!mode) throw new RangeError(`scale '${this.deviceName}' has no mode`);
    return mode;
  }

  get #chance(): Random {
    this.#ownRandom ??= this.#host.random.stream(this.key);
    return this.#ownRandom;
  }

  #send(report: Uint8Array): void {
    this.#report = report;
    this.#host.scaleReported(this, report);
  }

  #changed(): void {
    this.#changedAtMs = this.#parts.clock.now();
  }

  #waitForNothing(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#parts.autoOff.remove(this);
  }

  #after(delayMs: number, task: () => void): void {
    this.#waitForNothing();
    this.#timer = this.#parts.clock.schedule(delayMs, task);
  }
}

/** @throws RangeError when it is no whole number of micrograms from 0 up */
function microgramsOf(mass: number): bigint {
  if (Number.isSafeInteger(mass) && mass >= 0) return BigInt(mass);
  throw new RangeError(`a load is a whole number of micrograms from 0 up, not ${mass}`);
}
