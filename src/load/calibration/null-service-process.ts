/**
 * Null service: answers every request at once with a canned answer in the shape of a real one, and accepts computers
 * without ever sending them a job. It runs in a process of its own (null-service.ts): what a load measures against it
 * is the cost of the generator, its floor.
 *
 *   request ─► first matching row of ANSWERS ─► the same bytes each time, a fresh Request-Id
 */

import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { WebSocketServer, type WebSocket } from 'ws';

import { portOf } from '../../common/port-of.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../../link/messages.ts';
import {
  ACCESS_CONTROL_HEADERS,
  AUTHENTICATION_HEADERS,
  LIST_HEADERS,
  RESPONSE_HEADERS,
} from '../../specification/headers.ts';

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** Name, value, name, value …; the value of Request-Id is last, and replaced each time. */
  readonly headers: readonly string[];
}

const HEARTBEAT_MS = 30_000;

function answer(status: number, json: string, extra: Readonly<Record<string, string>> = {}): Answer {
  const body = Buffer.from(json);
  const { contentType, elapsed, responseTime, apiVersion, contentMd5, requestId } = RESPONSE_HEADERS;
  const { account, authWith } = AUTHENTICATION_HEADERS;
  const headers = {
    [contentType.name]: contentType.value,
    'Content-Length': String(body.length),
    [contentMd5.name]: hash('md5', body, 'base64'),
    [elapsed.name]: '0',
    [responseTime.name]: '0',
    [apiVersion.name]: '1.0.0',
    [account.name]: '1',
    [authWith.name]: authWith.value,
    ...Object.fromEntries(Object.values(ACCESS_CONTROL_HEADERS).map(({ name }) => [name, '*'])),
    ...extra,
    [requestId.name]: '',
  };
  return { status, body, headers: Object.entries(headers).flat() };
}

const EMPTY_LIST = {
  [LIST_HEADERS.returned.name]: '0',
  [LIST_HEADERS.offset.name]: '0',
  [LIST_HEADERS.limit.name]: '100',
  [LIST_HEADERS.total.name]: '0',
};

const ACCOUNT = { id: 1, firstname: '-', lastname: '-', email: 'null@example.test', creatorRef: null };

/** Method and path of a request begin with `start`; the first match answers. */
const ANSWERS: readonly (readonly [start: string, answer: Answer])[] = [
  ['POST /printjobs', answer(201, '1')],
  ['POST /account/tag', answer(200, '"created"')],
  ['POST /account', answer(201, JSON.stringify({ Account: ACCOUNT, ApiKeys: { platen: 'null' }, Tags: {} }))],
  ['DELETE /account', answer(200, 'true')],
  ['GET /account/tag', answer(200, '"load"')],
  ['GET /ping', answer(200, '"OK"')],
  ['GET /noop', answer(200, '"null"')],
  ['GET /whoami', answer(200, JSON.stringify({ ...ACCOUNT, canCreateSubAccounts: true }))],
  ['GET /printjobs/states', answer(200, '[]')],
  ['GET /printjobs', answer(200, '[]', EMPTY_LIST)],
  ['GET /printers', answer(200, '[]', EMPTY_LIST)],
  ['GET /computers', answer(200, '[]', EMPTY_LIST)],
  ['', answer(200, '[]')],
];

let requests = 0;

function serve(request: IncomingMessage, response: ServerResponse): void {
  const asked = `${request.method} ${request.url}`;
  const { status, headers, body } = answerTo(asked);
  const sent = [...headers];
  sent[sent.length - 1] = (++requests).toString(36);
  const reply = (): void => {
    response.writeHead(status, sent).end(body);
  };
  if (request.method === 'GET') return reply();
  request.on('end', reply).resume();
}

function answerTo(asked: string): Answer {
  for (const [start, found] of ANSWERS) if (asked.startsWith(start)) return found;
  throw new Error('the last row matches everything');
}

let computers = 0;

function welcome(socket: WebSocket): void {
  const computerId = ++computers;
  const say = (message: object): void => socket.send(JSON.stringify(message));
  socket.on('error', () => socket.terminate());
  socket.on('message', (data: Buffer) => {
    const { type, id } = JSON.parse(data.toString()) as { readonly type: string; readonly id?: string };
    if (type === 'hello') say({ type: 'welcome', computerId, accountId: 1, heartbeatMs: HEARTBEAT_MS });
    else if (id !== undefined && type !== 'ack') say({ type: 'ack', id });
  });
}

const server = createServer({ keepAliveTimeout: 600_000 }, serve);
const links = new WebSocketServer({
  server,
  path: LINK_PATH,
  perMessageDeflate: false,
  handleProtocols: () => LINK_PROTOCOLS[0],
});
links.on('connection', welcome);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${portOf(server)}` });
});
// Its parent is gone, or has ended it.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
