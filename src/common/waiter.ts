/**
 * Waiting with a limit. Every wait says what it waits for, and for how long.
 */

import { systemClock, type Clock } from './clock.ts';
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
  /** Real time by default. */
  readonly clock?: Clock;
}

/**
 * Bounds a promise: it either settles within the limit or the wait is given up (the work is not stopped).
 *
 * @throws WaitExpired at the limit
 */
export function within<T>(work: Promise<T>, { description, limit, clock = systemClock }: WorkLimit): Promise<T> {
  const limitMs = durationMs(limit);
  return new Promise<T>((resolve, reject) => {
    const timer = clock.schedule(limitMs, () => reject(new WaitExpired(description, limitMs)));
    work.then(resolve, reject).finally(() => timer.cancel());
  });
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
