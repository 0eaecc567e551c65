/**
 * Delay probe: asks a service for GET /noop all the time, from a process of its own, and tells how long the slowest
 * answer between `begin` and `end` took.
 */

import { request } from 'undici';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';

/** When the bench has gone, nobody asks any more. */
process.once('disconnect', () => process.exit());

/** Between an answer and the next question. */
const PAUSE_MS = 4;

const [, , url = '', authorization = ''] = process.argv;
let worstMs: number | undefined;
let isEnding = false;

process.on('message', (order: 'begin' | 'end') => {
  if (order === 'end') isEnding = true;
  else worstMs = 0;
});

for (;;) {
  await sleep(systemClock, PAUSE_MS);
  if (worstMs === undefined) continue;
  // The question that is under way when an attack ends may be the one that waits.
  const isLast = isEnding;
  const sinceMs = startStopwatch();
  const isAnswered = await request(`${url}/noop`, { headers: { authorization } }).then(
    async ({ body }) => (await body.dump(), true),
    () => false,
  );
  worstMs = isAnswered ? Math.max(worstMs, sinceMs()) : Number.POSITIVE_INFINITY;
  if (!isLast) continue;
  process.send?.(worstMs);
  worstMs = undefined;
  isEnding = false;
}
