import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { answer, slow } from '../../../src/sink/reply.ts';
import { startSinkServer, type SinkRequest, type SinkServer } from '../../../src/sink/sink-server.ts';
import { rawExchange } from './raw-exchange.ts';

let clock: VirtualClock;
let server: SinkServer;
let requests: SinkRequest[];

beforeEach(async () => {
  clock = new VirtualClock();
  requests = [];
  server = await startSinkServer({
    clock,
    bodyMaxBytes: 1024,
    answer(request) {
      requests.push(request);
      if (request.path === '/broken') throw new Error('planted');
      return request.path === '/slow' ? slow('5s', answer(200)) : answer(200, [], 'fine');
    },
  });
});

afterEach(() => server.close());

async function stillServes(): Promise<boolean> {
  return (await request(`${server.url}/after`, { reset: true })).statusCode === 200;
}

describe('the server under every sink', () => {
  it.each([
    ['noise', '\u0000\u0001\u0002 noise\r\n\r\n'],
    ['another protocol', 'SSH-2.0-client\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
  ])('answers %s with an error status and goes on serving', async (_what, bytes) => {
    expect((await rawExchange(server.url, bytes)).text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(requests).toEqual([]);
    expect(await stillServes()).toBe(true);
  });

  it.each([
    ['//', '//', ''],
    ['/%zz?%zz=%', '/%zz', '%zz=%'],
    ['http://elsewhere.example/a?b?c', '/a', 'b?c'],
    ['*', '*', ''],
  ])('takes the odd request target %s as it is', async (target, path, query) => {
    const method = target === '*' ? 'OPTIONS' : 'GET';
    await rawExchange(server.url, `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(requests).toMatchObject([{ method, path, query }]);
  });

  it('records a body that ends early as cut', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
    await once(socket, 'connect');
    socket.end('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await expect.poll(() => requests.length).toBe(1);
    expect(requests[0]?.body.state).toBe('cut');
    expect(Buffer.from(requests[0]?.body.bytes ?? []).toString()).toBe('half');
    socket.destroy();
  });

  it('answers 500 when the sink itself fails on a request, and goes on serving', async () => {
    const response = await request(`${server.url}/broken`, { reset: true });
    expect(response.statusCode).toBe(500);
    expect(await response.body.text()).toContain('planted');
    expect(await stillServes()).toBe(true);
  });

  it('holds virtual time while a body arrives, and lets it pass during a delay', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
    socket.on('error', () => undefined);
    socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
    await expect.poll(() => clock.heldBy).toEqual(['a request to a sink']);
    socket.write('lf');
    await expect.poll(() => clock.heldBy).toEqual([]);
    expect(requests).toHaveLength(1);
    socket.destroy();
  });

  it('gives a slow reply up when the peer goes away before it', async () => {
    const abort = new AbortController();
    const asked = request(`${server.url}/slow`, { signal: abort.signal, reset: true }).catch(() => 'given up');
    await expect.poll(() => requests.length).toBe(1);
    abort.abort();
    expect(await asked).toBe('given up');
    await expect.poll(() => requests[0]?.reply.ended).toBe('peer-gone');
  });

  it('can be closed twice, and refuses connections afterwards', async () => {
    await server.close();
    await server.close();
    await expect(request(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('an answer', () => {
  it.each([99, 100, 199, 600, 200.5, Number.NaN])('cannot have the status %d', (status) => {
    expect(() => answer(status)).toThrow(RangeError);
  });

  it.each([
    ['a name', 'X Y', 'z'],
    ['a value', 'Location', '/übergröße\r\n'],
  ])('cannot have a header with %s that does not fit HTTP', (_what, name, value) => {
    expect(() => answer(200, [[name, value]])).toThrow(TypeError);
  });
});

function hasIpv6(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1');
}

/** What an answer from another address of this machine has as its status; undefined when none comes. */
async function reached(publicHost?: string, by = '127.0.0.9'): Promise<number | undefined> {
  await using server = await startSinkServer({
    clock,
    bodyMaxBytes: 10,
    answer: () => answer(200),
    ...(publicHost !== undefined && { publicHost }),
  });
  expect(server.url.startsWith(`http://${publicHost ?? '127.0.0.1'}:`)).toBe(true);
  const other = new URL(server.url);
  other.hostname = by;
  return await fetch(other).then(
    ({ status }) => status,
    () => undefined,
  );
}

it.runIf(process.platform === 'linux')('is reached from elsewhere only if it has a public name', async () => {
  expect(await reached()).toBeUndefined();
  expect(await reached('localhost')).toBe(200);
});

it.runIf(hasIpv6())('is reached by IPv6, too', async () => {
  expect(await reached('[::1]', '[::1]')).toBe(200);
});
