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
import { monotonicMs, startStopwatch } from '../common/stopwatch.ts';
import type { MovedTime, TimeInterval, Timekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';

/** Moves the clock of the service; resolves when what came due there is done. */
export type Advance = (ms: number) => Promise<void>;

export interface MovedClock {
  readonly clock: Clock;
  readonly timekeeper: Timekeeper;
  close(): void;
}

/** One call of the hook: when it was made here, and from where to where it moved the service. */
interface Move extends TimeInterval {
  readonly beganMs: number;
  readonly endedMs: number;
}

/** How long after a call something that was sent during it may still arrive. */
const TRANSIT_MS = 250;
/** For what is under way when the clock has moved far, or is not to move at all. */
const SETTLE_MS = 15;
const FAR_MS = 1_000;
/** Where the clock goes on by itself, the copy follows so often. */
const BEAT_MS = 10;

export function createMovedClock(advance: Advance): MovedClock {
  const copy = new VirtualClock();
  const moves: Move[] = [];
  let last: Promise<void> = Promise.resolve();
  let running: Timer | undefined;
  /** Real time that counts, beside what the clock was moved by. */
  let passedMs: (() => number) | undefined;
  let startMs = copy.now();
  let movedMs = 0;
  const now = (): number => startMs + movedMs + Math.round(passedMs?.() ?? 0);

  const step = async (ms: number): Promise<void> => {
    const [beganMs, fromMs] = [monotonicMs(), now()];
    await advance(ms);
    movedMs += ms;
    await copy.advance(ms);
    moves.push({ beganMs, endedMs: monotonicMs(), fromMs, toMs: now() });
  };
  const move = async (ms: number): Promise<void> => {
    const endMs = copy.now() + ms;
    for (;;) {
      await copy.settle();
      const leftMs = Math.min(endMs, copy.nextDueMs ?? endMs) - copy.now();
      if (leftMs <= 0) break;
      await step(leftMs);
    }
    if (ms === 0 || ms >= FAR_MS) await sleep(systemClock, SETTLE_MS);
  };
  const moved: MovedTime = {
    errorMs: 0,
    limits: 'moved',
    placeOf(instantMs) {
      const before = moves.findLast(({ beganMs }) => beganMs <= instantMs);
      if (!before) return { fromMs: now(), toMs: now() };
      const { fromMs, toMs, endedMs } = before;
      const sinceMs = running ? Math.max(0, instantMs - endedMs) : 0;
      return { fromMs: (instantMs > endedMs + TRANSIT_MS ? toMs : fromMs) + sinceMs, toMs: toMs + sinceMs };
    },
    setTo(ms) {
      startMs += Math.round(ms) - now();
      moves.length = 0;
    },
    runFreely() {
      if (running) return;
      const watch = startStopwatch();
      passedMs = watch;
      let copiedMs = 0;
      running = systemClock.beat(BEAT_MS, () => {
        const untilMs = Math.round(watch());
        void copy.advance(untilMs - copiedMs);
        copiedMs = untilMs;
      });
    },
  };
  const timekeeper: Timekeeper = {
    isVirtual: true,
    moved,
    now,
    elapse(duration) {
      const ms = Math.ceil(durationMs(duration));
      // One after the other: a second call begins where the first one ended.
      const turn = last.then(() => move(ms));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
  const clock: Clock = {
    isVirtual: true,
    now,
    schedule: (delayMs, task) => copy.schedule(delayMs, task),
    beat: (intervalMs, task) => copy.beat(intervalMs, task),
    hold: (what, patienceMs) => copy.hold(what, patienceMs),
  };
  return { clock, timekeeper, close: () => running?.cancel() };
}
