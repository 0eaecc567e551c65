/**
 * Meddling proxy: stands before a service and changes its answers, for rules that no single part of the
 * service holds.
 *
 *   suite ──► proxy ──► service        answers pass through `meddle`; upgrades pass untouched
 */

import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** An answer on its way, as a value. */
export interface PassingAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

export type Meddle = (
  answer: PassingAnswer,
) => Partial<Pick<PassingAnswer, 'status' | 'headers' | 'body'>> | undefined;

export interface MeddlingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function startMeddlingProxy(serviceUrl: string, meddle: Meddle): Promise<MeddlingProxy> {
  const service = new URL(serviceUrl);
  const server = createServer((incoming, outgoing) => pass(service, meddle, incoming, outgoing));
  server.on('upgrade', (incoming: IncomingMessage, socket, head) => {
    const upstream = connect(Number(service.port), service.hostname, () => {
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n`);
      for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
        upstream.write(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}\r\n`);
      }
      upstream.write('\r\n');
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    const end = (): void => {
      socket.destroy();
      upstream.destroy();
    };
    for (const side of [socket, upstream]) side.on('error', end).on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function pass(service: URL, meddle: Meddle, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', url: path = '/', rawHeaders: headers } = incoming;
  const upstream = forward({ host: service.hostname, port: service.port, method, path, headers });
  upstream.on('error', () => outgoing.destroy());
  upstream.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const answer = { method, path, status: response.statusCode ?? 0, headers: response.rawHeaders, body };
      send(outgoing, { ...answer, ...meddle(answer) });
    });
  });
  incoming.pipe(upstream);
}

function send(outgoing: ServerResponse, { status, headers, body }: PassingAnswer): void {
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== 'content-length' ? [name, headers[index + 1] ?? ''] : [],
  );
  outgoing.writeHead(status, [...kept, 'Content-Length', String(Buffer.byteLength(body))]);
  outgoing.end(body);
}
