/** What makes every run of the tests the same, and ends what a change made endless. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { afterEach, beforeEach } from 'vitest';

/** More turns of loops than any test of a judge needs. */
const MOST_TURNS = 2e6;
const TURNS_BETWEEN_LOOKS = 1_024;
const MOST_BYTES = 1e9;

fc.configureGlobal({ seed: 1 });
setFlagsFromString('--expose-gc');

let turns = 0;
let hasFailed = false;

/** Called in each turn of each loop. */
function turnOfLoop(): void {
  turns++;
  if (turns > MOST_TURNS) throw new Error('a loop does not end');
  if (turns % TURNS_BETWEEN_LOOKS === 0 && heldBytes() > MOST_BYTES) throw new Error('a loop takes all memory');
}

function heldBytes(): number {
  return process.memoryUsage().arrayBuffers;
}

beforeEach(({ skip }) => {
  // One failure is enough.
  if (hasFailed) skip();
  turns = 0;
  if (heldBytes() > MOST_BYTES / 2) runInNewContext('gc()');
});

afterEach(({ task }) => {
  hasFailed ||= task.result?.state === 'fail';
});

Object.assign(globalThis, { turnOfLoop });
