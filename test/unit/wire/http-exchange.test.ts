import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { portOf } from '../../../src/common/port-of.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { headerValues } from '../../../src/common/header-pairs.ts';
import { createHttpSender, type HttpRequest, type HttpSender } from '../../../src/wire/http-exchange.ts';

type Answer = (socket: Socket, request: string) => void;

let server: Server;
let sender: HttpSender;
let answer: Answer;
let seen: string[];
const sockets = new Set<Socket>();

beforeEach(async () => {
  seen = [];
  server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      seen.push(chunk.toString('latin1'));
      answer(socket, chunk.toString('latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sender = createHttpSender({ limitMs: 300, responseMaxBytes: 1_000 });
});

afterEach(async () => {
  await sender.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

function get(path: string, more: Partial<HttpRequest> = {}): HttpRequest {
  const port = portOf(server);
  return { method: 'GET', baseUrl: `http://127.0.0.1:${port}`, path, headers: [], ...more };
}

it('keeps status, header pairs in order and case, and body bytes as they came', async () => {
  answer = (socket) =>
    socket.write('HTTP/1.1 418 Odd\r\nx-B: 1\r\nX-a:  two \t\r\nx-B: 3\r\nContent-Length: 2\r\n\r\n\xff\x00', 'latin1');
  const outcome = await sender.send(get('/ping'));
  if (!outcome.ok) throw new Error(outcome.error.message);
  expect(outcome.value.response.status).toBe(418);
  expect(outcome.value.response.headers).toEqual([
    ['x-B', '1'],
    ['X-a', 'two'],
    ['x-B', '3'],
    ['Content-Length', '2'],
  ]);
  expect([...outcome.value.response.body]).toEqual([0xff, 0x00]);
  expect(headerValues(outcome.value.response.headers, 'X-B')).toEqual(['1', '3']);
  expect(outcome.value.receivedMs).toBeGreaterThanOrEqual(outcome.value.sentMs);
});

it('sends path, header case and body as they are given, after the prefix of the base address', async () => {
  answer = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const base = get('/');
  await sender.send({
    ...base,
    method: 'POST',
    baseUrl: `${base.baseUrl}/api/`,
    path: '//account?x=1%2C2',
    headers: [['x-OddCase', 'v']],
    body: 'hi',
  });
  expect(seen.join('')).toMatch(/^POST \/api\/\/account\?x=1%2C2 HTTP\/1\.1\r\n/);
  expect(seen.join('')).toContain('\r\nx-OddCase: v\r\n');
  expect(seen.join('')).toMatch(/\r\n\r\nhi$/);
});

it('follows no redirect', async () => {
  answer = (socket) => socket.write('HTTP/1.1 302 Found\r\nLocation: /else\r\nContent-Length: 0\r\n\r\n');
  const outcome = await sender.send(get('/here'));
  expect(outcome.ok && outcome.value.response.status).toBe(302);
  expect(seen).toHaveLength(1);
});

it.each<[string, string, Answer]>([
  ['reset', 'a connection that breaks before the answer', (socket) => socket.destroy()],
  ['reset', 'a body cut in the middle', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort')],
  ['timeout', 'silence', () => undefined],
  ['timeout', 'a body that never ends', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')],
  ['not-http', 'another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n')],
  [
    'too-large',
    'an answer past the cap',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`),
  ],
])('answers a failure of kind %s for %s', async (kind, _, behaviour) => {
  answer = behaviour;
  const outcome = await sender.send(get('/'));
  expect(outcome).toMatchObject({ ok: false, error: { kind, request: { path: '/' } } });
});

it('answers a failure of kind refused where nothing listens', async () => {
  const request = get('/');
  await new Promise((resolve) => server.close(resolve));
  expect(await sender.send(request)).toMatchObject({ ok: false, error: { kind: 'refused' } });
  server.listen(0);
});

it('answers a failure of kind no-tls where the port speaks plain HTTP', async () => {
  answer = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
  const secure = get('/').baseUrl.replace('http:', 'https:');
  expect(await sender.send(get('/', { baseUrl: secure }))).toMatchObject({ ok: false, error: { kind: 'no-tls' } });
});

it('answers a failure of kind unresolved for an unknown host', async () => {
  const outcome = await sender.send(get('/', { baseUrl: 'http://no-such-host.invalid' }));
  expect(outcome).toMatchObject({ ok: false, error: { kind: 'unresolved' } });
});

it('holds a virtual clock while a request is under way', async () => {
  const clock = new VirtualClock();
  const patient = createHttpSender({ clock });
  const heldDuring: string[] = [];
  answer = (socket) => {
    heldDuring.push(...clock.heldBy);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  };
  await patient.send(get('/ping'));
  expect(heldDuring).toEqual(['GET /ping']);
  expect(clock.heldBy).toEqual([]);
  await patient.close();
});

/** Answers 401 as soon as it has a head with a body, which stays on the connection. */
function leavingBodies(): Answer {
  const left = new Map<Socket, string>();
  return (socket, chunk) => {
    const text = (left.get(socket) ?? '') + chunk;
    const [head, body = ''] = text.split('\r\n\r\n');
    left.set(socket, text.includes('\r\n\r\n') ? body : text);
    if (!text.includes('\r\n\r\n')) return;
    if (head?.startsWith('GET ')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    else if (head?.startsWith('POST ')) socket.write('HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}');
    else socket.end('HTTP/1.1 501 No\r\nConnection: close\r\nContent-Length: 4\r\n\r\noops');
  };
}

it('repeats on a fresh connection what a service answers to a body that it has left unread', async () => {
  answer = leavingBodies();
  const refused = await sender.send(get('/printjobs', { method: 'POST', body: '{"qty":1}' }));
  // One connection may not be free yet, and another one is opened.
  const others = [await sender.send(get('/noop')), await sender.send(get('/noop'))];
  const next = others.find((one) => one.ok && one.value.unreadBefore);
  expect(refused).toMatchObject({ ok: true, value: { response: { status: 401 } } });
  expect(next).toMatchObject({
    ok: true,
    value: { response: { status: 200 }, unreadBefore: refused.ok && refused.value },
  });
});

it('takes an answer for what it is where a fresh connection gets the same', async () => {
  answer = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 4\r\n\r\noops');
  for (let sent = 0; sent < 15; sent++) {
    const outcome = await sender.send(get('/printjobs', { method: 'POST', body: '{}' }));
    expect(outcome).toMatchObject({ ok: true, value: { response: { status: 400 } } });
    expect(outcome.ok && outcome.value.unreadBefore).toBeUndefined();
  }
  // It is asked ten times whether it gets another one.
  expect(seen).toHaveLength(25);
});
