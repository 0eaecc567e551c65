/**
 * Reply sender: puts a finished reply on its connection, through a response or as bare bytes.
 *
 * A request may be answered before its body has arrived. A short rest is read and thrown away, and the
 * connection lives on; otherwise the answer says `Connection: close`, and the connection lingers.
 */

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { declaredLength, hasBody } from '../gate/request-body.ts';
import { cutLater, endAfter } from './lingering-close.ts';

/** Bodies up to this length are read to their end though nobody wants them. */
const DRAIN_MAX_BYTES = 1024 * 1024;

export interface FinishedReply {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string;
}

/** What is on the connection behind the headers of a request: its body, or something that is none. */
export type Remainder = 'body' | 'garbage';

export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: FinishedReply,
  remainder: Remainder,
): void {
  if (!hasBody(request) || request.complete || (remainder === 'body' && canDrain(request))) {
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
    return;
  }
  response.writeHead(reply.status, [...reply.headers, 'Connection', 'close']);
  // The length is in the headers: to the client this is the whole response.
  response.write(reply.body, () => {
    if (remainder === 'garbage') request.socket.end();
  });
  const finish = (): void => void response.end();
  request.on('error', finish);
  request.on('end', finish);
  request.resume();
  cutLater(request.socket);
}

/** For connections that have no response: upgrades that are refused, bytes that are no request. */
export function sendBareReply(socket: Duplex, { status, headers, body }: FinishedReply): void {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  endAfter(socket, `${head}\r\n${body}`);
}

/** A client that asked before sending (Expect) sends nothing after a refusal: its rest never comes. */
function canDrain(request: IncomingMessage): boolean {
  const length = declaredLength(request);
  return length !== undefined && length <= DRAIN_MAX_BYTES && request.headers.expect === undefined;
}
