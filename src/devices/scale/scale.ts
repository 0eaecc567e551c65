/**
 * Virtual scale: a USB scale over time. It makes real report bytes, which its computer decodes.
 *
 *   load() ─► in motion, 4 reports ─► at rest ─┬─ empty ─► silent (no timer: auto-off.ts)
 *              125 ms apart, damped            └─ loaded ─► the same again, each second
 *
 *   plugged in and on ─► tares to zero with what lies on it      unplugged or off ─► gone from the list
 *
 * What it reports of a weight is the instrument's matter (scale-instrument.ts); here are time, plug and faults.
 * Real scales repeat themselves several times a second and clients pass on one a second; the repeats that a
 * client would drop are left out. Counts and times are fixed, chance comes from the seed.
 */

import { usageError } from '../../common/actionable-error.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { FaultPlan, Firing } from '../../common/fault-plan.ts';
import { placeOf } from '../../common/fault-rule.ts';
import type { Random } from '../../common/random.ts';
import type { ScaleReport } from '../../link/messages.ts';
import type { AutoOff, SelfOff } from './auto-off.ts';
import {
  creepMicrograms,
  REPORT_FAULTS,
  SLOW_ENUMERATION,
  slowAnswerMs,
  spoiledReport,
  STALE_FIRST_REPORT,
  unpluggedMs,
} from './scale-faults.ts';
import { ScaleInstrument, type ScaleComplaint } from './scale-instrument.ts';
import type { ScaleProfile } from './scale-profile.ts';
import type { WeighingReading } from './weighing-reading.ts';

/** A scale of a room: a model, and what this one is called. */
export interface ScaleDescription {
  readonly profile: ScaleProfile;
  /** Vendor and product unless given. */
  readonly name?: string | undefined;
  /** What fault rules call it; its device name unless given. */
  readonly as?: string | undefined;
  /** The profile's own port unless given. */
  readonly port?: string | null | undefined;
  /** What lies on it from the beginning; nothing unless given. */
  readonly loadMicrograms?: number | undefined;
  /** How often an unchanged reading is repeated, at least 1; 1 s unless given. */
  readonly republishMs?: number | undefined;
  /** Switches itself off after this long without a change; as its profile says unless given. */
  readonly autoOffMs?: number | null | undefined;
}

/** Hears what comes out of a scale: its computer, or anything else that reads it as a USB device. */
export interface ScaleListener {
  /** The scale was plugged in or unplugged, switched on or off: `attached` says which. */
  scalesChanged(): void;
  /** The scale sent a report: the bytes as they are on the bus, faults included. */
  scaleReported(scale: VirtualScale, report: Uint8Array): void;
  /** The scale halted the endpoint that it reports on, in place of a report. */
  endpointStalled?(): void;
}

/** The computer it is plugged into. */
export interface ScaleHost extends ScaleListener {
  /** A scale that moves takes a stream of its own from it. */
  readonly random: Random;
}

/** What all scales of a room share. */
export interface ScaleOptions {
  readonly clock: Clock;
  readonly autoOff: AutoOff;
  readonly faults?: FaultPlan | undefined;
}

export type ScaleKey = 'unit' | 'zero' | 'power';

const DEFAULT_REPUBLISH_MS = 1_000;
const MOTION_REPORT_MS = 125;
/** How far the platform swings beyond the new weight, in thousandths of the way: drawn from these bounds. */
const OVERSHOOT_PERMILLE = { least: 20, most: 80 };

export class VirtualScale implements SelfOff {
  readonly port: string | null;
  readonly #number: number;
  readonly #name: string | undefined;
  readonly #as: string | undefined;
  readonly #profile: ScaleProfile;
  readonly #instrument: ScaleInstrument;
  readonly #options: ScaleOptions;
  readonly #host: ScaleHost;
  readonly #republishMs: number;
  readonly #autoOffMs: number | null;
  #listeners: readonly ScaleListener[];
  #plugged = true;
  #on = true;
  #grossMicrograms = 0n;
  #report: Uint8Array | undefined;
  #changedAtMs: number;
  #timer: Timer | undefined;
  #isMoving = false;
  #ownRandom: Random | undefined;

  /**
   * @param number - counts the scales of its computer, from 1
   * @throws ActionableError when the description asks for what cannot be
   */
  constructor(number: number, description: ScaleDescription, options: ScaleOptions, host: ScaleHost) {
    const { profile, name, as, port = profile.port, loadMicrograms = 0 } = description;
    const { republishMs = DEFAULT_REPUBLISH_MS, autoOffMs = profile.autoOffMs } = description;
    if (!(republishMs >= 1)) {
      const message = `a scale cannot repeat its reading every ${republishMs} ms`;
      throw usageError(message, 'Give republishMs as 1 or more.');
    }
    this.#number = number;
    this.#name = name;
    this.#as = as;
    this.port = port;
    this.#profile = profile;
    this.#instrument = new ScaleInstrument(profile, () => this.#random);
    this.#options = options;
    this.#host = host;
    this.#listeners = [host];
    this.#republishMs = republishMs;
    this.#autoOffMs = autoOffMs;
    this.#changedAtMs = options.clock.now();
    this.#grossMicrograms = microgramsOf(loadMicrograms);
    this.#rest();
  }

  /** Distinguishes two of one name. */
  get key(): string {
    return `scale-${this.#number}`;
  }

  get deviceName(): string {
    return this.#name ?? [this.#profile.vendor, this.#profile.product].filter(Boolean).join(' - ');
  }

  /** Its name as a place for faults. */
  get place(): string {
    return placeOf('scale', this.#as ?? this.deviceName);
  }

  /** Whether its computer sees it: plugged in and switched on. */
  get attached(): boolean {
    return this.#plugged && this.#on;
  }

  get loadMicrograms(): number {
    return Number(this.#grossMicrograms);
  }

  /** Whether the platform still swings. */
  get moving(): boolean {
    return this.#isMoving;
  }

  /** The last bytes it sent; until it has sent any, what it says of what lies on it. */
  get report(): Uint8Array {
    return this.#report ?? this.#instrument.firstReport(this.#grossMicrograms);
  }

  /** What its computer makes of these bytes; of the last ones unless given. Undefined when they are not a reading. */
  reading(report: Uint8Array = this.report): WeighingReading | undefined {
    return this.#instrument.reading(report);
  }

  /** The first byte of its data reports. */
  get reportId(): 3 | 4 {
    return this.#profile.reportId;
  }

  /** How long a host that takes it now waits for each of its answers about itself. */
  enumerationDelayMs(): number {
    const firing = this.#meets([SLOW_ENUMERATION]);
    return firing ? slowAnswerMs(firing) : 0;
  }

  /** As its computer lists it to the service. */
  listing(): ScaleReport {
    const { key, deviceName, port } = this;
    const { vendor, product, vendorId, productId } = this.#profile;
    return { key, deviceName, vendor, product, vendorId, productId, port };
  }

  /** Lets another listener hear it, beside its computer. Returns the way to stop it. */
  listen(listener: ScaleListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener);
    };
  }

  /**
   * Puts this much on the platform, in place of what lay there; 0 clears it.
   *
   * @throws RangeError when it is not an integer of at least 0
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
    if (key === 'unit') this.#instrument.nextUnit();
    else this.#instrument.zero(this.#grossMicrograms);
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

  /** When it goes off unless it is touched; Infinity for a scale that does not. */
  get offAtMs(): number {
    return this.#autoOffMs === null ? Infinity : this.#changedAtMs + this.#autoOffMs;
  }

  switchOff(): void {
    this.#power(this.#plugged, false);
  }

  /** From now on the scale only complains; undefined repairs it. */
  complain(complaint: ScaleComplaint | undefined): void {
    this.#instrument.complain(complaint);
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
    else for (const listener of this.#listeners) listener.scalesChanged();
  }

  /** Power-up: first unit, zero with whatever lies on the platform. */
  #start(): void {
    this.#changed();
    this.#instrument.powerOn(this.#grossMicrograms);
    for (const listener of this.#listeners) listener.scalesChanged();
    const isStale = this.#profile.quirks.includes('stale-first') || this.#meets([STALE_FIRST_REPORT]);
    if (!isStale) return this.#settle();
    this.#send(this.report);
    this.#after(MOTION_REPORT_MS, () => this.#settle());
  }

  /** What the platform shows on its way to a new weight: short, beyond, short, nearly there. */
  #swingFrom(beforeMicrograms: bigint): bigint[] {
    const { least, most } = OVERSHOOT_PERMILLE;
    const overshoot = this.#random.integer(least, most);
    const way = this.#grossMicrograms - beforeMicrograms;
    const permilles = [450, 1_000 + overshoot, 1_000 - Math.floor(overshoot / 2), 1_000 + Math.floor(overshoot / 8)];
    return permilles.map((permille) => beforeMicrograms + (way * BigInt(permille)) / 1_000n);
  }

  #swing([next, ...later]: bigint[]): void {
    if (next === undefined) return this.#settle();
    this.#isMoving = true;
    this.#emit(next, true);
    if (this.attached) this.#after(MOTION_REPORT_MS, () => this.#swing(later));
  }

  #settle(): void {
    this.#isMoving = false;
    this.#emit(this.#grossMicrograms, false);
    if (this.attached) this.#rest();
  }

  /** Makes a report and sends it; while the platform moves only one that says something new. */
  #emit(grossMicrograms: bigint, moving: boolean): void {
    const firing = this.#meets(REPORT_FAULTS);
    if (firing?.fault === 'unplug') return this.#losePlug(firing);
    if (firing?.fault === 'stalled-endpoint') {
      for (const listener of this.#listeners) listener.endpointStalled?.();
      return;
    }
    // The zero point creeps; the zero key puts it right.
    const { mode } = this.#instrument;
    if (firing?.fault === 'drift') this.#instrument.creep(creepMicrograms(firing, mode));
    const report = this.#instrument.weigh(grossMicrograms, moving);
    const sent = firing ? spoiledReport(firing, { report, before: this.report, mode }) : report;
    if (!moving || Buffer.compare(sent, this.report) !== 0) this.#send(sent);
  }

  #meets(faults: readonly string[]): Firing | undefined {
    const plan = this.#options.faults;
    return plan && !plan.isEmpty ? plan.firstOf(this.place, faults) : undefined;
  }

  #losePlug(firing: Firing): void {
    this.unplug();
    const outMs = unpluggedMs(firing, this.#options.clock.now());
    if (outMs < Infinity) this.#after(Math.max(MOTION_REPORT_MS, outMs), () => this.plug());
  }

  /** An empty scale falls silent. */
  #rest(): void {
    const { offAtMs } = this;
    const offInMs = offAtMs - this.#options.clock.now();
    if (offInMs <= 0) return this.switchOff();
    if (!this.#instrument.isIdleWith(this.#grossMicrograms) && this.#republishMs < offInMs)
      return this.#after(this.#republishMs, () => this.#settle());
    this.#waitForNothing();
    if (offAtMs < Infinity) this.#options.autoOff.add(this);
  }

  get #random(): Random {
    this.#ownRandom ??= this.#host.random.stream(this.key);
    return this.#ownRandom;
  }

  #send(report: Uint8Array): void {
    this.#report = report;
    for (const listener of this.#listeners) listener.scaleReported(this, report);
  }

  #changed(): void {
    this.#changedAtMs = this.#options.clock.now();
  }

  #waitForNothing(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#options.autoOff.remove(this);
  }

  #after(delayMs: number, task: () => void): void {
    this.#waitForNothing();
    this.#timer = this.#options.clock.schedule(delayMs, task);
  }
}

/** @throws RangeError when it is not an integer of at least 0 */
function microgramsOf(mass: number): bigint {
  if (Number.isSafeInteger(mass) && mass >= 0) return BigInt(mass);
  throw new RangeError(`a load is an integer of micrograms, 0 or more, not ${mass}`);
}
