/**
 * IPP server: the printers of a room on an HTTP port, each at a path of its own (RFC 8010, 4), with TLS (ipps) on
 * another.
 *
 *   POST /ipp/print/front-desk-laser   application/ipp ─► IppPrinter ─► application/ipp
 *   GET  /                             a page that names the printers
 *
 * Peers are hostile: bodies, headers and idle connections are limited, bytes that are not IPP get a status of
 * IPP, and everything else a status of HTTP. The certificate is made at the start and signed by itself.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import type { Clock } from '../../common/clock.ts';
import { selfSignedCertificate, serverNames } from '../../common/self-signed.ts';
import { MOST_DOCUMENT_BYTES, type HardwarePrinter } from '../hardware-printer.ts';
import { plainName, unusedName } from '../plain-name.ts';
import { hostInUri, LOOPBACK, TcpPort } from '../tcp-port.ts';
import { decodeMessage, encodeMessage, IppFormatError, type IppMessage } from './codec.ts';
import { responseTo } from './answer.ts';
import { IppPrinter } from './ipp-printer.ts';

export interface IppServerOptions {
  readonly clock: Clock;
  /** Loopback unless given. */
  readonly host?: string | undefined;
}

export type IppScheme = 'ipp' | 'ipps';
/** Scheme → URI, for the ports that are open. */
export type IppAddresses = Readonly<Partial<Record<IppScheme, string>>>;

const IPP_MEDIA_TYPE = 'application/ipp';
const PATH = '/ipp/print/';

/** A request must be there whole within this time, and its headers much sooner. */
const LIMITS = { requestTimeout: 120_000, headersTimeout: 10_000, keepAliveTimeout: 30_000 };
const MOST_CONNECTIONS = 256;

interface ServedPrinter {
  readonly hardware: HardwarePrinter;
  readonly ipp: IppPrinter;
  readonly uris: IppAddresses;
}

export class IppServer {
  readonly #options: IppServerOptions;
  readonly #ports = new Map<IppScheme, TcpPort>();
  readonly #printers = new Map<string, ServedPrinter>();

  constructor(options: IppServerOptions) {
    this.#options = options;
  }

  /** Opens a port; 0 takes a free one. Rejects as `listen` does, with EADDRINUSE and the like. */
  async listen(scheme: IppScheme, port: number): Promise<void> {
    const { host } = this.#options;
    const server =
      scheme === 'ipp'
        ? createServer(LIMITS)
        : createTlsServer({ ...(await selfSignedCertificate(serverNames(host ?? LOOPBACK))), ...LIMITS });
    server.on('request', (request, response) => void this.#serve(request, response));
    // A peer that goes away, or speaks something else than HTTP, concerns no other peer.
    server.on('clientError', (_error, socket) => socket.destroy());
    const opened = new TcpPort(server, { most: MOST_CONNECTIONS });
    await opened.listen({ host, port });
    this.#ports.set(scheme, opened);
  }

  /** Serves a printer, and says under which URIs. */
  add(hardware: HardwarePrinter): IppAddresses {
    const { clock, host } = this.#options;
    const name = plainName(`${hardware.computer}-${hardware.name}`) || 'printer';
    const path = unusedName((suffix) => `${PATH}${name}${suffix}`, this.#printers);
    const authorities = [...this.#ports].map(
      ([scheme, port]) => [scheme, `${hostInUri(host)}:${port.number}`] as const,
    );
    const uris = Object.fromEntries(
      authorities.map(([scheme, authority]) => [scheme, `${scheme}://${authority}${path}`]),
    );
    const [[scheme, authority] = ['ipp', '']] = authorities;
    const pageUrl = `${scheme === 'ipps' ? 'https' : 'http'}://${authority}/`;
    const ipp = new IppPrinter({ clock, printer: hardware, uris: Object.values(uris), pageUrl });
    this.#printers.set(path, { hardware, ipp, uris });
    return uris;
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
    await Promise.all([...this.#ports.values()].map((port) => port.close()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const served = this.#printers.get(path.replace(/\/\d*$/, '')) ?? this.#printers.get(path);
    const { socket } = request;
    if (served && (served.hardware.isSwitchedOff || !served.hardware.connections.admits(socket))) {
      return void socket.destroy();
    }
    if (request.method !== 'POST') return this.#sendPage(request, response);
    // A page that a browser happens to show, also by a name that leads here: no client of IPP sends this.
    if (request.headers.origin !== undefined) return refuse(response, 403, 'web pages may not print here');
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
      const lines = [...this.#printers.values()].flatMap(({ hardware, uris }) =>
        Object.values(uris).map((uri) => `${hardware.name}  ${uri}`),
      );
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
