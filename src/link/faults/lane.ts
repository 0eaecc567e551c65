/**
 * Lane: one direction of a connection, on which things go wrong.
 *
 *   frame ─► does a fault happen here? ─► queue (in order; late frames keep the others waiting) ─► far end
 *
 * Without a fault, and with nothing waiting, a frame goes through at once.
 */

import type { Timer } from '../../common/clock.ts';
import type { Firing } from '../../common/fault-plan.ts';
import type { TransitClock } from './transit-clock.ts';

export type Direction = 'to-service' | 'to-computer';

export interface Frame {
  /** The `type` of the message in it, or `unknown`. */
  readonly kind: string;
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** What a fault does to a frame, and to the connection it is on. */
export type FrameFault = (frame: Frame, lane: Lane, firing: Firing) => void;

/** The connection that a lane is one direction of. */
export interface LaneEnds {
  /** Which fault happens to a frame of this kind now. */
  faultFor(
    direction: Direction,
    kind: string,
  ): { readonly apply: FrameFault; readonly firing: Firing } | undefined;
  /** Hands a frame to the far end of the lane. */
  handOver(direction: Direction, frame: Frame): void;
  /** Begins to hand a frame over, and never ends. */
  handOverPart(direction: Direction, frame: Frame): void;
  cut(): void;
  mute(durationMs: number): void;
}

interface Waiting {
  readonly frame: Frame;
  readonly dueMs: number;
}

export class Lane {
  readonly direction: Direction;
  readonly clock: TransitClock;
  readonly #ends: LaneEnds;
  #waiting: Waiting[] = [];
  #timer: Timer | undefined;
  #aside: { readonly frame: Frame; readonly timer: Timer } | undefined;

  constructor(direction: Direction, clock: TransitClock, ends: LaneEnds) {
    this.direction = direction;
    this.clock = clock;
    this.#ends = ends;
  }

  /** A frame comes in. */
  enter(frame: Frame): void {
    const fault = this.#ends.faultFor(this.direction, frame.kind);
    if (fault) fault.apply(frame, this, fault.firing);
    else this.pass(frame);
    if (this.#aside && this.#aside.frame !== frame) this.#takeBack();
  }

  /** Lets a frame through after everything before it, `delayMs` from now at the earliest. */
  pass(frame: Frame, delayMs = 0): void {
    const last = this.#waiting.at(-1);
    if (delayMs <= 0 && !last) {
      this.#ends.handOver(this.direction, frame);
      return;
    }
    this.#waiting.push({ frame, dueMs: Math.max(last?.dueMs ?? 0, this.clock.now() + delayMs) });
    if (!this.#timer) this.#arm();
  }

  /** Keeps a frame back until the next one has passed, for `limitMs` at most. */
  setAside(frame: Frame, limitMs: number): void {
    if (this.#aside) this.#takeBack();
    this.clock.depart();
    this.#aside = { frame, timer: this.clock.schedule(limitMs, () => this.#takeBack()) };
  }

  passPart(frame: Frame): void {
    this.#ends.handOverPart(this.direction, frame);
  }

  cut(): void {
    this.#ends.cut();
  }

  mute(durationMs: number): void {
    this.#ends.mute(durationMs);
  }

  /** Loses what is still on its way. */
  clear(): void {
    this.#waiting = [];
    this.#disarm();
    const aside = this.#aside;
    this.#aside = undefined;
    if (!aside) return;
    aside.timer.cancel();
    this.clock.arrive();
  }

  #takeBack(): void {
    const aside = this.#aside;
    this.#aside = undefined;
    if (!aside) return;
    aside.timer.cancel();
    this.clock.arrive();
    this.pass(aside.frame);
  }

  #arm(): void {
    const [first] = this.#waiting;
    if (!first) return;
    this.clock.depart();
    this.#timer = this.clock.schedule(Math.max(0, first.dueMs - this.clock.now()), () =>
      this.#letDueThrough(),
    );
  }

  #disarm(): void {
    if (!this.#timer) return;
    this.#timer.cancel();
    this.#timer = undefined;
    this.clock.arrive();
  }

  #letDueThrough(): void {
    this.#disarm();
    const nowMs = this.clock.now();
    while (this.#waiting[0] && this.#waiting[0].dueMs <= nowMs) {
      const [due] = this.#waiting.splice(0, 1);
      if (due) this.#ends.handOver(this.direction, due.frame);
    }
    if (!this.#timer) this.#arm();
  }
}
