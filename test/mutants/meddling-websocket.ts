/**
 * Meddling websocket: stands before a service and changes what it and its computers say on the link, message by
 * message. Everything that is not the link passes unchanged.
 *
 *   computer ──► toService ──► service        refusal: of the upgrade
 *            ◄── toComputer ◄──               closeCode, pings, protocol: of the connection
 */

import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocket, WebSocketServer } from 'ws';

import { portOf } from '../../src/common/port-of.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../../src/link/messages.ts';
import type { MeddlingProxy } from './meddling-proxy.ts';

export type LinkMessage = Readonly<Record<string, unknown>>;

/** A refused upgrade. */
export interface LinkRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection of a computer. */
export interface MeddledLine {
  /** The how-maniest of the proxy, from 0. */
  readonly index: number;
  /** Every connection so far, this one included. */
  readonly lines: readonly MeddledLine[];
  /** Job ids by the id of their delivery, and all deliveries, of the whole proxy. */
  readonly seen: {
    readonly jobs: Map<unknown, LinkMessage>;
    readonly acked: Set<unknown>;
    readonly finished: Set<unknown>;
  };
  toComputer(message: LinkMessage): void;
  toService(message: LinkMessage): void;
  /** Ends it from the side of the service. */
  close(code: number): void;
}

export interface FrameMeddling {
  readonly refusal?: (refusal: LinkRefusal, request: IncomingMessage) => Partial<LinkRefusal>;
  /** What the service gets in place of the credentials of an upgrade. */
  readonly credentials?: (authorization: string | undefined) => string | undefined;
  /** Picks the first that is offered. */
  readonly firstOffered?: true;
  readonly deflates?: true;
  readonly onOpen?: (line: MeddledLine) => void;
  /** What the service gets in place of a message. */
  readonly toService?: (message: LinkMessage, line: MeddledLine, bytes: number) => readonly (LinkMessage | string)[];
  /** What the computer gets in place of a message. */
  readonly toComputer?: (message: LinkMessage, line: MeddledLine) => readonly LinkMessage[];
  readonly closeCode?: (code: number) => number;
  readonly pings?: false;
}

const PAYLOAD_MAX_BYTES = 64 * 1024 * 1024;

export async function startMeddlingWebsocket(serviceUrl: string, meddling: FrameMeddling): Promise<MeddlingProxy> {
  const service = new URL(serviceUrl);
  const lines: MeddledLine[] = [];
  const seen = { jobs: new Map<unknown, LinkMessage>(), acked: new Set<unknown>(), finished: new Set<unknown>() };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: PAYLOAD_MAX_BYTES,
    perMessageDeflate: meddling.deflates === true,
    handleProtocols: (offered) => (meddling.firstOffered ? [...offered][0] : LINK_PROTOCOLS[0]) ?? false,
  });
  const server = createServer((incoming, outgoing) => pass(service, incoming, outgoing));
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const offered = (incoming.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
    const given = incoming.headers.authorization;
    const authorization = meddling.credentials ? meddling.credentials(given) : given;
    const upstream = new WebSocket(`ws://${service.host}${LINK_PATH}`, offered, {
      perMessageDeflate: false,
      maxPayload: PAYLOAD_MAX_BYTES,
      headers: authorization === undefined ? {} : { authorization },
    });
    upstream.on('error', () => undefined);
    upstream.on('unexpected-response', (_request, response: IncomingMessage) => {
      void refuse(response, incoming, socket, meddling);
      upstream.terminate();
    });
    upstream.on('open', () => {
      sockets.handleUpgrade(incoming, socket, head, (computer) => {
        lines.push(join(computer, upstream, { index: lines.length, lines, seen }, meddling));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function join(
  computer: WebSocket,
  upstream: WebSocket,
  place: Pick<MeddledLine, 'index' | 'lines' | 'seen'>,
  meddling: FrameMeddling,
): MeddledLine {
  const line: MeddledLine = {
    ...place,
    toComputer: (message) => computer.send(JSON.stringify(message)),
    toService: (message) => upstream.send(JSON.stringify(message)),
    close: (code) => computer.close(code),
  };
  computer.on('error', () => undefined);
  computer.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : parse(data);
    if (!message) return upstream.send(data, { binary: isBinary });
    const { seen } = place;
    if (message['type'] === 'ack') seen.acked.add(seen.jobs.get(message['id'])?.['jobId']);
    if (message['type'] === 'job-state' && message['state'] === 'done') seen.finished.add(message['jobId']);
    for (const one of meddling.toService?.(message, line, data.length) ?? [data.toString()]) {
      upstream.send(typeof one === 'string' ? one : JSON.stringify(one));
    }
  });
  upstream.on('message', (data: Buffer) => {
    const message = parse(data) ?? {};
    for (const one of meddling.toComputer?.(message, line) ?? [message]) line.toComputer(one);
    if (message['type'] === 'job') place.seen.jobs.set(message['id'], message);
  });
  upstream.on('ping', () => {
    if (meddling.pings !== false) computer.ping();
  });
  upstream.on('close', (code, reason) => {
    const given = meddling.closeCode?.(code) ?? code;
    if (given === 1005 || given === 1006) computer.terminate();
    else computer.close(given, reason);
  });
  computer.on('close', () => upstream.terminate());
  meddling.onOpen?.(line);
  return line;
}

function parse(data: Buffer): LinkMessage | undefined {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LinkMessage) : undefined;
  } catch {
    return undefined;
  }
}

async function refuse(
  response: IncomingMessage,
  incoming: IncomingMessage,
  socket: Duplex,
  { refusal: change }: FrameMeddling,
): Promise<void> {
  const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const given = { status: response.statusCode ?? 500, headers, body: Buffer.concat(chunks).toString() };
  const { status, headers: kept, body } = { ...given, ...change?.(given, incoming) };
  const lines = Object.entries(kept).filter(([name]) => !/^(content-length|transfer-encoding|connection)$/.test(name));
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function pass({ hostname, port }: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const upstream = forward({ host: hostname, port, method, path, headers });
  upstream.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 500, response.rawHeaders);
    response.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
}
