import { createServer } from 'node:http';

import { describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { portOf } from '../../../../src/common/port-of.ts';
import { createRandom, type Random } from '../../../../src/common/random.ts';
import { readChallenges, DigestCredentials } from '../../../../src/devices/document/digest-credentials.ts';
import { DocumentFetch, type DocumentSource } from '../../../../src/devices/document/document-fetch.ts';
import { documentAnswer, startDocumentHost, type DocumentHost } from '../../../../src/sink/document-host.ts';

const CREDENTIALS = { user: 'printer "1"', pass: 'p:ä\\ss' };
const random = createRandom('digest');

function newHost(): Promise<DocumentHost> {
  return startDocumentHost({ clock: systemClock, random: random.stream('host') });
}

async function fetched(content: string, authentication: DocumentSource['authentication']): Promise<string> {
  const documents = new DocumentFetch(systemClock, random.stream('client'));
  const outcome = await documents.fetch({ content, authentication });
  await documents.close();
  return outcome.ok ? Buffer.from(outcome.value).toString() : outcome.error;
}

function served(host: DocumentHost, path: string): void {
  host.serve(path, documentAnswer(Buffer.from('document'), 'application/pdf'));
}

/** The client nonce that the examples of the standard use. */
const standardRandom: Random = {
  ...createRandom(1),
  hex: () => 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};

describe('Digest credentials', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('give the response of the example in RFC 7616, 3.9.1, for %s', (algorithm, response) => {
    const credentials = new DigestCredentials({ user: 'Mufasa', pass: 'Circle of Life' }, standardRandom);
    const challenge = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
    expect(credentials.take(readChallenges([challenge]))).toBe(true);
    expect(credentials.authorization('GET', '/dir/index.html')).toContain(`response="${response}"`);
    expect(credentials.authorization('GET', '/dir/index.html')).toContain('nc=00000002');
  });

  it('give the response of the example in RFC 2069 where no qop is offered', () => {
    const credentials = new DigestCredentials({ user: 'Mufasa', pass: 'CircleOfLife' }, standardRandom);
    const challenge = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc"';
    credentials.take(readChallenges([challenge]));
    expect(credentials.authorization('GET', '/dir/index.html')).toContain(
      'response="1949323746fe6a43ef61f9606e7febea"',
    );
  });

  it('take the first challenge they can meet, of several in one header', () => {
    const header =
      'Basic realm="a, Digest nonce=\\"no\\"", Digest algorithm=NEW-1, nonce="1", Digest nonce="2", qop="auth-int", DIGEST realm="r", nonce="3, 4" , qop=auth';
    const challenges = readChallenges([header]);
    expect(challenges.map(({ scheme }) => scheme)).toEqual(['basic', 'digest', 'digest', 'digest']);
    expect(challenges[0]?.parameters.get('realm')).toBe('a, Digest nonce="no"');
    const credentials = new DigestCredentials(CREDENTIALS, random);
    expect(credentials.take(challenges)).toBe(true);
    expect(credentials.authorization('GET', '/')).toContain('nonce="3, 4"');
    expect(new DigestCredentials(CREDENTIALS, random).take(challenges.slice(0, 3))).toBe(false);
  });
});

describe('a document that needs Digest authentication', () => {
  it.each([[['MD5']], [['SHA-256']], [['SHA-256', 'MD5']]] as const)(
    'is fetched with %j, query included',
    async (algorithms) => {
      await using host = await newHost();
      served(host, '/doc');
      host.protect('/doc', { type: 'DigestAuth', algorithms, ...CREDENTIALS });
      const authentication = { type: 'DigestAuth', credentials: CREDENTIALS } as const;
      expect(await fetched(`${host.url}/doc?a=1,%202&b="`, authentication)).toBe('document');
      expect(host.log.entries.map(({ credentials, admitted }) => [credentials, admitted])).toEqual([
        ['none', false],
        ['DigestAuth', true],
      ]);
    },
  );

  it('is fetched again with a new nonce when the server says that the nonce grew stale', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      const nonce = /nonce="(\d)"/.exec(request.headers.authorization ?? '')?.[1] ?? 'none';
      seen.push(nonce);
      if (nonce === '2') {
        response.end('document');
        return;
      }
      const stale = nonce === '1' ? ', stale=TRUE' : '';
      const next = nonce === '1' ? 2 : 1;
      response.writeHead(401, { 'www-authenticate': `Digest realm="r", qop="auth", nonce="${next}"${stale}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = portOf(server);
    const authentication = { type: 'DigestAuth', credentials: CREDENTIALS } as const;
    expect(await fetched(`http://127.0.0.1:${port}/`, authentication)).toBe('document');
    expect(seen).toEqual(['none', '1', '2']);
    server.close();
  });

  it('is given up where every nonce is stale at once', async () => {
    await using host = await newHost();
    served(host, '/doc');
    host.protect('/doc', { type: 'DigestAuth', algorithms: ['MD5'], usesPerNonce: 0, ...CREDENTIALS });
    const authentication = { type: 'DigestAuth', credentials: CREDENTIALS } as const;
    expect(await fetched(`${host.url}/doc`, authentication)).toContain(
      'the server answered 401: Digest credentials were refused',
    );
    expect(host.log.entries).toHaveLength(3);
  });

  it('is fetched through redirects, with the digest of each address', async () => {
    await using host = await newHost();
    served(host, '/doc');
    host.redirect({ from: '/start', to: '/doc', hops: 3, form: 'relative' });
    for (const path of ['/start', '/doc']) {
      host.protect(path, { type: 'DigestAuth', algorithms: ['MD5'], ...CREDENTIALS });
    }
    const authentication = { type: 'DigestAuth', credentials: CREDENTIALS } as const;
    expect(await fetched(`${host.url}/start`, authentication)).toBe('document');
  });

  it('is refused for a wrong password, after two requests', async () => {
    await using host = await newHost();
    served(host, '/doc');
    host.protect('/doc', { type: 'DigestAuth', algorithms: ['SHA-256'], ...CREDENTIALS });
    const credentials = { ...CREDENTIALS, pass: 'wrong' };
    expect(await fetched(`${host.url}/doc`, { type: 'DigestAuth', credentials })).toContain('were refused');
    expect(host.log.entries).toHaveLength(2);
  });

  it('keeps its password from a server that asks for Basic, and says so', async () => {
    await using host = await newHost();
    served(host, '/doc');
    host.protect('/doc', { type: 'BasicAuth', ...CREDENTIALS });
    const authentication = { type: 'DigestAuth', credentials: CREDENTIALS } as const;
    expect(await fetched(`${host.url}/doc`, authentication)).toContain(
      'Digest credentials were given, and it asks for basic',
    );
    expect(host.log.entries.map(({ credentials }) => credentials)).toEqual(['none']);
    expect(await fetched(`${host.url}/doc`, null)).toContain('no credentials were given, and it asks for basic');
  });

  it('does not show its credentials to another origin', async () => {
    await using host = await newHost();
    served(host, '/doc');
    host.protect('/doc', { type: 'DigestAuth', algorithms: ['MD5'], ...CREDENTIALS });
    const authentication = { type: 'DigestAuth', credentials: CREDENTIALS } as const;
    host.serve('/away', {
      ...documentAnswer(Buffer.of(), 'text/plain'),
      status: 302,
      headers: [['Location', `${host.otherUrl}/doc`]],
    });
    expect(await fetched(`${host.url}/away`, authentication)).toContain('401');
    expect(host.log.entries.map(({ origin, credentials }) => [origin, credentials])).toEqual([
      ['main', 'none'],
      ['other', 'none'],
    ]);
  });
});
