/**
 * A server that takes a fixed time for each answer, and stalls for a while on request: what a load generator
 * measures of it is known beforehand.
 *
 * Usage: node fixed-answer.ts DELAY_MS [STALL_AT_MS STALL_FOR_MS]   prints {"url"} when ready; the time of the
 * stall counts from the first request.
 */

import { createServer, type ServerResponse } from 'node:http';

import { systemClock } from '../../../src/common/clock.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';

const [delayMs = 0, stallAtMs = Infinity, stallForMs = 0] = process.argv.slice(2).map(Number);
let sinceFirstMs: (() => number) | undefined;

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('"OK"');
}

const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => {
  sinceFirstMs ??= startStopwatch();
  const nowMs = sinceFirstMs();
  const isStalled = nowMs >= stallAtMs && nowMs < stallAtMs + stallForMs;
  const waitMs = isStalled ? stallAtMs + stallForMs - nowMs : delayMs;
  if (waitMs <= 0) answer(response);
  else systemClock.schedule(waitMs, () => answer(response));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${portOf(server)}` })}\n`);
});
