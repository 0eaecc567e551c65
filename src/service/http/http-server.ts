/**
 * HTTP server settings: what a program that listens for the service gives to node:http, so that limits and
 * refusals are the same everywhere.
 *
 *   const server = createServer(serverOptions());
 *   attachService(server, service);
 *
 * The time limits are node's own, in real time: they are about clients that stall on the network, and a
 * virtual clock that jumps over days must not cut an upload that is under way.
 */

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';

import { badRequest, headersTooLarge, requestTimeout, type ApiError } from '../gate/api-error.ts';

/** Room for a set of 10,000 ids of 16 digits with percent-encoded commas. */
const HEADER_MAX_BYTES = 256 * 1024;

/** How long a connection may take, in real milliseconds. */
export interface ConnectionLimits {
  /** Between a response and the next request. */
  readonly idleMs: number;
  /** For the request line and the headers, from the first moment of the connection. */
  readonly headersMs: number;
  /** For the whole request with its body. */
  readonly requestMs: number;
}

const DEFAULT_LIMITS: ConnectionLimits = { idleMs: 75_000, headersMs: 30_000, requestMs: 300_000 };

/** How often node looks for connections that take too long. */
const CHECK_INTERVAL_MS = 5_000;

export function serverOptions(limits: Partial<ConnectionLimits> = {}): ServerOptions {
  const { idleMs, headersMs, requestMs } = { ...DEFAULT_LIMITS, ...limits };
  return {
    maxHeaderSize: HEADER_MAX_BYTES,
    keepAliveTimeout: idleMs,
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersMs, requestMs),
    // The service refuses a request without Host itself, with an error object.
    requireHostHeader: false,
    // Clients that offer HTTP/2 on the side (`Upgrade: h2c`) are served as if they did not.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  };
}

/** Gets the requests and connections of a server. */
export interface HttpFront {
  /** @param refusal - of the program that listens: the answer, whatever is asked */
  handle(request: IncomingMessage, response: ServerResponse, refusal?: ApiError): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, refusal?: ApiError): void;
  /** Refuses a connection that took too long, or on which something else than a request arrived. */
  reject(error: Error, socket: Duplex): void;
}

export function attachService(server: Server | TlsServer, front: HttpFront): void {
  const handle = (request: IncomingMessage, response: ServerResponse): void => front.handle(request, response);
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    front.upgrade(request, socket, head);
  server.on('request', handle);
  // Requests with an Expect header come here: the service says when it wants the body.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('upgrade', upgrade);
  server.on('connect', upgrade);
  server.on('clientError', (error, socket) => front.reject(error, socket));
}

/** The answer to an error that node:http found on a connection. */
export function connectionRefusal(error: Error): ApiError {
  switch ('code' in error ? error.code : undefined) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge(HEADER_MAX_BYTES);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    default:
      return badRequest(`this is not a valid HTTP request: ${error.message}`);
  }
}
