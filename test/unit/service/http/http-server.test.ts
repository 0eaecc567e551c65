/**
 * Clients that stall, lie, break off or send garbage: each gets an answer, and the service goes on.
 */

import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { AUTHORIZED, exchangeRaw, RawClient } from '../../../support/raw-client.ts';
import { runService, type RunningService } from '../../../support/running-service.ts';

const FIFTY_MB = 50 * 1024 * 1024;
const WEBSOCKET_KEY = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
const WEBSOCKET = `${WEBSOCKET_KEY}Sec-WebSocket-Version: 13\r\n`;
const JOB = '{"printerId":1,"contentType":"raw_base64","content":"QUJD"}';

let service: RunningService;
beforeEach(async () => {
  service = await runService({ connectionLimits: { idleMs: 150, headersMs: 150, requestMs: 400 } });
});
afterEach(async () => {
  const { status } = await service.call('GET', '/noop');
  await service[Symbol.asyncDispose]();
  if (status !== 200) throw new Error(`the service did not survive: ${status}`);
});

function connect(): Promise<RawClient> {
  return RawClient.connect(service.port);
}

function head(line: string, ...headers: string[]): string {
  return `${line} HTTP/1.1\r\n${AUTHORIZED}${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
}

/** Sends chunks of a megabyte each, as fast as the connection takes them. */
async function sendMegabytes(client: RawClient, count: number): Promise<void> {
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 65), Buffer.from('\r\n')]);
  const closed = once(client.socket, 'close');
  for (let sent = 0; sent < count; sent++) {
    if (!client.socket.write(chunk)) await Promise.race([once(client.socket, 'drain'), closed]);
  }
}

function code(text: string): unknown {
  return (JSON.parse(text) as Record<string, unknown>)['code'];
}

describe('a body over 50 MB', () => {
  it('is refused by its declared length, before any of it is sent', async () => {
    await using client = await connect();
    client.send(head('POST /printjobs', `Content-Length: ${FIFTY_MB + 1}`));
    const response = await client.response();
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('is refused while it streams in chunks, and the client that goes on sending can read so', async () => {
    await using patient = await runService();
    await using client = await RawClient.connect(patient.port);
    client.send(head('POST /printjobs', 'Transfer-Encoding: chunked'));
    await sendMegabytes(client, 60);
    client.send('0\r\n\r\n');
    expect(await client.response()).toMatchObject({ status: 413 });
    await client.closed();
  });

  it('is not asked for when the client asks first', async () => {
    await using client = await connect();
    client.send(head('POST /printjobs', `Content-Length: ${FIFTY_MB + 1}`, 'Expect: 100-continue'));
    expect((await client.response()).status).toBe(413);
    client.socket.end();
    await client.closed();
  });
});

describe('Expect', () => {
  it('of 100-continue is answered once the request is admitted', async () => {
    await using client = await connect();
    client.send(head('POST /printjobs', `Content-Length: ${JOB.length}`, 'Expect: 100-continue'));
    expect((await client.response()).status).toBe(100);
    client.send(JOB);
    expect(JSON.parse((await client.response()).text)).toMatchObject({
      message: expect.stringMatching('printer 1') as string,
    });
  });

  it('of 100-continue is refused where the request is refused, and the body is not awaited', async () => {
    for (const line of ['POST /nowhere', 'PATCH /printjobs']) {
      await using client = await connect();
      client.send(head(line, 'Content-Length: 5', 'Expect: 100-continue'));
      const response = await client.response();
      expect(response.status).toBeGreaterThanOrEqual(404);
      expect(response.headers.get('connection')).toBe('close');
    }
  });

  it('of anything else is refused with 417', async () => {
    await using client = await connect();
    client.send(head('POST /printjobs', 'Content-Length: 5', 'Expect: a-miracle'));
    const response = await client.response();
    expect([response.status, code(response.text)]).toEqual([417, 'ExpectationFailed']);
  });
});

describe('a body that is not needed', () => {
  it('is read to its end when it is short, and the connection goes on', async () => {
    await using client = await connect();
    client.send(head('POST /nowhere', 'Content-Length: 5'));
    expect((await client.response()).status).toBe(404);
    client.send('hello');
    expect((await client.ask('GET /noop HTTP/1.1')).status).toBe(200);
  });

  it('ends the connection when its length is unknown', async () => {
    await using client = await connect();
    client.send(head('POST /nowhere', 'Transfer-Encoding: chunked'));
    const response = await client.response();
    expect([response.status, response.headers.get('connection')]).toEqual([404, 'close']);
    client.send('5\r\nhello\r\n0\r\n\r\n');
    await client.closed();
  });

  it('may be garbage without a second answer', async () => {
    await using client = await connect();
    client.send(`${head('POST /nowhere', 'Transfer-Encoding: chunked')}zzz\r\n`);
    expect((await client.response()).status).toBe(404);
    client.socket.end();
    await client.closed();
    expect(client.unread).toBe('');
  });
});

describe('a body', () => {
  it('shorter than it was declared is refused', async () => {
    await using client = await connect();
    client.send(head('POST /printjobs', 'Content-Length: 500'));
    client.socket.end(JOB);
    expect((await client.response()).status).toBe(400);
    await client.closed();
  });

  it('longer than it was declared is refused, what follows being no request', async () => {
    await using client = await connect();
    client.send(`${head('POST /printjobs', 'Content-Length: 5')}${JOB}`);
    expect(code((await client.response()).text)).toBe('InvalidContent');
    expect(code((await client.response()).text)).toBe('BadRequest');
    client.socket.end();
    await client.closed();
  });

  it('with a broken chunk is refused', async () => {
    await using client = await connect();
    client.send(`${head('POST /printjobs', 'Transfer-Encoding: chunked')}5\r\nhello\r\nzz\r\n`);
    expect((await client.response()).status).toBe(400);
    client.socket.end();
    await client.closed();
    expect(client.unread).toBe('');
  });

  it('that stalls is given up', async () => {
    await using client = await connect();
    client.send(`${head('POST /printjobs', 'Content-Length: 500')}{"printerId"`);
    const response = await client.response();
    expect([response.status, code(response.text)]).toEqual([408, 'RequestTimeout']);
    client.socket.end();
    await client.closed();
  });

  it('whose client breaks off leaves nothing behind', async () => {
    await using client = await connect();
    client.send(`${head('POST /printjobs', 'Content-Length: 500000')}${'x'.repeat(100_000)}`);
    client.socket.resetAndDestroy();
    await client.closed();
    await expect.poll(() => service.answered.at(-1)?.status).toBe(400);
  });

  it('that comes in pieces is put together', async () => {
    await using client = await connect();
    const body = JSON.stringify({ title: 'x'.repeat(300_000) });
    for (const framing of [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']) {
      client.send(head('POST /printjobs', framing));
      for (let at = 0; at < body.length; at += 70_000) {
        const piece = body.slice(at, at + 70_000);
        client.send(framing.startsWith('C') ? piece : `${piece.length.toString(16)}\r\n${piece}\r\n`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (framing.startsWith('T')) client.send('0\r\n\r\n');
      expect(code((await client.response()).text)).toBe('BadRequest');
    }
  });

  it('that is not UTF-8 is refused', async () => {
    await using client = await connect();
    client.send(head('POST /printjobs', 'Content-Length: 3'));
    client.send(Buffer.from([0x22, 0xff, 0x22]));
    expect(code((await client.response()).text)).toBe('InvalidContent');
  });
});

describe('a connection', () => {
  it('on which nothing is sent is closed', async () => {
    await using client = await connect();
    expect((await client.response()).status).toBe(408);
    client.socket.end();
    await client.closed();
  });

  it('on which the headers never end is closed', async () => {
    await using client = await connect();
    client.send('GET /noop HTTP/1.1\r\nHost: service.test\r\nX-Slow: ');
    expect((await client.response()).status).toBe(408);
    client.socket.end();
    await client.closed();
  });

  it('that is idle after a response is closed', async () => {
    await using client = await connect();
    expect((await client.ask('GET /noop HTTP/1.1')).status).toBe(200);
    await client.closed();
  });

  it('answers pipelined requests in order, and then refuses what follows', async () => {
    await using client = await connect();
    const post = `${head('POST /printjobs', 'Content-Length: 2')}{}`;
    client.send(`${head('GET /whoami')}${post}${head('GET /nowhere')}garbage\r\n\r\n`);
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await client.response()).status);
    expect(statuses).toEqual([200, 400, 404, 400]);
    client.socket.end();
    await client.closed();
  });
});

describe('a request line and headers', () => {
  it('may name a set of 10,000 long ids, commas encoded', async () => {
    await using client = await connect();
    const ids = Array.from({ length: 10_000 }, (_, index) => 9_000_000_000_000_000 + index);
    const response = await client.ask(`GET /printjobs/${ids.join('%2C')} HTTP/1.1`);
    expect([response.status, response.text]).toEqual([200, '[]']);
    expect((await client.ask(`GET /printers/${ids.join(',')} HTTP/1.1`)).status).toBe(200);
  });

  it.each([
    ['too long a target', `GET /${'a'.repeat(300_000)} HTTP/1.1\r\nHost: service.test\r\n\r\n`],
    ['too long a header', `GET / HTTP/1.1\r\nHost: service.test\r\nX-Long: ${'a'.repeat(300_000)}\r\n\r\n`],
    ['too many headers', `GET / HTTP/1.1\r\n${'X-Many: 1\r\n'.repeat(40_000)}\r\n`],
  ])('that have %s are refused with 431', async (_what, bytes) => {
    const response = await exchangeRaw(service.port, bytes);
    expect([response.status, code(response.text)]).toEqual([431, 'RequestHeadersTooLarge']);
  });

  it.each([
    ['no HTTP at all', 'hello there\r\n\r\n'],
    ['a TLS handshake', Buffer.from('16030100050100000100', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', `BREW /whoami HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    ['NUL in the target', `GET /who\0ami HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    ['NUL in a header', `GET /whoami HTTP/1.1\r\n${AUTHORIZED}X-Nul: a\0b\r\n\r\n`],
    ['a header without a name', `GET /whoami HTTP/1.1\r\n${AUTHORIZED}: value\r\n\r\n`],
    ['two lengths', `${head('POST /printjobs', 'Content-Length: 5', 'Content-Length: 6')}hello`],
    ['a length and chunks', `${head('POST /printjobs', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['a negative length', head('POST /printjobs', 'Content-Length: -5')],
    ['no host', 'GET /ping HTTP/1.1\r\n\r\n'],
  ])('that are %s are refused with 400', async (_what, bytes) => {
    const response = await exchangeRaw(service.port, bytes);
    expect([response.status, code(response.text)]).toEqual([400, 'BadRequest']);
  });

  it.each([
    ['/printers/%zz', 400],
    ['/printers/%C3', 400],
    ['/printers/%00', 400],
    ['/printers/-1', 400],
    ['/printers/1.5', 400],
    ['/printers/9007199254740993', 400],
    ['/printers/1e3', 400],
    ['/printers/1,,2', 400],
    ['/printers/__proto__', 400],
    ['/constructor', 404],
    ['/__proto__/toString', 404],
    ['/../whoami', 404],
    ['/', 404],
    ['*', 404],
    ['/printers?limit=9007199254740993', 400],
    ['/printers?limit=%zz', 400],
    ['/printers?__proto__=1&constructor=2', 200],
    ['http://elsewhere.test/whoami', 200],
    ['HTTPS://elsewhere.test/whoami?x=1', 200],
    ['http://elsewhere.test', 404],
  ])('that ask for %s are answered with %i', async (target, status) => {
    await using client = await connect();
    expect((await client.ask(`GET ${target} HTTP/1.1`)).status).toBe(status);
    expect((await client.ask('GET /noop HTTP/1.1')).status).toBe(200);
  });

  it.each(['TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'PUT'])('with %s are refused with 405', async (method) => {
    await using client = await connect();
    const response = await client.ask(`${method} /whoami HTTP/1.1`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('that want a tunnel are refused', async () => {
    const response = await exchangeRaw(service.port, 'CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect([response.status, code(response.text)]).toEqual([405, 'MethodNotAllowed']);
  });

  it('that offer HTTP/2 on the side are served all the same', async () => {
    await using client = await connect();
    const headers = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n';
    expect((await client.ask('GET /whoami HTTP/1.1', headers)).status).toBe(200);
    const length = `Content-Length: ${JOB.length}\r\n`;
    expect((await client.ask('POST /printjobs HTTP/1.1', headers + length, JOB)).status).toBe(400);
  });

  it.each([
    ['no key', 'Sec-WebSocket-Version: 13\r\n', 400],
    ['a short key', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n', 400],
    ['no version', WEBSOCKET_KEY, 426],
    ['another version', `${WEBSOCKET_KEY}Sec-WebSocket-Version: 7\r\n`, 426],
    ['nonsense for protocols', `${WEBSOCKET}Sec-WebSocket-Protocol: a,,b\r\n`, 400],
    ['one protocol twice', `${WEBSOCKET}Sec-WebSocket-Protocol: a, a\r\n`, 400],
  ])('that ask for a websocket with %s are refused', async (_what, headers, status) => {
    await using client = await connect();
    const upgrade = 'Connection: Upgrade\r\nUpgrade: WebSocket\r\n';
    const response = await client.ask('GET /ws/1 HTTP/1.1', upgrade + headers);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
  });

  it('that ask for a websocket at another path are refused', async () => {
    await using client = await connect();
    const headers = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    expect((await client.ask('GET /whoami HTTP/1.1', headers)).status).toBe(404);
  });
});
