/**
 * The time of the second service: real, or whatever a test gives it.
 */

import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';

export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once; the returned function calls it off. */
  after(delayMs: number, task: () => void): () => void;
  /** Runs `task` again and again; the returned function ends it. */
  every(intervalMs: number, task: () => void): () => void;
  /** Something is under way outside; a clock that is no real one waits until the returned function is called. */
  busy(what: string): () => void;
}

/** The longest delay a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

export const realClock: ServiceClock = {
  now: () => new Date().getTime(),
  after(delayMs, task) {
    const due = realClock.now() + delayMs;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = due - realClock.now();
      timer = left > LONGEST_MS ? setTimeout(wait, LONGEST_MS) : setTimeout(task, Math.max(0, left));
      timer.unref();
    };
    wait();
    return () => clearTimeout(timer);
  },
  every(intervalMs, task) {
    const timer = setInterval(task, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
  busy: () => () => undefined,
};
