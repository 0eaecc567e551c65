import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { afterEach, expect, it } from 'vitest';

import { ActionableError } from '../../../src/common/actionable-error.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { selfSignedCertificate } from '../../../src/common/self-signed.ts';
import { remoteTarget, type RemoteTargetOptions } from '../../../src/targets/remote.ts';
import { capabilitiesOf } from '../../../src/targets/target.ts';

const servers: { close(): unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf(server)}`;
}

async function problemOf(url: string, more: Pick<RemoteTargetOptions, 'secondApiKey'> = {}): Promise<ActionableError> {
  const options = { url, apiKey: 'secret-key', preflightLimitMs: 200, ...more };
  const outcome = await remoteTarget(options).catch((error: unknown) => error);
  if (!(outcome instanceof ActionableError)) throw new Error('the preflight let it pass');
  return outcome;
}

it('takes a service that answers, with a slash at the end of the address or not', async () => {
  const url = await serve((_, response) => response.end('{}'));
  const target = await remoteTarget({ url: `${url}/`, apiKey: 'k' });
  expect(target).toMatchObject({ kind: 'remote', baseUrl: url, name: url });
  expect(capabilitiesOf(target)).toEqual([]);
});

it.each([true, false])('learns whether the account may create Child Accounts: %s', async (may) => {
  const url = await serve((_, response) => response.end(JSON.stringify({ canCreateSubAccounts: may })));
  const target = await remoteTarget({ url, apiKey: 'k' });
  expect(capabilitiesOf(target).includes('integrator')).toBe(may);
});

it.each([
  { can_create_sub_accounts: true },
  { account: { canCreateSubAccounts: true } },
  [{ CanCreateSubAccounts: true }],
])('learns it from %j too', async (account) => {
  const url = await serve((_, response) => response.end(JSON.stringify(account)));
  await expect(remoteTarget({ url, apiKey: 'k' })).resolves.toMatchObject({ isIntegrator: true });
});

it.each([true, undefined])('is told that it is %s where the service does not say it', async (isIntegrator) => {
  const url = await serve((_, response) => response.end('{"id": 1}'));
  expect((await remoteTarget({ url, apiKey: 'k', isIntegrator })).isIntegrator).toBe(isIntegrator);
});

it.each([201, 204, 404])('takes a service whose /ping answers %i, which a check complains of', async (status) => {
  const url = await serve(({ url: path }, response) =>
    response.writeHead(path === '/ping' ? status : 200).end('{"a": 1}'),
  );
  await expect(remoteTarget({ url, apiKey: 'k' })).resolves.toMatchObject({ kind: 'remote' });
});

it('takes a server that answers nonsense beyond /ping: what is wrong with it is for the checks to say', async () => {
  const url = await serve(({ url: path }, response) => response.writeHead(path === '/ping' ? 200 : 500).end('oops'));
  await expect(remoteTarget({ url, apiKey: 'k' })).resolves.toMatchObject({ kind: 'remote' });
});

it('takes a service that wants a key for /ping, which a check complains of', async () => {
  const url = await serve(({ headers }, response) =>
    response.writeHead(headers.authorization === undefined ? 401 : 200).end('{}'),
  );
  await expect(remoteTarget({ url, apiKey: 'k' })).resolves.toMatchObject({ kind: 'remote' });
});

it('refuses a server that answers GET /ping with another status, and shows the answer', async () => {
  const url = await serve((_, response) => response.writeHead(404).end('{"code":"NotFound"}'));
  expect(await problemOf(`${url}/v2`)).toMatchObject({
    kind: 'unreachable',
    message: `${url}/v2 is not a printing service: GET /ping answers 404, with {"code":"NotFound"}`,
    nextStep: expect.stringContaining('base address of the API') as string,
  });
});

it('says of a server that answers 503 that it is not available, whatever page it shows', async () => {
  const url = await serve((_, response) =>
    response.writeHead(503, { 'Content-Type': 'text/html' }).end('<html>Back soon</html>'),
  );
  expect(await problemOf(url)).toMatchObject({
    kind: 'unreachable',
    message: `${url} is not available: GET /ping answers 503`,
    nextStep: expect.stringContaining('try again') as string,
  });
});

it.each([
  ['says hello to every path', () => 200],
  ['has a /ping and nothing else', (path: string) => (path === '/ping' ? 200 : 404)],
])('refuses a server that %s', async (_, statusOf) => {
  const url = await serve(({ url: path = '' }, response) =>
    response.writeHead(statusOf(path), { 'Content-Type': 'text/plain' }).end('hello'),
  );
  expect(await problemOf(url)).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining(`${url} is not a printing service: it answers /noop `) as string,
  });
});

it('asks about HTTPS where a port does not speak HTTP in the clear', async () => {
  const server = createTlsServer(await selfSignedCertificate(['localhost']));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  expect(await problemOf(`http://127.0.0.1:${port}`)).toMatchObject({
    kind: 'unreachable',
    nextStep: expect.stringContaining('https://') as string,
  });
});

it.each(['/_platen', '/_platen/', '/_platen/jobs/4'])(
  'leads from the address of the page, %s, to that of the service',
  async (path) => {
    const url = await serve((_, response) => response.writeHead(404).end('{}'));
    const { nextStep } = await problemOf(url + path);
    expect(nextStep).toMatch(new RegExp(`Its service is at ${url}$`));
  },
);

it('explains that nothing listens', async () => {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  const problem = await problemOf(`http://127.0.0.1:${port}`);
  expect(problem.kind).toBe('unreachable');
  expect(problem.message).toContain(`http://127.0.0.1:${port} does not answer GET /ping (connection refused)`);
});

it('explains that the answer is no HTTP', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.end('220 smtp\r\n'));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const problem = await problemOf(`http://127.0.0.1:${portOf(server)}`);
  expect(problem).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('(the answer is not HTTP)') });
});

it('explains a service that never answers', async () => {
  const problem = await problemOf(await serve(() => undefined));
  expect(problem).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('(timeout') });
});

it('explains a web site', async () => {
  const url = await serve((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end('<!doctype html><h1>Hello</h1>');
  });
  const problem = await problemOf(url);
  expect(problem).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('HTML') });
});

it('names the place a redirect leads to', async () => {
  const url = await serve((_, response) => response.writeHead(301, { Location: 'https://else.example/' }).end());
  const problem = await problemOf(url);
  expect(problem.kind).toBe('unreachable');
  expect(problem.message).toContain('https://else.example/');
});

it('says that the key was refused, without showing it', async () => {
  const url = await serve((request, response) => response.writeHead(request.url === '/ping' ? 200 : 401).end('{}'));
  const problem = await problemOf(url);
  expect(problem.kind).toBe('usage');
  expect(problem.message).toContain('refused the API key');
  expect(problem.message + problem.nextStep).not.toContain('secret-key');
});

it.each([
  ['403 to everything', () => 403],
  ['404 to a key that it does not know', (key: string | undefined) => (key === undefined ? 401 : 404)],
] as const)('takes a key for wrong where a service answers %s', async (_, statusOf) => {
  const url = await serve((request, response) =>
    response.writeHead(request.url === '/ping' ? 200 : statusOf(request.headers.authorization)).end('{"a": 1}'),
  );
  expect(await problemOf(url)).toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('refused the API key'),
  });
});

it('goes on with a service that takes the key at one endpoint', async () => {
  const url = await serve((request, response) =>
    response.writeHead(request.url === '/noop' ? 403 : 200).end('{"id": 1}'),
  );
  await expect(remoteTarget({ url, apiKey: 'secret-key' })).resolves.toMatchObject({ baseUrl: url });
});

it('gives up on a service that answers 429 to everything, after a while', async () => {
  const url = await serve((_, response) => response.writeHead(429).end('{}'));
  expect(await problemOf(url)).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('answers 429') });
});

it('says that it was the second key that was refused', async () => {
  const url = await serve((request, response) =>
    response.writeHead(request.headers.authorization === `Basic ${btoa('second:')}` ? 401 : 200).end('{}'),
  );
  const problem = await problemOf(url, { secondApiKey: 'second' });
  expect(problem).toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('refused the second API key: GET /noop answered 401') as string,
    nextStep: expect.stringContaining('--second-key') as string,
  });
});

it('refuses one key for two accounts', async () => {
  const url = await serve((_, response) => response.end('{}'));
  expect(await problemOf(url, { secondApiKey: 'secret-key' })).toMatchObject({
    kind: 'usage',
    message: 'the second API key is the same as the first',
  });
});

it.each(['nonsense', 'ftp://host', 'http://user:pw@host', 'http://host/?a=1'])(
  'calls %s a wrong use of the command',
  async (url) => {
    expect(await problemOf(url)).toMatchObject({ kind: 'usage' });
  },
);
