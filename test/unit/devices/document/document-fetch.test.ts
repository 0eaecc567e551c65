import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

import { describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { portOf } from '../../../../src/common/port-of.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { selfSignedCertificate } from '../../../../src/common/self-signed.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { DEFAULT_FETCH_SETTINGS, DocumentFetch } from '../../../../src/devices/document/document-fetch.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

class Host {
  readonly seen: { url: string; authorization: string | undefined }[] = [];
  readonly #server;

  constructor(handler: Handler) {
    this.#server = createServer((request, response) => {
      this.seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
      handler(request, response);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const random = createRandom('document fetch');
const fetchSettings = { ...DEFAULT_FETCH_SETTINGS, maxBytes: 1_000 };

async function fetchFrom(handler: Handler, path = '/doc'): Promise<string> {
  await using host = new Host(handler);
  const base = await host.listen();
  return await fetchText(base + path);
}

/** The document as text, or the message. */
async function fetchText(content: string, allowedHosts: readonly string[] = []): Promise<string> {
  const fetcher = new DocumentFetch(systemClock, random, { ...fetchSettings, allowedHosts });
  const outcome = await fetcher.fetch({ content, authentication: null });
  await fetcher.close();
  return outcome.ok ? Buffer.from(outcome.value).toString() : outcome.error;
}

/** Redirects /0 → /1 → … and serves /{count}. */
function redirecting(count: number): Handler {
  return (request, response) => {
    const hop = Number(request.url?.slice(1));
    if (hop < count) response.writeHead(302, { location: `/${hop + 1}` }).end();
    else response.end('document');
  };
}

describe('document fetch', () => {
  it('gives up on a host that sends a byte now and then for ever', async () => {
    await using host = new Host((_request, response) => {
      response.writeHead(200);
      const drip = systemClock.beat(20, () => response.write('x'));
      response.on('close', () => drip.cancel());
    });
    const fetcher = new DocumentFetch(systemClock, random, { ...fetchSettings, wholeMs: 300 });
    const outcome = await fetcher.fetch({ content: `${await host.listen()}/doc`, authentication: null });
    await fetcher.close();
    expect(outcome).toMatchObject({
      error: expect.stringContaining('timeout: the document was not there whole after 300ms') as string,
    });
  });

  it('brings a document', async () => {
    expect(await fetchFrom((_, response) => response.end('document'))).toBe('document');
  });

  it('follows ten redirects and not an eleventh', async () => {
    expect(await fetchFrom(redirecting(10), '/0')).toBe('document');
    expect(await fetchFrom(redirecting(11), '/0')).toContain('more than 10 redirects');
  });

  it.each<[string, Handler, string]>([
    ['status 404', (_, response) => response.writeHead(404).end(), 'the server answered 404'],
    ['status 401', (_, response) => response.writeHead(401).end(), 'the server answered 401'],
    ['a redirect to nowhere', (_, response) => response.writeHead(302).end(), 'without saying where to'],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
      'file: addresses are not fetched',
    ],
    [
      'a redirect to a stranger',
      (_, response) => response.writeHead(302, { location: 'http://stranger.example/' }).end(),
      'host stranger.example is neither loopback nor among the allowed hosts',
    ],
    ['a large document', (_, response) => response.end('x'.repeat(1_001)), 'larger than 1000 bytes'],
    [
      'a large document of unknown length',
      (_, response) => {
        response.write('x'.repeat(600));
        response.end('x'.repeat(600));
      },
      'larger than 1000 bytes',
    ],
    [
      'a body cut in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      },
      'the connection was closed before the document was complete',
    ],
    [
      'an unasked encoding',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      'sent the document as gzip',
    ],
    ['an answer that is not HTTP', (_, response) => response.socket?.end('hello\r\n\r\n'), 'not proper HTTP'],
  ])('has its own message for %s', async (_, handler, message) => {
    expect(await fetchFrom(handler)).toContain(message);
  });

  it('has its own message for a refused connection, an unknown host and what is not an address', async () => {
    const host = new Host(() => undefined);
    const address = await host.listen();
    await host[Symbol.asyncDispose]();
    expect(await fetchText(address)).toContain('connection refused');
    expect(await fetchText('http://no-such-host.invalid/', ['no-such-host.invalid'])).toContain('DNS');
    expect(await fetchText('not an address')).toContain('is not an address');
    expect(await fetchText('ftp://127.0.0.1/a')).toContain('ftp: addresses are not fetched');
  });

  it('gives up when nothing is heard for 30 s on its clock', async () => {
    await using host = new Host(() => undefined);
    const address = await host.listen();
    const clock = new VirtualClock();
    const fetcher = new DocumentFetch(clock, random);
    const outcome = fetcher.fetch({ content: address, authentication: null });
    await clock.advance('31s');
    expect(await outcome).toMatchObject({ ok: false, error: expect.stringContaining('timeout') });
    await fetcher.close();
  });

  it('waits for a document that comes in small pieces, as long as they come', async () => {
    const clock = new VirtualClock();
    await using host = new Host((_, response) => {
      response.write('a');
      clock.schedule(20_000, () => response.write('b'));
      clock.schedule(40_000, () => response.end('c'));
    });
    const address = await host.listen();
    const fetcher = new DocumentFetch(clock, random);
    const outcome = fetcher.fetch({ content: address, authentication: null });
    await clock.advance('1m');
    expect(await outcome).toEqual({ ok: true, value: Buffer.from('abc') });
    await fetcher.close();
  });

  it('shows Basic credentials to the origin of the job and to no other', async () => {
    await using other = new Host((_, response) => response.end('document'));
    const elsewhere = await other.listen();
    await using first = new Host((request, response) => {
      const location = request.url === '/start' ? '/next' : elsewhere;
      response.writeHead(307, { location }).end();
    });
    const content = `${await first.listen()}/start`;
    const fetcher = new DocumentFetch(systemClock, random);
    const credentials = { user: 'üser', pass: 'p:w' };
    const outcome = await fetcher.fetch({ content, authentication: { type: 'BasicAuth', credentials } });
    await fetcher.close();
    const expected = `Basic ${Buffer.from('üser:p:w').toString('base64')}`;
    expect(outcome.ok).toBe(true);
    expect(first.seen.map(({ authorization }) => authorization)).toEqual([expected, expected]);
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('takes user and password from the address, and keeps them out of messages', async () => {
    await using host = new Host((_, response) => response.writeHead(404).end());
    const { port } = new URL(await host.listen());
    const message = await fetchText(`http://us%C3%A9r:p%40ss@127.0.0.1:${port}/doc?key=1`);
    expect(host.seen[0]?.authorization).toBe(`Basic ${Buffer.from('usér:p@ss').toString('base64')}`);
    expect(message).toBe('download failed: the server answered 404');
    expect(await fetchText('http://user:secret@127.0.0.1:1/doc?key=secret')).not.toContain('secret');
  });

  it('says that a certificate signed itself', async () => {
    const server = createSecureServer(await selfSignedCertificate(['localhost']), (_, response) =>
      response.end('document'),
    );
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const port = portOf(server);
    expect(await fetchText(`https://localhost:${port}/doc`)).toContain('the certificate is self-signed');
    server.close();
  });

  it('says that no TLS is spoken where https is asked of an http server', async () => {
    await using host = new Host(() => undefined);
    const address = await host.listen();
    expect(await fetchText(address.replace('http:', 'https:'))).toContain('no TLS is spoken there');
  });
});
