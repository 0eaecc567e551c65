/**
 * A service that does nothing but hold computers, in several processes behind one address: welcomes, acknowledges,
 * lists the printers of an account, and counts who is there.
 *
 *   computers ──► one port ──► process 1, 2, 3 ── who is there ──► this process ──► its parent
 *
 * The processes share nothing: the id of a computer is the number in its name (`Shop 17`), and an account has
 * every computer that the plan of a load gives it, whichever process holds the link.
 *
 * Usage: fork('null-link-service.ts', ['{"processes", "computers", "accounts", "printers"}'])
 * Sends {url} when it listens, and then {seen} whenever that has changed. Ends when it is disconnected.
 */

import cluster from 'node:cluster';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { WebSocketServer, type WebSocket } from 'ws';

import { systemClock } from '../../../src/common/clock.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { decodeComputerMessage, encodeMessage } from '../../../src/link/codec.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../../../src/link/messages.ts';

export interface NullLinkSettings {
  readonly processes: number;
  readonly computers: number;
  readonly accounts: number;
  /** Names of the printers that each computer has. */
  readonly printers: readonly string[];
}

/** The computers of one account. */
export interface Seen {
  connected: number;
  /** When the first one and the last one came, in milliseconds since the epoch. */
  firstMs: number;
  lastMs: number;
}

/** By account. */
export type SeenByAccount = Readonly<Record<string, Seen>>;

const { processes, computers, accounts, printers } = JSON.parse(process.argv[2] ?? '{}') as NullLinkSettings;
const TELL_EVERY_MS = 100;
const HEARTBEAT_MS = 30_000;

if (cluster.isPrimary) beginAll();
else serve();
process.on('disconnect', () => process.exit(0));

/** Starts the processes, and adds up what they see. */
function beginAll(): void {
  const seenBy = new Map<number, SeenByAccount>();
  let ready = 0;
  cluster.on('message', (worker, message: { readonly url?: string; readonly seen?: SeenByAccount }) => {
    if (message.seen) seenBy.set(worker.id, message.seen);
    if (message.seen) process.send?.({ seen: sumOf([...seenBy.values()]) });
    if (message.url !== undefined && ++ready === processes) process.send?.({ url: message.url });
  });
  for (let child = 0; child < processes; child++) cluster.fork();
}

function sumOf(parts: readonly SeenByAccount[]): SeenByAccount {
  const sum: Record<string, Seen> = {};
  for (const [account, seen] of parts.flatMap((part) => Object.entries(part))) {
    const before = sum[account];
    sum[account] = {
      connected: seen.connected + (before?.connected ?? 0),
      firstMs: Math.min(seen.firstMs, before?.firstMs ?? Infinity),
      lastMs: Math.max(seen.lastMs, before?.lastMs ?? 0),
    };
  }
  return sum;
}

function serve(): void {
  const seen: Record<string, Seen> = {};
  let isTold = true;
  const server = createServer(answer);
  const links = new WebSocketServer({
    server,
    path: LINK_PATH,
    perMessageDeflate: false,
    handleProtocols: () => LINK_PROTOCOLS[0],
  });
  links.on('connection', (socket, request) => {
    const account = accountOf(request);
    hold(socket, (change) => {
      const nowMs = systemClock.now();
      const of = (seen[account] ??= { connected: 0, firstMs: nowMs, lastMs: nowMs });
      of.connected += change;
      if (change > 0) of.lastMs = nowMs;
      isTold = false;
    });
  });
  systemClock.beat(TELL_EVERY_MS, () => {
    if (!isTold) process.send?.({ seen });
    isTold = true;
  });
  // Each process of a cluster that asks for any port is given the same one.
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${portOf(server)}` });
  });
}

/** A computer counts from its report of printers on: then it is known. */
function hold(socket: WebSocket, count: (change: 1 | -1) => void): void {
  let isCounted = false;
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    if (isCounted) count(-1);
  });
  socket.on('message', (data, isBinary) => {
    const decoded = decodeComputerMessage(data, isBinary);
    if (!decoded.ok) throw new Error(decoded.error.what);
    const message = decoded.value;
    if (message.type === 'hello') {
      const computerId = Number(message.client.computerName.split(' ').at(-1));
      socket.send(encodeMessage({ type: 'welcome', computerId, accountId: 1, heartbeatMs: HEARTBEAT_MS }));
    } else if ('id' in message && message.type !== 'ack') {
      socket.send(encodeMessage({ type: 'ack', id: message.id }));
    }
    if (message.type === 'printers' && !isCounted) count(1);
    isCounted ||= message.type === 'printers';
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.stringify(valueOf(request, Buffer.concat(chunks).toString()));
    response.setHeader('Content-Type', 'application/json');
    response.writeHead(request.method === 'POST' ? 201 : 200).end(body);
  });
}

function valueOf(request: IncomingMessage, body: string): unknown {
  const { method = '', url = '' } = request;
  if (method === 'POST') return newAccount(body);
  if (url.startsWith('/printers')) return printersOf(Number(accountOf(request)), url);
  return 'OK';
}

/** Its number in the plan is the end of its reference, and its key. */
function newAccount(body: string): unknown {
  const { Account } = JSON.parse(body) as { readonly Account: { readonly creatorRef: string } };
  const number = Number(Account.creatorRef.split('-').at(-1));
  return { Account: { ...Account, id: number + 1 }, ApiKeys: { load: String(number) }, Tags: {} };
}

function accountOf({ headers: { authorization = '' } }: IncomingMessage): string {
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString().replace(/:$/, '');
}

/** A page of the printers of an account, oldest first. */
function printersOf(account: number, url: string): unknown {
  const asked = new URL(url, 'http://localhost').searchParams;
  const limit = Number(asked.get('limit'));
  const after = Number(asked.get('after') ?? 0);
  const page: { id: number; name: string | undefined; computer: { id: number } }[] = [];
  // Computer 1 is that of account 0, computer 2 that of account 1, and so on, round and round.
  const last = Math.max(0, Math.floor((after - 1) / printers.length));
  const first = last - ((last - account + accounts) % accounts);
  for (let index = Math.max(account, first); index < computers; index += accounts) {
    for (const [place, name] of printers.entries()) {
      const id = index * printers.length + place + 1;
      if (id > after && page.length < limit) page.push({ id, name, computer: { id: index + 1 } });
    }
    if (page.length >= limit) break;
  }
  return page;
}
