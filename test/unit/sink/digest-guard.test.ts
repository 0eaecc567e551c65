import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { digestResponse, type DigestAlgorithm, digestParameters } from '../../../src/sink/digest-guard.ts';
import { documentAnswer, startDocumentHost, type DocumentHost } from '../../../src/sink/document-host.ts';

const GOOD = { user: 'sto"re', pass: 'geheim' };
const PATH = '/doc?copy=1';

/** What a server's challenge says, read with no help from the code under test. */
interface Challenge {
  readonly [name: string]: string;
}

let host: DocumentHost;

beforeEach(async () => {
  host = await startDocumentHost({ clock: new VirtualClock(), random: createRandom(1) });
  host.serve('/doc', documentAnswer(Buffer.from('doc'), 'text/plain'));
});

afterEach(() => host.close());

function protect(...algorithms: DigestAlgorithm[]): void {
  host.protect('/doc', { type: 'DigestAuth', ...GOOD, algorithms });
}

async function fetchWith(authorization?: string, path = PATH): Promise<{ status: number; challenges: Challenge[] }> {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await request(`${host.url}${path}`, { headers, reset: true });
  await response.body.dump();
  const offered = [response.headers['www-authenticate'] ?? []].flat();
  return { status: response.statusCode, challenges: offered.map(readChallenge) };
}

function readChallenge(header: string): Challenge {
  const parts = header.replace(/^Digest /, '').split(', ');
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name, value.replaceAll('"', '')];
    }),
  );
}

async function onlyChallenge(): Promise<Challenge> {
  const { challenges } = await fetchWith();
  const [challenge] = challenges;
  if (!challenge) throw new Error('the host challenged with nothing');
  return challenge;
}

/** An Authorization header computed from the formula of the standard; a changed field goes into the hash as well. */
function authorize(challenge: Challenge, nc: number, changes: Record<string, string> = {}): string {
  const algorithm = challenge['algorithm'] === 'MD5' ? 'md5' : 'sha256';
  const h = (text: string): string => createHash(algorithm).update(text, 'utf8').digest('hex');
  const value = (name: string, usual: string | undefined): string => changes[name] ?? usual ?? '';
  const [pass, realm, uri] = [value('pass', GOOD.pass), value('realm', challenge['realm']), value('uri', PATH)];
  const [count, cnonce] = [value('nc', nc.toString(16).padStart(8, '0')), value('cnonce', 'c0ffee')];
  const qop = value('qop', 'auth');
  const ha1 = h(`${GOOD.user}:${realm}:${pass}`);
  const ha2 = h(`GET:${uri}`);
  const response = h(`${ha1}:${challenge['nonce']}:${count}:${cnonce}:${qop}:${ha2}`);
  const fields: Record<string, string> = {
    username: `"${value('username', GOOD.user).replaceAll('"', String.raw`\"`)}"`,
    realm: `"${realm}"`,
    uri: `"${uri}"`,
    algorithm: value('algorithm', challenge['algorithm']),
    nonce: `"${challenge['nonce']}"`,
    nc: count,
    cnonce: `"${cnonce}"`,
    qop,
    response: `"${value('response', response)}"`,
    opaque: `"${value('opaque', challenge['opaque'])}"`,
  };
  return `Digest ${Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')}`;
}

describe('digestResponse', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ] as const)('gives the response of the %s example in RFC 7616', (algorithm, expected) => {
    const response = digestResponse({
      algorithm,
      user: 'Mufasa',
      pass: 'Circle of Life',
      realm: 'http-auth@example.org',
      method: 'GET',
      uri: '/dir/index.html',
      nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
      nc: '00000001',
      cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    });
    expect(response).toBe(expected);
  });
});

describe('Digest authentication of the document host', () => {
  it.each(['MD5', 'SHA-256'] as const)('challenges with %s and serves the right response', async (algorithm) => {
    protect(algorithm);
    const refused = await fetchWith();
    expect(refused).toMatchObject({ status: 401, challenges: [{ algorithm, qop: 'auth' }] });
    expect(refused.challenges[0]?.['stale']).toBeUndefined();
    const challenge = await onlyChallenge();
    expect((await fetchWith(authorize(challenge, 1))).status).toBe(200);
    expect((await fetchWith(authorize(challenge, 2))).status).toBe(200);
    expect(host.log.entries.map(({ credentials, admitted }) => [credentials, admitted])).toEqual([
      ['none', false],
      ['none', false],
      ['DigestAuth', true],
      ['DigestAuth', true],
    ]);
  });

  it('offers several algorithms, each in a challenge of its own, and takes any of them', async () => {
    protect('SHA-256', 'MD5');
    const { challenges } = await fetchWith();
    expect(challenges.map(({ algorithm }) => algorithm)).toEqual(['SHA-256', 'MD5']);
    let nc = 0;
    for (const challenge of challenges) {
      expect((await fetchWith(authorize(challenge, ++nc))).status).toBe(200);
    }
  });

  it('takes a header without algorithm for MD5', async () => {
    protect('MD5');
    const header = authorize(await onlyChallenge(), 1).replace(/algorithm=MD5, /, '');
    expect((await fetchWith(header)).status).toBe(200);
  });

  it('says stale once a nonce is used up, and the same credentials pass with the new one', async () => {
    host.protect('/doc', { type: 'DigestAuth', ...GOOD, algorithms: ['SHA-256'], usesPerNonce: 2 });
    const first = await onlyChallenge();
    expect((await fetchWith(authorize(first, 1))).status).toBe(200);
    expect((await fetchWith(authorize(first, 2))).status).toBe(200);
    const { status, challenges } = await fetchWith(authorize(first, 3));
    expect(status).toBe(401);
    expect(challenges).toMatchObject([{ stale: 'true' }]);
    const [second] = challenges;
    expect(second?.['nonce']).not.toBe(first['nonce']);
    expect((await fetchWith(authorize(second ?? {}, 1))).status).toBe(200);
  });

  it('says stale to a nonce count that was used already, and to a nonce it never gave', async () => {
    protect('SHA-256');
    const challenge = await onlyChallenge();
    await fetchWith(authorize(challenge, 1));
    const replayed = await fetchWith(authorize(challenge, 1));
    const foreign = await fetchWith(authorize({ ...challenge, nonce: 'abc' }, 1));
    for (const { status, challenges } of [replayed, foreign]) {
      expect(status).toBe(401);
      expect(challenges[0]?.['stale']).toBe('true');
    }
  });

  it.each([
    ['a wrong password', { pass: 'falsch' }],
    ['the address of another document', { uri: '/other' }],
    ['a response that is not a hash', { response: '00' }],
    ['another user', { username: 'other' }],
    ['another realm', { realm: 'other' }],
    ['another opaque', { opaque: 'other' }],
    ['an algorithm that was not offered', { algorithm: 'SHA-512-256' }],
    ['another qop', { qop: 'auth-int' }],
    ['a nonce count that is too short', { nc: '1' }],
    ['an empty cnonce', { cnonce: '' }],
  ])('refuses %s, without calling it stale', async (_what, changes) => {
    protect('SHA-256');
    const challenge = await onlyChallenge();
    const { status, challenges } = await fetchWith(authorize(challenge, 1, changes));
    expect(status).toBe(401);
    expect(challenges[0]?.['stale']).toBeUndefined();
    expect((await fetchWith(authorize(challenge, 1))).status).toBe(200);
  });

  it.each([
    'Digest',
    'Digest ',
    'Digest ,,,',
    'Digest username="unclosed',
    'Digest username="a", username="b"',
    'Digest username=a nonce=b',
    `Digest ${'a="\\"",'.repeat(500)}`,
    'Digest __proto__="x", constructor="y"',
  ])('refuses the malformed header %j', async (header) => {
    protect('MD5');
    expect((await fetchWith(header)).status).toBe(401);
  });
});

describe('digestParameters', () => {
  it('reads bare and quoted values and undoes the quoting', () => {
    const found = digestParameters(String.raw`digest  A="x, \"y\" \\", nc=00000001 ,qop=auth`);
    expect(Object.fromEntries(found ?? [])).toEqual({
      a: String.raw`x, "y" \ `.trim(),
      nc: '00000001',
      qop: 'auth',
    });
  });

  it.each(['Basic abc', 'Digest a="1", a="2"', 'Digest a="1", A="2"', 'Digest a="1', 'Digest a=1 b=2', 'Digest =1'])(
    'reads nothing from %j',
    (header) => {
      expect(digestParameters(header)).toBeUndefined();
    },
  );

  it('takes any text without failing', () => {
    const pieces = fc.constantFrom('Digest ', 'a', '=', '"', '\\', ',', ' ', '__proto__', '\u0000');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const found = digestParameters(`Digest ${parts.join('')}`);
        expect(found === undefined || found instanceof Map).toBe(true);
      }),
    );
  });
});
