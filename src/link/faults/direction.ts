/**
 * Direction: one of the two directions of a connection on which things go wrong.
 *
 *   frame ─► does a fault happen here? ─► queue (in order; late frames keep the others waiting) ─► far end
 *
 * Without a fault, and with nothing waiting, a frame goes through at once.
 */

import type { Timer } from '../../common/clock.ts';
import type { TransitClock } from './transit-clock.ts';

export type DirectionName = 'to-service' | 'to-computer';

export interface Frame {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

export interface FaultyConnection {
  /** Applies the fault that happens to this frame now, if any; false without one. */
  applyFault(direction: Direction, frame: Frame): boolean;
  /** Hands a frame to the far end. */
  handOver(direction: DirectionName, frame: Frame): void;
  /** Begins to hand a frame over, and never ends. */
  handOverPart(direction: DirectionName, frame: Frame): void;
  cut(): void;
  mute(durationMs: number): void;
}

interface Waiting {
  readonly frame: Frame;
  readonly dueMs: number;
}

export class Direction {
  readonly name: DirectionName;
  readonly clock: TransitClock;
  readonly connection: FaultyConnection;
  #waiting: Waiting[] = [];
  #timer: Timer | undefined;
  #aside: { readonly frame: Frame; readonly timer: Timer } | undefined;

  constructor(name: DirectionName, clock: TransitClock, connection: FaultyConnection) {
    this.name = name;
    this.clock = clock;
    this.connection = connection;
  }

  /** A frame comes in. */
  enter(frame: Frame): void {
    if (!this.connection.applyFault(this, frame)) this.pass(frame);
    if (this.#aside && this.#aside.frame !== frame) this.#takeBack();
  }

  /** Lets a frame through after everything before it, `delayMs` from now at the earliest. */
  pass(frame: Frame, delayMs = 0): void {
    const last = this.#waiting.at(-1);
    if (delayMs <= 0 && !last) {
      this.connection.handOver(this.name, frame);
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

  /** Loses what is still on its way. */
  clear(): void {
    this.#waiting = [];
    this.#disarm();
    this.#endAside();
  }

  #takeBack(): void {
    const frame = this.#endAside();
    if (frame) this.pass(frame);
  }

  #endAside(): Frame | undefined {
    const aside = this.#aside;
    if (!aside) return undefined;
    this.#aside = undefined;
    aside.timer.cancel();
    this.clock.arrive();
    return aside.frame;
  }

  #arm(): void {
    const [first] = this.#waiting;
    if (!first) return;
    this.clock.depart();
    this.#timer = this.clock.schedule(Math.max(0, first.dueMs - this.clock.now()), () => this.#letDueThrough());
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
      if (due) this.connection.handOver(this.name, due.frame);
    }
    if (!this.#timer) this.#arm();
  }
}
