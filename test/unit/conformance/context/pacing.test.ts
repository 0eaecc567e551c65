/**
 * Pacing: what an address and an account may send, seen from a service that counts both.
 */

import { expect, it } from 'vitest';

import { virtualTimekeeper } from '../../../../src/common/timekeeper.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import type { HeaderPair } from '../../../../src/common/header-pairs.ts';
import { createPace, createTurns } from '../../../../src/conformance/context/pacing.ts';
import type { Exchange, HttpSender } from '../../../../src/wire/http-exchange.ts';

it('keeps requests below a rate, after a burst, by letting time go by', async () => {
  const clock = new VirtualClock();
  const startMs = clock.now();
  const pace = createPace(virtualTimekeeper(clock), () => 10, 5);
  for (let request = 0; request < 25; request++) await pace.next();
  // Five at once, twenty at ten a second.
  expect(clock.now() - startMs).toBe(1_900);
});

const CLOSED: Pick<HttpSender, 'close'> = { close: () => Promise.resolve() };

function senderOf(): HttpSender {
  return { ...CLOSED, send: () => Promise.reject(new Error('nothing is sent here')) };
}

/** Requests that get through from these addresses, 10 a second from each, and what they take. */
async function sendAll(
  requests: readonly (readonly [key: string, account: string, child?: string | undefined, status?: number])[],
  addresses = 10,
) {
  const clock = new VirtualClock();
  const startMs = clock.now();
  const senders: [HttpSender, ...HttpSender[]] = [senderOf(), ...Array.from({ length: addresses - 1 }, senderOf)];
  const turns = createTurns({ timekeeper: virtualTimekeeper(clock), requestsPerSecond: 10, senders });
  const used: number[] = [];
  for (const [key, account, child, status = 200] of requests) {
    const headers: HeaderPair[] = [['Authorization', key]];
    if (child !== undefined) headers.push(['X-Child-Account-By-Id', child]);
    used.push(senders.indexOf(await turns.next(headers)));
    turns.saw(exchangeOf(headers, account, status));
  }
  return { ms: clock.now() - startMs, used };
}

function exchangeOf(headers: readonly HeaderPair[], account: string, status: number): Exchange {
  return {
    request: { method: 'GET', baseUrl: 'http://127.0.0.1:9', path: '/noop', headers },
    response: { status, statusText: '', headers: [['X-Account', account]], body: Buffer.from('') },
    sentMs: 0,
    receivedMs: 0,
  } as Exchange;
}

const BURST = 15;

function times<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

it('sends from the address whose turn comes first', async () => {
  const { ms, used } = await sendAll(
    times(30, (index) => [`key-${index}`, `${index}`]),
    2,
  );
  expect(ms).toBe(0);
  expect(used.filter((place) => place === 0)).toHaveLength(15);
});

it('keeps each account below the rate, whatever the number of addresses', async () => {
  const { ms } = await sendAll(times(BURST + 20, () => ['key', '1']));
  expect(ms).toBe(1_900);
});

it('counts all keys of an account together, as soon as an answer has named it', async () => {
  const { ms } = await sendAll(times(BURST + 20, (index) => [`key-${index % 5}`, '1']));
  expect(ms).toBe(1_900);
});

it('counts what is done for a Child for the Child', async () => {
  const { ms } = await sendAll(times(BURST * 4, (index) => ['parent', `${index % 4}`, `${index % 4}`]));
  expect(ms).toBe(0);
});

it('counts it for its Integrator where the service has refused such a request for its rate', async () => {
  const acting = times(BURST + 20, (index) => ['parent', `${index}`, `${index}`] as const);
  const { ms } = await sendAll([['parent', '1', '1', 429], ...acting]);
  expect(ms).toBe(1_900);
});

it('counts requests that are refused for their credentials for no account', async () => {
  const { ms } = await sendAll(times(BURST + 20, () => ['wrong', '1', undefined, 401]));
  expect(ms).toBe(0);
});
