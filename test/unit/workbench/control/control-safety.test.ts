/**
 * Who may use the control API, and what it gives away: tried on every route there is.
 */

import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect, start, type StartedPlaten } from '../../../../src/index.ts';
import { knownKeys } from '../../../../src/common/schema-problems.ts';
import { CONTROL_ROUTES } from '../../../../src/workbench/control/routes/all-routes.ts';
import { basic, printRequest } from '../../../support/print-request.ts';

const KEY = 'key-that-nobody-may-see-5e';
const TOKEN = 'token-of-the-test';

/** Every route, with something in place of what stands in braces. */
const EVERY_ROUTE = CONTROL_ROUTES.map(({ method, path }): [string, string] => [
  method,
  path
    .replace('{file}', '1.png')
    .replace('{action}', 'connect')
    .replaceAll(/\{\w+\}/g, '1'),
]);

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** As a client that may send any Host. A stream is read until its first bytes. */
function ask(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/_platen${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      const done = (): void => {
        resolve({ status: response.statusCode ?? 0, text });
        response.destroy();
      };
      response.on('data', (chunk: string) => {
        text += chunk;
        if (response.headers['content-type'] === 'text/event-stream') done();
      });
      response.on('end', done);
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('on loopback', () => {
  let platen: StartedPlaten;
  beforeAll(async () => {
    platen = await start({ port: 0, clock: 'virtual', limits: 'off', apiKey: KEY });
  });
  afterAll(() => platen.close());

  it.each(EVERY_ROUTE)('refuses pages of other origins and foreign hosts at %s %s', async (method, path) => {
    const { port } = new URL(platen.url);
    for (const headers of [
      { host: `127.0.0.1:${port}`, origin: 'http://evil.example' },
      { host: `127.0.0.1:${port}`, origin: `http://localhost:${port}` },
      { host: `127.0.0.1:${port}`, origin: 'null' },
      { host: `rebound.example:${port}` },
      { host: 'rebound.example', origin: 'http://rebound.example' },
    ]) {
      const answer = await ask(platen.url, method, path, headers);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        403,
        { code: 'Forbidden', message: expect.any(String) },
      ]);
      const preflight = await ask(platen.url, 'OPTIONS', path, headers);
      expect(preflight.status).toBe(403);
    }
  });

  it('gives the key to its own page alone', async () => {
    expect((await ask(platen.url, 'GET', '/key')).status).toBe(403);
    const page = await ask(platen.url, 'GET', '/key', { 'x-platen-page': '1' });
    expect(JSON.parse(page.text)).toEqual({ apiKey: KEY });
    // A page elsewhere would have to ask first whether it may send the header.
    const { port } = new URL(platen.url);
    const foreign = { host: `127.0.0.1:${port}`, origin: 'http://evil.example', 'x-platen-page': '1' };
    expect((await ask(platen.url, 'GET', '/key', foreign)).status).toBe(403);
  });

  it('gives away no key and no secret, whatever the traffic was', async () => {
    const events = await fetch(`${platen.url}/_platen/events`);
    let seen = '';
    const reading = (async () => {
      for await (const chunk of events.body ?? []) seen += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    const call = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(platen.url + path, { ...init, headers: { ...basic(KEY), 'content-type': 'application/json' } });
    const made = await call('/account/apikey/second', { method: 'POST' });
    const secondKey = (await made.json()) as string;
    await call('/account/apikey/second');
    await call(`/printers?key=${KEY}&token=hidden-1&limit=3`);
    await call('/webhook', {
      method: 'POST',
      body: JSON.stringify({
        url: `http://someone:hidden-2@127.0.0.1:9/hook?signature=hidden-3#${KEY}`,
        secret: 'hidden-4',
        messages: ['*'],
      }),
    });
    await call('/account', {
      method: 'POST',
      body: JSON.stringify({
        Account: { firstname: '-', lastname: '-', email: 'a@example.test', password: 'hidden-5-long' },
        ApiKeys: ['child'],
      }),
    });
    await fetch(`${platen.url}/account`, {
      method: 'POST',
      headers: { ...basic(KEY), 'content-type': 'application/x-www-form-urlencoded', cookie: 'a=hidden-6' },
      body: 'Account[firstname]=-&Account[lastname]=-&Account[email]=b@example.test&Account[password]=hidden-7-long',
    });
    await call('/client/key/0d3f1f2e-1111-4222-8333-444444444444?edition=e&version=1');
    const id = await printRequest(platen, {
      printerId: 1,
      contentType: 'pdf_uri',
      content: `http://127.0.0.1:9/a.pdf?sig=hidden-8`,
      authentication: { type: 'BasicAuth', credentials: { user: 'hidden-9', pass: 'hidden-10' } },
    });
    await platen.clock.advance('1m');
    await fetch(`${platen.url}/noop`, {
      headers: { authorization: `Bearer ${KEY}`, 'x-api-key': 'hidden-11' },
    });
    // The keys in the examples of the printing API are of accounts that are not here.
    const others = /^\/(key|events|printing-api\/.*)$/;
    const gets = EVERY_ROUTE.filter(([method, path]) => method === 'GET' && !others.test(path));
    const answers = await Promise.all(
      [...gets, ['GET', `/jobs/${id}`] as const].map(([method, path]) => ask(platen.url, method, path)),
    );
    await platen.clock.advance('0s');
    await new Promise((resolve) => setImmediate(resolve));
    const { status } = await ask(platen.url, 'GET', '/health');
    expect(status).toBe(200);
    expect(seen).toContain('event: request');
    for (const text of [...answers.map((answer) => answer.text), seen]) {
      for (const secret of [KEY, secondKey, Buffer.from(`${KEY}:`).toString('base64')]) {
        expect(text).not.toContain(secret);
      }
      expect(text).not.toMatch(/hidden-\d+/);
      expect(text).not.toMatch(/ck-[A-Za-z0-9]{44}|\b[0-9a-f]{40}\b/);
    }
    await events.body?.cancel().catch(() => undefined);
    void reading;
  });

  it.each([
    ['no JSON', '{"by":', 400],
    ['a number', '7', 400],
    ['null', 'null', 400],
    ['what is too much', `{"by":"${'1d'.repeat(200_000)}"}`, 413],
    ['what is far too much', `{"by":"${'1d'.repeat(4_000_000)}"}`, 413],
    ['a prototype', '{"__proto__":{"by":"1d"}}', 400],
    ['more than is known', '{"by":"1d","to":"2d"}', 400],
    ['a negative time', '{"by":-1}', 400],
    ['centuries', '{"by":"99999999d"}', 400],
    ['centuries in milliseconds', '{"by":1e15}', 400],
  ])('refuses a body with %s', async (_, body, status) => {
    const answer = await ask(platen.url, 'POST', '/clock/advance', {}, body);
    const { problem = '', ...refusal } = JSON.parse(answer.text) as Readonly<Record<string, unknown>>;
    expect([answer.status, refusal]).toEqual([status, { code: expect.any(String), message: expect.any(String) }]);
    expect(refusal['message']).toContain(problem);
  });

  it.each([
    ['POST', '/room/computers', { name: 'X', printers: [{ profile: '../../package' }] }],
    ['POST', '/room/computers', { name: '', printers: [] }],
    ['POST', '/room/computers', { name: 'X', printers: Array.from({ length: 101 }, () => ({ profile: 'laser-a4' })) }],
    ['POST', '/room/computers/FRONT-DESK/printers', { profile: 'laser-a4', name: 'x'.repeat(300) }],
    ['POST', '/room/computers/FRONT-DESK/printers/printer-1', { tray: { name: 'No such', sheets: 3 } }],
    ['POST', '/room/computers/FRONT-DESK/printers/printer-1', { jam: 'yes' }],
    ['POST', '/room/computers/FRONT-DESK/scales/7', { grams: 1 }],
    ['POST', '/room/computers/%E0%A4%A/connect', undefined],
    ['POST', '/room/computers/FRONT-DESK/explode', undefined],
    ['POST', '/accounts', { room: { computers: [{ name: 'X', printers: [{ profile: 'no-such' }] }] } }],
    ['DELETE', '/accounts/1', undefined],
    ['DELETE', '/accounts/999', undefined],
    ['GET', '/jobs?limit=many', undefined],
    ['GET', '/jobs/wait?pattern=(', undefined],
    ['GET', '/jobs/wait?state=done&timeout=99999999d', undefined],
    ['GET', '/jobs/1/sheets/0.png', undefined],
    ['GET', '/room?account=2', undefined],
    ['GET', '/runs/..%2F..%2Fpackage.json', undefined],
    ['POST', '/runs', { kind: 'run', scenario: '../package.json' }],
    ['POST', '/runs', { kind: 'shell' }],
    ['POST', '/deliveries/9999/redeliver', undefined],
    ['POST', '/jobs/9999/print-again', undefined],
  ])('refuses %s %s %j, and lives on', async (method, path, body) => {
    const answer = await ask(platen.url, method, path, {}, body === undefined ? '' : JSON.stringify(body));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(JSON.parse(answer.text)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(await platen.accounts.list()).toHaveLength(4);
  });
});

/** Values of every kind, at the place of a body and of each of its keys. */
const VALUES = [7, -1.5, 'zz', '', true, null, [], [7], {}, { zzqq: 1 }];

const BODIES = CONTROL_ROUTES.flatMap(({ method, path, body }) =>
  body ? [{ line: `${method} ${path}`, method, path, keys: knownKeys(body) }] : [],
);

/** What the library that checks values says when no one has put it in words. */
const RAW =
  /Invalid (input|option|string|number|key|URL)|Unrecognized|Too (small|big)|[Ee]xpected (a )?\w+, received|undefined/;

describe('bad requests', () => {
  let platen: StartedPlaten;
  beforeAll(async () => {
    platen = await start({ port: 0, clock: 'virtual', limits: 'off', room: 'none' });
  });
  afterAll(() => platen.close());

  async function refusal(method: string, path: string, body = ''): Promise<string> {
    const answer = await ask(platen.url, method, path.replaceAll(/\{\w+\}/g, '1'), {}, body);
    const { message = '' } = JSON.parse(answer.text) as { readonly message?: string };
    expect(answer.status).toBeLessThan(500);
    expect(message).not.toMatch(RAW);
    return answer.status < 400 ? '' : message;
  }

  it.each(BODIES)('puts in words what is wrong with a body of $line', async ({ method, path, keys }) => {
    expect(await refusal(method, path, '{"by":')).toMatch(/^the body is not JSON: .+/);
    await refusal(method, path);
    for (const value of VALUES) {
      await refusal(method, path, JSON.stringify(value));
      for (const key of keys) await refusal(method, path, JSON.stringify({ [key]: value }));
    }
  });

  it.each(BODIES.filter(({ keys }) => keys.length > 0))('names the keys of a body of $line', async (route) => {
    const { line, method, path, keys } = route;
    const takes = `(it takes ${keys.join(', ')})`;
    expect(await refusal(method, path, '7')).toBe(
      `the body of ${line}: must be an object of keys and values, not 7 ${takes}`,
    );
    expect(await refusal(method, path, '{"zzqq":1}')).toContain("there is no key 'zzqq' here");
    const misspelled = JSON.stringify({ [`${keys[0]}x`]: 1 });
    expect(await refusal(method, path, misspelled)).toContain(`did you mean '${keys[0]}'?`);
  });

  const NUMBERS = CONTROL_ROUTES.flatMap(({ method, path, query }) =>
    Object.entries(query?.shape ?? {}).flatMap(([key, schema]) =>
      schema.safeParse('-1').success ? [] : [[`${method} ${path}`, key] as const],
    ),
  );

  it.each(NUMBERS)('names what is wrong in the query of %s: %s', async (line, key) => {
    const [method = '', path = ''] = line.split(' ');
    const said = await refusal(method, `${path}?${key}=-1`);
    expect(said).toContain(`the query of ${line}: ${key}: `);
    expect(said).toMatch(/must be an integer from 0 to 9+|must be a duration such as|must be ipp or raw/);
  });
});

describe('bound beyond loopback', () => {
  let platen: StartedPlaten;
  beforeAll(async () => {
    platen = await start({ port: 0, host: '0.0.0.0', room: 'none', controlToken: TOKEN, apiKey: KEY });
  });
  afterAll(() => platen.close());

  it.each(EVERY_ROUTE.filter(([, path]) => path !== '/health'))('wants the token at %s %s', async (method, path) => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', basic(KEY).authorization]) {
      const answer = await ask(platen.url, method, path, { authorization, 'x-platen-page': '1' });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'ControlTokenWanted' });
      expect(answer.text).not.toContain(KEY);
    }
  });

  it('admits a caller that has it, and answers health without', async () => {
    expect((await ask(platen.url, 'GET', '/health')).status).toBe(200);
    await using connected = await connect(platen.url, { token: TOKEN });
    expect(connected.apiKey).toBe(KEY);
    await expect(connect(platen.url)).rejects.toThrow('control token');
  });
});
