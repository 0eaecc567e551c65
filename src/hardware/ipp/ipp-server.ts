/**
 * IPP server: the printers of a room on one HTTP port, each at a path of its own (RFC 8010, 4).
 *
 *   POST /ipp/print/front-desk-laser   application/ipp ─► IppPrinter ─► application/ipp
 *   GET  /                             a page that names the printers
 *
 * Peers are hostile: bodies, headers and idle connections are limited, bytes that are not IPP get a status of
 * IPP, and everything else a status of HTTP. With a certificate the same port speaks TLS (ipps).
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import type { Clock } from '../../common/clock.ts';
import { MOST_DOCUMENT_BYTES, type HardwarePrinter } from '../hardware-printer.ts';
import { plainName, unusedName } from '../plain-name.ts';
import { hostInUri, TcpPort, type PortAddress } from '../tcp-port.ts';
import { decodeMessage, encodeMessage, IppFormatError, type IppMessage } from './codec.ts';
import { responseTo } from './answer.ts';
import { IppPrinter } from './ipp-printer.ts';

export interface IppServerOptions extends PortAddress {
  readonly clock: Clock;
  /** PEM texts; without them the server speaks plain HTTP. */
  readonly certificate?: { readonly key: string; readonly cert: string } | undefined;
}

export const IPP_MEDIA_TYPE = 'application/ipp';
const PATH = '/ipp/print/';

/** A request must be there whole within this time, and its headers much sooner. */
const REQUEST_MS = 120_000;
const HEADERS_MS = 10_000;
const IDLE_MS = 30_000;

interface ServedPrinter {
  readonly hardware: HardwarePrinter;
  readonly ipp: IppPrinter;
  readonly uri: string;
}

export class IppServer {
  readonly #options: IppServerOptions;
  readonly #port: TcpPort;
  readonly #printers = new Map<string, ServedPrinter>();

  private constructor(options: IppServerOptions) {
    this.#options = options;
    const { certificate } = options;
    const limits = { requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS, keepAliveTimeout: IDLE_MS };
    const server = certificate ? createTlsServer({ ...certificate, ...limits }) : createServer(limits);
    server.on('request', (request, response) => void this.#serve(request, response));
    // A peer that goes away, or speaks something else than HTTP, concerns no other peer.
    server.on('clientError', (_error, socket) => socket.destroy());
    this.#port = new TcpPort(server);
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  static async start(options: IppServerOptions): Promise<IppServer> {
    const server = new IppServer(options);
    await server.#port.listen(options);
    return server;
  }

  get port(): number {
    return this.#port.number;
  }

  /** Serves a printer, and says under which URI. */
  add(hardware: HardwarePrinter): string {
    const { clock, host, certificate } = this.#options;
    const name = plainName(`${hardware.computer}-${hardware.name}`) || 'printer';
    const path = unusedName((suffix) => `${PATH}${name}${suffix}`, this.#printers);
    const authority = `${hostInUri(host)}:${this.port}`;
    const uri = `${certificate ? 'ipps' : 'ipp'}://${authority}${path}`;
    const pageUrl = `${certificate ? 'https' : 'http'}://${authority}/`;
    const ipp = new IppPrinter({ clock, printer: hardware, uris: [uri], pageUrl });
    this.#printers.set(path, { hardware, ipp, uri });
    return uri;
  }

  remove(hardware: HardwarePrinter): void {
    for (const [path, { hardware: one, ipp }] of this.#printers) {
      if (one !== hardware) continue;
      ipp.close();
      this.#printers.delete(path);
    }
  }

  async close(): Promise<void> {
    for (const { ipp } of this.#printers.values()) ipp.close();
    this.#printers.clear();
    await this.#port.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const served = this.#printers.get(path.replace(/\/\d*$/, '')) ?? this.#printers.get(path);
    const { socket } = request;
    if (served && (served.hardware.isSwitchedOff || !served.hardware.connections.admits(socket))) {
      return void socket.destroy();
    }
    if (request.method !== 'POST') return this.#sendPage(request, response);
    if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== IPP_MEDIA_TYPE) {
      return refuse(response, 415, `the content type must be ${IPP_MEDIA_TYPE}`);
    }
    const body = await bodyOf(served ? served.hardware.connections.received(request) : request);
    if (body === 'too large') refuse(response, 413, `the body is larger than ${MOST_DOCUMENT_BYTES} bytes`);
    else if (body === 'cut off') response.destroy();
    else if (served === undefined) refuse(response, 404, `no printer at ${path}`);
    else await answer(served, body, response);
  }

  #sendPage({ method, url }: IncomingMessage, response: ServerResponse): void {
    if (method !== 'GET' && method !== 'HEAD') refuse(response, 405, 'IPP requests are POST requests');
    else if (url !== '/') refuse(response, 404, 'the printers are listed at /');
    else {
      const lines = [...this.#printers.values()].map(({ hardware, uri }) => `${hardware.name}  ${uri}`);
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(`platen: virtual printers\n\n${lines.join('\n')}\n`);
    }
  }
}

async function answer({ hardware, ipp }: ServedPrinter, body: Buffer, response: ServerResponse): Promise<void> {
  const message = decoded(body);
  if (message instanceof IppFormatError) return send(response, unreadReply(body, message));
  const hasDocument = message.data.length > 0;
  if (hasDocument && hardware.has('drops-connection')) return void response.destroy();
  const reply = await ipp.handle(message);
  if (hasDocument && hardware.has('drops-answer')) return void response.destroy();
  send(response, reply);
}

function send(response: ServerResponse, reply: IppMessage): void {
  response.setHeader('content-type', IPP_MEDIA_TYPE);
  response.end(encodeMessage(reply));
}

function decoded(body: Buffer): IppMessage | IppFormatError {
  try {
    return decodeMessage(body);
  } catch (error) {
    if (error instanceof IppFormatError) return error;
    throw error;
  }
}

function unreadReply(body: Buffer, { message }: IppFormatError): IppMessage {
  const requestId = body.length >= 8 ? body.readInt32BE(4) : 0;
  const unread = { version: { major: 1, minor: 1 }, code: 0, requestId, groups: [], data: body };
  return responseTo(unread, { status: 'client-error-bad-request', message });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`);
}

async function bodyOf(pieces: AsyncIterable<Buffer>): Promise<Buffer | 'too large' | 'cut off'> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of pieces) {
      length += chunk.length;
      if (length > MOST_DOCUMENT_BYTES) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    return 'cut off';
  }
  return Buffer.concat(chunks);
}
