import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

import fc from 'fast-check';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FaultPlan } from '../../../src/common/fault-plan.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { createRandom } from '../../../src/common/random.ts';
import { within } from '../../../src/common/waiter.ts';
import { startFaultProxy, type FaultProxy } from '../../../src/wire/fault-proxy.ts';
import { RequestScanner } from '../../../src/wire/request-scanner.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';
import { CREATION } from '../../support/child-account.ts';
import { linkComputer, printerNamed } from '../../support/link-computer.ts';
import { basic, FIRST_KEY, runService, type RunningService } from '../../support/running-service.ts';

const headers = { authorization: basic(FIRST_KEY) };

describe('a fault proxy', () => {
  let service: RunningService;
  let faults: FaultPlan;
  let proxy: FaultProxy;
  beforeEach(async () => {
    service = await runService();
    faults = new FaultPlan(service.clock, createRandom(1));
    proxy = await startFaultProxy({ clock: service.clock, faults, serviceUrl: service.url });
  });
  afterEach(async () => {
    await proxy.close();
    await service[Symbol.asyncDispose]();
  });

  /** Status and body of GET /ping, or the code of the error. */
  async function ping(path = '/ping'): Promise<string> {
    const asking = request(proxy.url + path, { headers, reset: true }).then(
      async ({ statusCode, body }) => `${statusCode} ${await body.text()}`,
    );
    const seen = asking.catch((error: { code?: unknown }) => String(error.code));
    return within(seen, { description: 'an answer or an error', limit: '5s' });
  }

  it('changes nothing without a rule', async () => {
    expect(await ping()).toBe('200 "OK"');
    expect(await ping('/computers')).toBe('200 []');
    expect((await request(`${proxy.url}/computers`)).statusCode).toBe(401);
  });

  it('lets the link through, which is not HTTP after its first request', async () => {
    const asked = {
      ...linkComputer().request(proxy.url),
      credential: { kind: 'api-key', key: FIRST_KEY },
    } as const;
    const session = await webSocketLink({ clock: service.clock }).open(asked);
    await session.reportPrinters([printerNamed('Laser')]);
    expect(await ping('/computers')).toContain('Front desk');
    await session.close();
  });

  it.each([
    ['status-429', /^429 .*TooManyRequests/],
    ['status-500', /^500 .*InternalServerError/],
    ['status-503', /^503 .*ServiceUnavailable/],
    ['reset', /^ECONNRESET$/],
    ['empty', /^UND_ERR_SOCKET$/],
    ['lost-answer', /^(?:ECONNRESET|UND_ERR_SOCKET)$/],
    ['truncated', /^UND_ERR_(?:SOCKET|RES_CONTENT_LENGTH_MISMATCH)$/],
  ] as const)('shows %s to the request that the rule speaks of, and to no other', async (fault, seen) => {
    faults.add({ at: 'http/GET /ping', fault, times: 1 });
    expect(await ping('/computers')).toBe('200 []');
    expect(await ping()).toMatch(seen);
    expect(await ping()).toBe('200 "OK"');
    expect(faults.log).toMatchObject([{ place: 'http/GET /ping', fault }]);
  });

  it.each(['latency', 'slow-body'])('with %s answers when the time has passed, and whole', async (fault) => {
    faults.add({ at: 'http/GET /ping', fault, times: 1, with: { delay: '20s' } });
    let seen: string | undefined;
    const asking = ping().then((answer) => (seen = answer));
    while (faults.log.length === 0) await service.clock.settle();
    await service.clock.advance('19s');
    expect(seen).toBeUndefined();
    await service.clock.advance('2s');
    expect(await asking).toBe('200 "OK"');
  });

  it('loses an answer after the service has done what was asked', async () => {
    faults.add({ at: 'http/POST /account', fault: 'lost-answer', times: 1 });
    const asking = request(`${proxy.url}/account`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(CREATION),
    });
    await expect(asking).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    expect((await service.call('GET', '/account/controllable')).body).toHaveLength(1);
  });

  it('goes on for as long as the rule says', async () => {
    faults.add({ at: 'http', fault: 'status-503', for: '20s' });
    expect([await ping(), await ping('/computers')].map((seen) => seen.slice(0, 3))).toEqual(['503', '503']);
    await service.clock.advance('20s');
    expect(await ping()).toBe('200 "OK"');
  });

  it('refuses to stand in front of what it cannot read', async () => {
    const starting = startFaultProxy({ clock: service.clock, faults, serviceUrl: 'https://127.0.0.1' });
    await expect(starting).rejects.toThrow("faults cannot be put in front of 'https://127.0.0.1'");
  });
});

describe('a fault proxy without rules', () => {
  let echo: Server;
  let received: Buffer[];
  beforeEach(async () => {
    received = [];
    echo = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        received.push(bytes);
        socket.write(bytes);
      });
      socket.on('end', () => socket.end());
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
  });
  afterEach(() => new Promise((resolve) => echo.close(resolve)));

  const pieceArbitrary = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
        'POST /printjobs?a=b HTTP/1.1\r\ncontent-length: 5\r\n\r\nabcde',
        'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nx: y\r\n\r\n',
        'GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\x81\x00\n',
        '\r\n',
        'no http at all\n',
        '5\r\n',
      )
      .map((text) => Buffer.from(text, 'latin1')),
  );

  it('changes no byte in either direction, of HTTP or of anything else', async () => {
    const service = await runService();
    const faults = new FaultPlan(service.clock, createRandom(1));
    const port = portOf(echo);
    const serviceUrl = `http://127.0.0.1:${port}`;
    const proxy = await startFaultProxy({ clock: service.clock, faults, serviceUrl });
    await fc.assert(
      fc.asyncProperty(fc.array(pieceArbitrary, { maxLength: 8 }), async (pieces) => {
        received = [];
        const sent = Buffer.concat(pieces);
        const back = await conversation(Number(new URL(proxy.url).port), pieces);
        expect(Buffer.concat(received).equals(sent)).toBe(true);
        expect(back.equals(sent)).toBe(true);
      }),
      { seed: 2, numRuns: 60 },
    );
    await proxy.close();
    await service[Symbol.asyncDispose]();
  });

  it('finds the same requests however the bytes are cut into pieces', () => {
    const stream = Buffer.from(
      'POST /a?x=1 HTTP/1.1\r\nContent-Length: 4\r\n\r\nGET GET /b HTTP/1.0\r\n\r\n' +
        'PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nGET / HT\r\n0\r\n\r\nDELETE /d HTTP/1.1\r\n\r\n',
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const scanner = new RequestScanner();
        const segments = [];
        for (let from = 0, turn = 0; from < stream.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          segments.push(...scanner.feed(stream.subarray(from, from + size)));
          from += size;
        }
        expect(segments.flatMap((segment) => segment.request ?? [])).toEqual([
          'POST /a',
          'GET /b',
          'PUT /c',
          'DELETE /d',
        ]);
        expect(Buffer.concat([...segments.map(({ bytes }) => bytes), scanner.flush()]).equals(stream)).toBe(true);
      }),
      { seed: 3 },
    );
  });
});

/** Sends the pieces one after the other, and reads until the other end is done. */
async function conversation(port: number, pieces: readonly Buffer[]): Promise<Buffer> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const back: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => back.push(bytes));
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
  await within(closed, { description: 'the end of the conversation', limit: '5s' });
  return Buffer.concat(back);
}
