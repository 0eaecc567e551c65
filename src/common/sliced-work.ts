/**
 * Sliced work: what takes long on the event loop, cut into slices, so that others are served in between.
 *
 *   function* work() { …; yield; …; yield; …; return result }     each yield is a place to pause
 *
 * At most one slice of all such work runs in a turn of the loop: a hundred callers at once wait for each other, and the
 * loop goes on.
 */

import { setImmediate } from 'node:timers/promises';

import { startStopwatch } from './stopwatch.ts';

export type SlicedWork<T> = Generator<undefined, T, undefined>;

/** How long a slice goes on over places to pause. */
const SLICE_MS = 5;

let turns = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which no other slice runs. What is asked for while sockets are read would
 * come at the end of the same turn, before any other socket is: a second one comes after all of them.
 */
export function nextTurn(): Promise<void> {
  turns = turns.then(() => setImmediate()).then(() => setImmediate());
  return turns;
}

/** For work that is known to be short. */
export function atOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

export async function inSlices<T>(work: SlicedWork<T>): Promise<T> {
  for (let elapsedMs = startStopwatch(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (elapsedMs() < SLICE_MS) continue;
    await nextTurn();
    elapsedMs = startStopwatch();
  }
}
