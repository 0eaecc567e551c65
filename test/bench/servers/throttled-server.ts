/**
 * A service with a known answer: the null service behind a throttle for GET /noop.
 *
 *   rate         429 for what is more than the rate
 *   concurrency  places that each hold a request for 50 ms; the others wait
 *   queue        one request at a time; the others wait
 *
 * Usage: node test/bench/servers/throttled-server.ts KIND RATE URL-OF-THE-NULL-SERVICE
 */

import { hash } from 'node:crypto';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { machineMicroseconds } from '../../../src/common/stopwatch.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { RESPONSE_HEADERS } from '../../../src/specification/headers.ts';

const [kind = '', rateText = '', upstream = ''] = process.argv.slice(2);
const rate = Number(rateText);
const HELD_US = 50_000;
/** As much of a second's requests as may come at once. */
const BURST_SHARE = 0.05;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  ask(incoming, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
}

/** Refused as the specification says: with the headers of an answer, and an error object. */
function refuse(incoming: IncomingMessage, response: ServerResponse): void {
  ask(incoming, (answer) => {
    const uid = answer.headers['request-id'];
    const body = JSON.stringify({ uid, code: 'RateLimited', message: 'more requests than this throttle lets through' });
    const { contentMd5 } = RESPONSE_HEADERS;
    const own = {
      'content-length': Buffer.byteLength(body),
      [contentMd5.name.toLowerCase()]: hash('md5', body, 'base64'),
    };
    response.writeHead(429, { ...answer.headers, ...own }).end(body);
    answer.resume();
  });
}

function ask(incoming: IncomingMessage, take: (answer: IncomingMessage) => void): void {
  const { method, url, headers } = incoming;
  const outgoing = request(new URL(url ?? '', upstream), { method, headers, agent }, take);
  outgoing.on('error', () => incoming.destroy());
  incoming.pipe(outgoing);
}

type Throttle = (incoming: IncomingMessage, response: ServerResponse) => void;

/** Places that work on one request each, for that long; the next request gets the place that is free first. */
function places(count: number, heldUs: number): Throttle {
  const freeAtUs = Array.from({ length: count }, () => 0);
  return (incoming, response) => {
    const nowUs = machineMicroseconds();
    const place = freeAtUs.indexOf(Math.min(...freeAtUs));
    const doneUs = Math.max(nowUs, freeAtUs[place] ?? 0) + heldUs;
    freeAtUs[place] = doneUs;
    void sleep(systemClock, (doneUs - nowUs) / 1_000).then(() => forward(incoming, response));
  };
}

function limited(): Throttle {
  const most = Math.max(1, rate * BURST_SHARE);
  let tokens = most;
  let lastUs = machineMicroseconds();
  return (incoming, response) => {
    const nowUs = machineMicroseconds();
    tokens = Math.min(most, tokens + ((nowUs - lastUs) * rate) / 1e6);
    lastUs = nowUs;
    if (tokens < 1) return refuse(incoming, response);
    tokens -= 1;
    forward(incoming, response);
  };
}

const THROTTLES: Readonly<Record<string, () => Throttle>> = {
  rate: limited,
  concurrency: () => places(Math.round((rate * HELD_US) / 1e6), HELD_US),
  queue: () => places(1, 1e6 / rate),
};

const throttle = THROTTLES[kind]?.();
if (!throttle) throw new Error(`no throttle is called ${kind}`);
const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) =>
  incoming.url === '/noop' ? throttle(incoming, response) : forward(incoming, response),
);
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${portOf(server)}` }));
process.on('disconnect', () => process.exit(0));
