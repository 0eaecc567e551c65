/**
 * Reply sender: puts a finished reply on its connection, through a response or as bare bytes.
 *
 * A request may be answered before its body has arrived. A short rest is read and dropped, and the connection
 * stays open. Otherwise the answer says `Connection: close`, and the connection lingers:
 *
 *   answer ─► our end closed ─► what still arrives is dropped ─► client closes, or time is up ─► gone
 *
 * If it closed at once, the operating system would reset the connection, and the client would see a broken
 * pipe in place of its 413. The time is real on purpose: this is about the network, not about the service.
 */

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { systemClock } from '../../common/clock.ts';
import { declaredLength, hasBody } from '../gate/request-body.ts';

const LINGER_MS = 10_000;

/** Bodies up to this length are read to their end, though they are not needed. */
const DRAIN_MAX_BYTES = 1024 * 1024;

export interface FinishedReply {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string;
  /** In place of `body`: where it is no text, or there is no need to encode it again. */
  readonly bytes?: Buffer | undefined;
}

/** What follows the headers of a request on the connection: its body, or something else. */
export type Remainder = 'body' | 'garbage';

export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: FinishedReply,
  remainder: Remainder,
): void {
  if (!hasBody(request) || request.complete || (remainder === 'body' && canDrain(request))) {
    // A body that was left in the middle.
    if (!request.complete) request.resume();
    response.writeHead(reply.status, reply.headers);
    response.end(reply.bytes ?? reply.body);
    return;
  }
  response.writeHead(reply.status, [...reply.headers, 'Connection', 'close']);
  // The length is in the headers: to the client this is the whole response.
  response.write(reply.bytes ?? reply.body, () => {
    if (remainder === 'garbage') request.socket.end();
  });
  const finish = (): void => void response.end();
  request.on('error', finish);
  request.on('end', finish);
  request.resume();
  cutLater(request.socket);
}

/** For connections without a response object: refused upgrades, bytes that are not a request. */
export function sendBareReply(socket: Duplex, { status, headers, body }: FinishedReply): void {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n`;
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  // The client may be gone before its answer arrives.
  socket.on('error', () => undefined);
  socket.end(`${head}\r\n${body}`);
  socket.resume();
  cutLater(socket);
}

/** A client that asked before sending (Expect) sends nothing after a refusal: its rest never comes. */
function canDrain(request: IncomingMessage): boolean {
  const length = declaredLength(request);
  return length !== undefined && length <= DRAIN_MAX_BYTES && request.headers.expect === undefined;
}

/** Cuts the connection if it is still open after a while. */
function cutLater(socket: Duplex): void {
  const timer = systemClock.schedule(LINGER_MS, () => socket.destroy());
  socket.once('close', () => timer.cancel());
}
