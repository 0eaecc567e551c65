/**
 * Virtual clock: time that stands still until it is advanced.
 *
 *   advance('14d')  ─►  settle ─► fire what is due first ─► settle ─► fire the next … ─► settle
 *
 * "Settled" means: there has been no hold for some turns of the event loop. Holds stand for real work
 * (a request on a loopback socket, a message that waits for its acknowledgement). A hold that makes no
 * progress for its patience, in real time, counts as a peer that hangs on purpose: the clock goes on
 * without it, so that the timeout that ends the hang can come due. A peer of this process says when it
 * does so, and takes less patience.
 */

import { usageError } from './actionable-error.ts';
import type { Clock, Hold, Timer } from './clock.ts';
import { DueQueue } from './due-queue.ts';
import { durationMs, type Duration } from './duration.ts';

/** Turns of the event loop without a hold until the clock counts as settled. */
const QUIET_TURNS = 3;
const DEFAULT_PATIENCE_MS = 250;
/** With a peer that stalls: other requests may be under way to it. */
const STALLED_PATIENCE_MS = 25;
/** With one that stalls as often as it is waited for: all that is under way has arrived. */
const ARRIVED_PATIENCE_MS = 1;
/** After so much time without progress it looks once a millisecond, and leaves the processor to what is waited for. */
const SPIN_MS = 2;
/** What a turn of the event loop counts for at most: in a process that was stopped nothing could progress. */
const TURN_MOST_MS = 1;
/** 2026-01-01T00:00:00.000Z: where virtual time begins by default. */
const DEFAULT_START_MS = Date.UTC(2026, 0, 1);
/** The last time that a timestamp can show, with a year of four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

interface HoldRecord {
  readonly what: string;
  readonly patienceMs: number;
  readonly peer: string | undefined;
  parked: boolean;
}

interface Beat {
  readonly intervalMs: number;
  readonly task: () => void;
  dueMs: number;
}

export class VirtualClock implements Clock {
  readonly isVirtual = true;
  #nowMs: number;
  readonly #queue = new DueQueue();
  readonly #beats = new Set<Beat>();
  readonly #holds = new Set<HoldRecord>();
  /** How often each peer stalls at present. */
  readonly #stalls = new Map<string, number>();
  #progress = 0;
  #lastAdvance: Promise<void> = Promise.resolve();

  constructor(startMs: number = DEFAULT_START_MS) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, task: () => void): Timer {
    this.#progress++;
    const entry = this.#queue.add(this.#nowMs + Math.max(0, delayMs), task);
    return {
      cancel: () => {
        entry.cancelled = true;
      },
    };
  }

  beat(intervalMs: number, task: () => void): Timer {
    const beat: Beat = { intervalMs, task, dueMs: this.#nowMs + intervalMs };
    this.#beats.add(beat);
    return { cancel: () => this.#beats.delete(beat) };
  }

  hold(what: string, patienceMs: number = DEFAULT_PATIENCE_MS, peer?: string): Hold {
    const record: HoldRecord = { what, patienceMs, peer, parked: false };
    this.#holds.add(record);
    this.#progress++;
    return {
      release: () => {
        if (this.#holds.delete(record)) this.#progress++;
      },
    };
  }

  stall(peer: string): Hold {
    this.#stalls.set(peer, (this.#stalls.get(peer) ?? 0) + 1);
    this.#progress++;
    let isOver = false;
    return {
      release: () => {
        if (isOver) return;
        isOver = true;
        const left = (this.#stalls.get(peer) ?? 0) - 1;
        if (left > 0) this.#stalls.set(peer, left);
        else this.#stalls.delete(peer);
      },
    };
  }

  /** When the next task is due; undefined without one. Beats do not count. */
  get nextDueMs(): number | undefined {
    return this.#queue.peek()?.dueMs;
  }

  /** The holds, for messages about a clock that does not settle. */
  get heldBy(): readonly string[] {
    return [...this.#holds].map((hold) => hold.what);
  }

  /**
   * Moves time forward, firing what comes due in order of due time, with awaited work settled between.
   * Resolves when all is quiet at the new time. Calls queue up: a second one begins where the first ended.
   *
   * @throws ActionableError beyond the year 9999
   */
  advance(duration: Duration): Promise<void> {
    const stepMs = durationMs(duration);
    const run = this.#lastAdvance.then(() => this.#advanceTo(this.#after(stepMs)));
    this.#lastAdvance = run.catch(() => undefined);
    return run;
  }

  /** Lets work in progress finish and fires what is due now, without moving time. */
  settle(): Promise<void> {
    return this.advance(0);
  }

  #after(stepMs: number): number {
    const targetMs = this.#nowMs + stepMs;
    if (targetMs <= LAST_MS) return targetMs;
    throw usageError('a virtual clock ends with the year 9999', 'Start again: a new clock begins in 2026.');
  }

  async #advanceTo(targetMs: number): Promise<void> {
    for (;;) {
      await this.#quiet();
      const next = this.#queue.peek();
      if (!next || next.dueMs > targetMs) break;
      this.#queue.take();
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.task();
    }
    this.#nowMs = Math.max(this.#nowMs, targetMs);
    if (this.#fireBeats()) await this.#advanceTo(targetMs);
  }

  #fireBeats(): boolean {
    const due = [...this.#beats].filter((beat) => beat.dueMs <= this.#nowMs);
    for (const beat of due) {
      const missed = Math.floor((this.#nowMs - beat.dueMs) / beat.intervalMs);
      // What asks at one beat and decides at the next does both in a jump.
      beat.dueMs += Math.max(1, missed) * beat.intervalMs;
      beat.task();
    }
    return due.length > 0;
  }

  async #quiet(): Promise<void> {
    let quietTurns = 0;
    let seenProgress = this.#progress;
    let idleMs = 0;
    let turnBeganMs = performance.now();
    while (quietTurns < QUIET_TURNS) {
      await new Promise<void>((resolve) => {
        if (idleMs < SPIN_MS || quietTurns > 0) setImmediate(resolve);
        else setTimeout(resolve, 1);
      });
      const nowMs = performance.now();
      idleMs += Math.min(nowMs - turnBeganMs, TURN_MOST_MS);
      turnBeganMs = nowMs;
      if (this.#progress !== seenProgress) {
        seenProgress = this.#progress;
        idleMs = 0;
        quietTurns = 0;
        continue;
      }
      for (const hold of this.#holds) if (idleMs > this.#patienceWith(hold)) hold.parked = true;
      quietTurns = [...this.#holds].every((hold) => hold.parked) ? quietTurns + 1 : 0;
    }
  }

  #patienceWith({ patienceMs, peer }: HoldRecord): number {
    const stalls = peer === undefined ? 0 : (this.#stalls.get(peer) ?? 0);
    if (stalls === 0) return patienceMs;
    const holds = [...this.#holds].filter((hold) => hold.peer === peer).length;
    return Math.min(patienceMs, stalls < holds ? STALLED_PATIENCE_MS : ARRIVED_PATIENCE_MS);
  }
}
