/**
 * Waiting with a limit. Every wait says what it waits for, and for how long.
 */

import { addAbortListener } from 'node:events';

import { systemClock, type Clock, type Timer } from './clock.ts';
import { durationMs, formatDuration, type Duration } from './duration.ts';
import type { Timekeeper } from './timekeeper.ts';

/** A wait that reached its limit. The message says what did not happen. */
export class WaitExpired extends Error {
  override readonly name = 'WaitExpired';
  readonly description: string;
  readonly limitMs: number;

  constructor(description: string, limitMs: number, lastSeen?: string) {
    super(`waited ${formatDuration(limitMs)} for ${description}` + (lastSeen ? `; last seen: ${lastSeen}` : ''));
    this.description = description;
    this.limitMs = limitMs;
  }
}

export interface WorkLimit {
  /** What is waited for, as a noun phrase: "the acknowledgement of job 7". */
  readonly description: string;
  readonly limit: Duration;
  /** Real time by default, of which what `whileRunning` does not count does not count. */
  readonly clock?: Clock;
}

const FEWEST_STEPS = 10;
const LONGEST_STEP_MS = 1_000;

/**
 * Runs `task` once `delayMs` of real time have passed in which this process ran: a machine sleeps, or someone stops the
 * process for a while, and nothing can be done in that time.
 */
export function whileRunning(delayMs: number, task: () => void): Timer {
  let stepsLeft = Math.max(FEWEST_STEPS, Math.ceil(delayMs / LONGEST_STEP_MS));
  const stepMs = Math.ceil(delayMs / stepsLeft);
  let timer: Timer;
  const wait = (): void => {
    timer = systemClock.schedule(stepMs, () => (--stepsLeft > 0 ? wait() : task()));
  };
  wait();
  return { cancel: () => timer.cancel() };
}

/**
 * Bounds a promise: it either settles within the limit or the wait is given up (the work is not stopped).
 *
 * @throws WaitExpired at the limit
 */
export function within<T>(work: Promise<T>, { description, limit, clock }: WorkLimit): Promise<T> {
  const limitMs = durationMs(limit);
  return new Promise<T>((resolve, reject) => {
    const expire = (): void => reject(new WaitExpired(description, limitMs));
    const timer = clock ? clock.schedule(limitMs, expire) : whileRunning(limitMs, expire);
    work.then(resolve, reject).finally(() => timer.cancel());
  });
}

/** What came of work that may go on for a while after a signal. */
export interface Leaving<T> {
  readonly signal: AbortSignal;
  /** In real time. */
  readonly afterMs: number;
  readonly instead: T;
}

/** Settles as the work does, or gives something instead of it a while after the signal (the work is not stopped). */
export function leftAfter<T>(work: Promise<T>, { signal, afterMs, instead }: Leaving<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let timer: Timer | undefined;
  const listener = addAbortListener(signal, () => {
    timer = systemClock.schedule(afterMs, () => resolve(instead));
  });
  work.then(resolve, reject).finally(() => {
    listener[Symbol.dispose]();
    timer?.cancel();
  });
  return promise;
}

export interface Poll<T> {
  readonly description: string;
  readonly limit: Duration;
  /** Time between two looks. */
  readonly every?: Duration;
  /** Lets time pass between two looks: real time, or a virtual clock that is moved on. */
  readonly timekeeper: Timekeeper;
  /** Returns the awaited value, or undefined to go on waiting. */
  readonly probe: () => T | undefined | Promise<T | undefined>;
  /** Describes the present situation for the message of a wait that expired. */
  readonly lastSeen?: () => string;
}

/**
 * Looks again and again until the probe finds its value.
 *
 * @throws WaitExpired at the limit
 */
export async function eventually<T>(poll: Poll<T>): Promise<T> {
  const limitMs = durationMs(poll.limit);
  const everyMs = durationMs(poll.every ?? 50);
  const deadlineMs = poll.timekeeper.now() + limitMs;
  for (;;) {
    const found = await poll.probe();
    if (found !== undefined) return found;
    const leftMs = deadlineMs - poll.timekeeper.now();
    if (leftMs <= 0) throw new WaitExpired(poll.description, limitMs, poll.lastSeen?.());
    await poll.timekeeper.elapse(Math.min(everyMs, leftMs));
  }
}
