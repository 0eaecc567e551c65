import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { startAuthEndpoint, type AuthEndpoint, type ClientIdentity } from '../../../src/sink/auth-endpoint.ts';

const UUID = '3f2b8c1e-9d4a-4c6b-8e21-0a1b2c3d4e5f';
const QUERY = `uuid=${UUID}&version=4.27.8&edition=Brand%20One`;
const KEY = `ck-${'k'.repeat(44)}`;
const USERS = [
  { user: 'anna', pass: 'a:secret' },
  { user: 'bert', pass: '' },
];

let clock: VirtualClock;
let endpoint: AuthEndpoint;
let asked: ClientIdentity[];
let obtain: () => Promise<string>;

beforeEach(async () => {
  clock = new VirtualClock();
  asked = [];
  obtain = () => Promise.resolve(KEY);
  endpoint = await startAuthEndpoint({
    clock,
    users: USERS,
    obtainClientKey(client) {
      asked.push(client);
      return obtain();
    },
  });
});

afterEach(() => endpoint.close());

interface LoginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

async function logIn(
  credentials: string | undefined,
  query = QUERY,
  method: 'GET' | 'POST' = 'GET',
): Promise<LoginAnswer> {
  const headers: Record<string, string> =
    credentials === undefined ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const response = await request(`${endpoint.url}/login?${query}`, { method, headers, reset: true });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

describe('the delegated authentication endpoint', () => {
  it('answers good credentials with the client key the service gave, as JSON', async () => {
    const { status, headers, text } = await logIn('anna:a:secret', `${QUERY}&computerName=Till%203`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(text).toBe(JSON.stringify(KEY));
    expect(asked).toEqual([
      { uuid: UUID, version: '4.27.8', edition: 'Brand One', user: 'anna', computerName: 'Till 3' },
    ]);
  });

  it('takes an empty password where that is the password, and no computer name', async () => {
    expect((await logIn('bert:')).status).toBe(200);
    expect(asked).toMatchObject([{ user: 'bert', computerName: null }]);
  });

  it.each([
    ['a wrong password', 'anna:other'],
    ['an empty password', 'anna:'],
    ['the password of another user', 'bert:a:secret'],
    ['an unknown user', 'carl:x'],
    ['the name of a built-in', 'constructor:x'],
    ['no colon', 'anna'],
    ['no credentials', undefined],
  ])('answers 401 Unauthorized to %s and asks the service for nothing', async (_what, credentials) => {
    const { status, headers, text } = await logIn(credentials);
    expect(status).toBe(401);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toEqual({ code: 'Unauthorized', message: 'User name or password is wrong.' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['no uuid', 'version=1&edition=x'],
    ['a uuid that is not a UUID', 'uuid=7&version=1&edition=x'],
    ['a uuid of another version', `uuid=${UUID.replace('-4c6b', '-1c6b')}&version=1&edition=x`],
    ['no version', `uuid=${UUID}&edition=x`],
    ['an empty edition', `uuid=${UUID}&version=1&edition=`],
    ['broken encoding', 'uuid=%zz&version=%&edition=%ff'],
  ])('answers 400 to %s', async (_what, query) => {
    const { status, text } = await logIn('anna:a:secret', query);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: 'BadRequest' });
    expect(asked).toEqual([]);
  });

  it('answers 405 to another method', async () => {
    const { status, headers } = await logIn('anna:a:secret', QUERY, 'POST');
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET');
  });

  it('answers 502 when the service gives no key, and keeps the reason in its log alone', async () => {
    obtain = () => Promise.reject(new Error('the service answered 429'));
    const { status, text } = await logIn('anna:a:secret');
    expect(status).toBe(502);
    expect(text).not.toContain('429');
    expect(endpoint.log.entries).toMatchObject([{ status: 502, problem: 'the service answered 429' }]);
  });

  it('answers 502 when the service has given no key for ten seconds on the clock', async () => {
    obtain = () => new Promise(() => undefined);
    const answered = logIn('anna:a:secret');
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance('10s');
    expect((await answered).status).toBe(502);
  });

  it('holds virtual time while the service is asked', async () => {
    const waiting: ((key: string) => void)[] = [];
    obtain = () => new Promise((resolve) => waiting.push(resolve));
    const answered = logIn('anna:a:secret');
    await expect.poll(() => asked.length).toBe(1);
    expect(clock.heldBy).toEqual(['a request to a sink']);
    waiting[0]?.(KEY);
    expect((await answered).status).toBe(200);
  });

  it('keeps no password in its log, wherever it was put', async () => {
    await logIn('anna:a:secret', `${QUERY}&password=a:secret`);
    await logIn('anna:wrong-secret');
    expect(endpoint.log.entries).toMatchObject([
      { user: 'anna', status: 200, parameters: { uuid: UUID, version: '4.27.8', edition: 'Brand One' } },
      { user: 'anna', status: 401, problem: null },
    ]);
    expect(JSON.stringify(endpoint.log.entries)).not.toContain('secret');
  });
});
