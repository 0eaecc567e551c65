/**
 * Tiny service: what platen asks of one before a run, and a timer of a day; for tests of how a service is started.
 *
 * Usage: node tiny-service.ts [port]      the port of the environment unless one is named
 */

import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

import { systemClock } from '../../src/common/clock.ts';

const DAY_MS = 86_400_000;
const { PORT, DATA_DIR = '', API_KEY } = process.env;

let fired = false;
systemClock.schedule(DAY_MS, () => (fired = true));
const file = path.join(DATA_DIR, 'starts');
appendFileSync(file, 'x');
const server = createServer(({ url, headers }, response) => {
  const isKnown = url === '/ping' || headers.authorization === `Basic ${btoa(`${API_KEY}:`)}`;
  response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ fired, starts: readFileSync(file).length }));
});
server.listen(Number(process.argv[2] ?? PORT), '127.0.0.1', () => process.stdout.write('tiny service listens\n'));
