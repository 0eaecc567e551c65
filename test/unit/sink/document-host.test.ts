import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { documentAnswer, startDocumentHost, type DocumentHost } from '../../../src/sink/document-host.ts';
import { answer, chunked, cutBody, HANG, redirectTo, RESET, slow, slowBody } from '../../../src/sink/reply.ts';
import { rawExchange } from './raw-exchange.ts';

const BYTES = Buffer.from('%PDF-1.7 the document');
const DOCUMENT = documentAnswer(BYTES, 'application/pdf');
const GOOD = { user: 'store', pass: 'pass:word ü' };

let clock: VirtualClock;
let host: DocumentHost;

beforeEach(async () => {
  clock = new VirtualClock();
  host = await startDocumentHost({ clock, random: createRandom(1) });
});

afterEach(() => host.close());

function get(address: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof request> {
  return request(new URL(address, host.url), { headers: { ...headers }, reset: true });
}

async function read(address: string): Promise<Buffer> {
  return Buffer.from(await (await get(address)).body.arrayBuffer());
}

function basic({ user, pass }: typeof GOOD): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}` };
}

/** Follows redirects by hand; gives the status of every hop. */
async function follow(address: string, limit = 20): Promise<number[]> {
  const statuses: number[] = [];
  let at = new URL(address, host.url);
  while (statuses.length < limit) {
    const response = await get(at.href);
    await response.body.dump();
    statuses.push(response.statusCode);
    const location = response.headers['location'];
    if (typeof location !== 'string') break;
    at = new URL(location, at);
  }
  return statuses;
}

describe('documents of the document host', () => {
  it('serves the bytes with content type and length on both origins', async () => {
    host.serve('/bill.pdf', DOCUMENT);
    for (const origin of [host.url, host.otherUrl]) {
      const response = await get(`${origin}/bill.pdf`);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(BYTES.length),
      });
      expect(Buffer.from(await response.body.arrayBuffer())).toEqual(BYTES);
    }
    expect(host.log.entries.map(({ origin, path, admitted }) => ({ origin, path, admitted }))).toEqual([
      { origin: 'main', path: '/bill.pdf', admitted: null },
      { origin: 'other', path: '/bill.pdf', admitted: null },
    ]);
  });

  it('answers 404 where nothing is served, and records the fetch', async () => {
    expect((await get('/none')).statusCode).toBe(404);
    expect(host.log.to('/none')).toMatchObject([{ method: 'GET', credentials: 'none', admitted: null }]);
  });

  it('never compresses, but passes on content that is compressed already', async () => {
    host.serve('/plain', DOCUMENT);
    host.serve('/zipped', answer(200, [['Content-Encoding', 'gzip']], gzipSync(BYTES)));
    const plain = await get('/plain', { 'accept-encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(Buffer.from(await plain.body.arrayBuffer())).toEqual(BYTES);
    expect(await read('/zipped')).toEqual(gzipSync(BYTES));
  });

  it('serves a document in chunks without a length', async () => {
    host.serve('/chunked', chunked(DOCUMENT));
    const response = await get('/chunked');
    expect(response.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(response.headers['content-length']).toBeUndefined();
    expect(Buffer.from(await response.body.arrayBuffer())).toEqual(BYTES);
  });

  it('cuts a body in the middle: the length promises more than comes', async () => {
    host.serve('/cut', cutBody(8, DOCUMENT));
    const { text } = await rawExchange(host.url, 'GET /cut HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(text).toContain(`Content-Length: ${BYTES.length}`);
    expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('%PDF-1.7');
    await expect(read('/cut')).rejects.toMatchObject({ code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' });
  });

  it('can serve errors, a wrong content type, an empty document, a hang and a reset', async () => {
    host.serve('/500', answer(500));
    host.serve('/html', documentAnswer(BYTES, 'text/html'));
    host.serve('/empty', documentAnswer(new Uint8Array(), 'application/pdf'));
    host.serve('/reset', RESET);
    host.serve('/hang', HANG);
    expect((await get('/500')).statusCode).toBe(500);
    expect((await get('/html')).headers['content-type']).toBe('text/html');
    expect(await read('/empty')).toHaveLength(0);
    await expect(get('/reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
    const hanging = get('/hang').catch(() => 'ended');
    await host.log.waitFor({ count: 1, path: '/hang', description: 'the fetch that hangs', limit: '5s' });
    await host.close();
    expect(await hanging).toBe('ended');
  });

  it('serves a slow document on the clock', async () => {
    host.serve('/slow', slow('1h', slowBody('1h', DOCUMENT)));
    const document = read('/slow');
    const [fetched] = await host.log.waitFor({ count: 1, description: 'the slow fetch', limit: '5s' });
    await clock.advance('119m');
    expect(fetched?.reply.ended).toBeNull();
    await clock.advance('1m');
    expect(await document).toEqual(BYTES);
  });

  it('forgets documents, guards and fetches on reset', async () => {
    host.serve('/a', DOCUMENT);
    host.protect('/a', { type: 'BasicAuth', ...GOOD });
    await get('/a');
    host.reset();
    expect(host.log.entries).toEqual([]);
    expect((await get('/a')).statusCode).toBe(404);
  });
});

describe('redirects of the document host', () => {
  it.each(['absolute', 'relative'] as const)('leads over exactly n hops with %s locations', async (form) => {
    host.serve('/doc', DOCUMENT);
    host.redirect({ from: '/start', to: '/doc', hops: 11, form, status: 307 });
    expect(await follow('/start')).toEqual([...Array.from({ length: 11 }, () => 307), 200]);
    const { location } = (await get('/start')).headers;
    expect(location).toBe(form === 'absolute' ? `${host.url}/start/hop-1` : '/start/hop-1');
  });

  it('leads to the other origin, where the log shows what came along', async () => {
    host.serve('/doc', DOCUMENT);
    host.redirect({ from: '/away', to: `${host.otherUrl}/doc`, hops: 1, form: 'absolute' });
    expect(await follow('/away')).toEqual([302, 200]);
    await get(`${host.otherUrl}/doc`, basic(GOOD));
    expect(host.log.to('/doc').map(({ origin, credentials }) => [origin, credentials])).toEqual([
      ['other', 'none'],
      ['other', 'BasicAuth'],
    ]);
  });

  it('can lead in a circle', async () => {
    host.redirect({ from: '/round', to: '/round', hops: 2, form: 'relative' });
    expect(await follow('/round', 7)).toEqual([302, 302, 302, 302, 302, 302, 302]);
  });

  it('can lead nowhere: a redirect without Location', async () => {
    host.serve('/lost', redirectTo(undefined, 301));
    const response = await get('/lost');
    expect(response.statusCode).toBe(301);
    expect(response.headers['location']).toBeUndefined();
  });
});

describe('Basic authentication of the document host', () => {
  beforeEach(() => {
    host.serve('/doc', DOCUMENT);
    host.protect('/doc', { type: 'BasicAuth', ...GOOD });
  });

  it('challenges a fetch without credentials and serves one with them', async () => {
    const refused = await get('/doc');
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Basic realm="platen documents", charset="UTF-8"');
    const served = await get('/doc', basic(GOOD));
    expect(served.statusCode).toBe(200);
    expect(host.log.entries.map(({ credentials, admitted }) => [credentials, admitted])).toEqual([
      ['none', false],
      ['BasicAuth', true],
    ]);
  });

  it.each([
    ['a wrong password', basic({ ...GOOD, pass: 'pass' }), 'BasicAuth'],
    ['a wrong user', basic({ ...GOOD, user: 'Store' }), 'BasicAuth'],
    ['no colon', { authorization: `Basic ${Buffer.from('store').toString('base64')}` }, 'BasicAuth'],
    ['no base64', { authorization: 'Basic ***' }, 'BasicAuth'],
    ['another scheme', { authorization: 'Bearer abc' }, 'unknown'],
  ])('refuses %s', async (_what, headers, credentials) => {
    expect((await get('/doc', headers)).statusCode).toBe(401);
    expect(host.log.entries).toMatchObject([{ credentials, admitted: false }]);
  });

  it('keeps no credentials in its log', async () => {
    const headers = basic(GOOD);
    await get('/doc', { ...headers, 'proxy-authorization': 'Basic c2VjcmV0', cookie: 'id=secret' });
    const kept = JSON.stringify(host.log.entries);
    for (const secret of [headers['authorization']?.slice(6) ?? '', 'c2VjcmV0', 'id=secret']) {
      expect(kept).not.toContain(secret);
    }
    expect(host.log.entries[0]?.rawHeaders).toContainEqual(['authorization', '(hidden)']);
  });
});
