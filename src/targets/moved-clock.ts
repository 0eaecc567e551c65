/**
 * Moved clock: the clock of a service that a hook moves, as this process knows it.
 *
 *   elapse(90s) ─► up to the next timer of this process ─► hook ─► the copy follows ─► … ─► 90 s later
 *                                                          ├────┤ what arrives meanwhile happened in between
 *
 * A virtual clock of this process is the copy: timers here (a reply that is slow on purpose, a sheet that takes its
 * time) and timers of the service come due in one order. It says nothing about the time of the service until the
 * service has shown that itself.
 */

import { sleep, systemClock, type Clock, type Timer } from '../common/clock.ts';
import { durationMs } from '../common/duration.ts';
import { messageOf } from '../common/error-message.ts';
import { monotonicMs, startStopwatch } from '../common/stopwatch.ts';
import type { MovedTime, TimeInterval, Timekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';

/**
 * Real time that a service has to answer a ping, whose own pings may come in real time: a move of the clock is no
 * silence, and a service elsewhere may be slow.
 */
export const PONG_PATIENCE_MS = 5_000;

/**
 * Moves the clock of the service; resolves when what came due there is done, with how much of it was no real time, if
 * that is known.
 */
export type Advance = (ms: number, lagMs: number) => Promise<number | void>;

/** One call of the hook: when it was made here, and from where to where it moved the service. */
interface Move extends TimeInterval {
  readonly beganMs: number;
  readonly endedMs: number;
}

/** How long after a call something that was sent during it may still arrive. */
const TRANSIT_MS = 250;
/**
 * For what is under way when the clock has moved far, or is not to move at all: some times as long as the slowest of
 * the last calls took, since a service that is busy or far away takes longer for all it does.
 */
const SETTLE_MS = { least: 2, most: 15 } as const;
const SETTLE_TIMES = 2;
const LAST_CALLS = 4;
const FAR_MS = 1_500;
/** Without a hook heartbeats follow as well: up to here a connection does not seem silent, and beyond it takes long. */
const STEP_MS = 5_000;
const STEPPED_MOST_MS = durationMs('10m');
/** A program on the clock of this machine may look at it somewhat before or after what it does. */
const SEEN_LATE_MS = 50;
/** How often the copy follows a clock that goes on by itself. */
const BEAT_MS = 10;

export class MovedClock implements MovedTime {
  errorMs: number;
  readonly isKnown: boolean;
  lagMs = 0;
  readonly unfollowed: MovedTime['unfollowed'] = new Set();
  limits: MovedTime['limits'] = 'moved';
  readonly clock: Clock;
  readonly timekeeper: Timekeeper;
  readonly #advance: Advance;
  readonly #comeToRest: () => Promise<void>;
  readonly #copy = new VirtualClock();
  #moves: Move[] = [];
  #last: Promise<void> = Promise.resolve();
  #running: Timer | undefined;
  #isClosed = false;
  /** Real time that counts, beside what the clock was moved by. */
  #passedMs: (() => number) | undefined;
  /** How much of that the copy was advanced by. */
  #followedMs = 0;
  #startMs = this.#copy.now();
  #movedMs = 0;
  /** Why a hook failed: since then the time of the service is not known, and what is timed by it cannot be judged. */
  #failure: Error | undefined;

  /**
   * @param startMs - its present time, where that is known
   * @param comeToRest - waits until it has done what it has begun, where that can be seen
   */
  constructor(advance: Advance, startMs?: number, comeToRest = (): Promise<void> => Promise.resolve()) {
    this.#advance = advance;
    this.#comeToRest = comeToRest;
    this.isKnown = startMs !== undefined;
    this.errorMs = this.isKnown ? SEEN_LATE_MS : 0;
    if (startMs !== undefined) {
      this.#startMs = startMs;
      this.runFreely();
    }
    const now = (): number => this.#now();
    this.clock = {
      isVirtual: true,
      now,
      schedule: (delayMs, task) => this.#copy.schedule(delayMs, task),
      beat: (intervalMs, task) => this.#copy.beat(intervalMs, task),
      hold: (what, patienceMs, peer) => this.#copy.hold(what, patienceMs, peer),
      stall: (peer) => this.#copy.stall(peer),
    };
    this.timekeeper = {
      isVirtual: true,
      moved: this,
      now,
      elapse: (duration) => this.#elapse(Math.ceil(durationMs(duration))),
    };
  }

  placeOf(instantMs: number): TimeInterval {
    const before = this.#moves.findLast(({ beganMs }) => beganMs <= instantMs);
    if (!before) return this.#placeBeforeMoves(instantMs);
    const { fromMs, toMs, endedMs } = before;
    const sinceMs = this.#running ? Math.max(0, instantMs - endedMs) : 0;
    return { fromMs: (instantMs > endedMs + TRANSIT_MS ? toMs : fromMs) + sinceMs, toMs: toMs + sinceMs };
  }

  #placeBeforeMoves(instantMs: number): TimeInterval {
    const { fromMs: atMs, beganMs } = this.#moves[0] ?? { fromMs: this.#now(), beganMs: monotonicMs() };
    const placeMs = atMs - (this.#running ? Math.max(0, beganMs - instantMs) : 0);
    return { fromMs: placeMs, toMs: placeMs };
  }

  /** What was placed before keeps its distance to now. */
  setTo(ms: number): void {
    const correctionMs = Math.round(ms) - this.#now();
    this.#startMs += correctionMs;
    this.#moves = this.#moves.map((move) => ({
      ...move,
      fromMs: move.fromMs + correctionMs,
      toMs: move.toMs + correctionMs,
    }));
  }

  runFreely(): void {
    if (this.#running || this.#isClosed) return;
    this.#passedMs = startStopwatch();
    this.#running = systemClock.beat(BEAT_MS, () => void this.#follow());
  }

  close(): void {
    this.#isClosed = true;
    this.#running?.cancel();
  }

  /** Advances the copy by the real time that has passed since it was last advanced. */
  async #follow(): Promise<void> {
    const untilMs = Math.round(this.#passedMs?.() ?? 0);
    const leftMs = untilMs - this.#followedMs;
    this.#followedMs = untilMs;
    await this.#copy.advance(leftMs);
  }

  #now(): number {
    return this.#startMs + this.#movedMs + Math.round(this.#passedMs?.() ?? 0);
  }

  /** One after the other: a second call begins where the first one ended. */
  #elapse(ms: number): Promise<void> {
    const turn = this.#last.then(() => this.#move(ms));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #move(ms: number): Promise<void> {
    if (this.#failure) throw this.#failure;
    // A request that it is about to send, or an answer that it is about to hear, would come after the move.
    if (ms >= FAR_MS) await this.#comeToRest();
    // What it lags behind would be taken for a part of the wait.
    await this.#follow();
    const endMs = this.#copy.now() + ms;
    const stepMs = this.isKnown && ms <= STEPPED_MOST_MS ? STEP_MS : ms;
    for (;;) {
      await this.#copy.settle();
      // A hook takes whole milliseconds.
      const leftMs = Math.ceil(Math.min(endMs, this.#copy.nextDueMs ?? endMs) - this.#copy.now());
      if (leftMs <= 0) break;
      await this.#step(Math.min(leftMs, stepMs), leftMs <= stepMs ? this.lagMs : 0);
    }
    if (ms === 0 || ms >= FAR_MS) await sleep(systemClock, this.momentMs);
  }

  get momentMs(): number {
    const tookMs = this.#moves.slice(-LAST_CALLS).map(({ beganMs, endedMs }) => endedMs - beganMs);
    if (tookMs.length < LAST_CALLS) return SETTLE_MS.most;
    return Math.min(SETTLE_MS.most, Math.max(SETTLE_MS.least, SETTLE_TIMES * Math.max(...tookMs)));
  }

  async #step(ms: number, lagMs: number): Promise<void> {
    const [beganMs, fromMs] = [monotonicMs(), this.#now()];
    let addedMs: number | void;
    try {
      addedMs = await this.#advance(ms, lagMs);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(messageOf(error));
      throw this.#failure;
    }
    // Whether the clock there went on during the call, beside what it was moved by, is not known.
    if (this.#running && addedMs === undefined) this.errorMs += Math.ceil(monotonicMs() - beganMs);
    this.#movedMs += addedMs ?? ms;
    await this.#copy.advance(addedMs ?? ms);
    if (addedMs !== undefined) await this.#follow();
    this.#moves.push({ beganMs, endedMs: monotonicMs(), fromMs, toMs: this.#now() });
  }
}
