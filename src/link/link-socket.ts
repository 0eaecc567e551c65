/**
 * Link socket: a WebSocket towards a service, with one owner that hears everything.
 *
 * Ten thousand of them live in one process. The listeners are therefore shared functions that find
 * the owner through the socket, instead of closures for each; and a socket that has lost its owner
 * falls silent, so that nothing late from an old connection is ever taken for something new.
 */

import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, type ClientOptions, type RawData } from 'ws';

import { basicAuthorization } from '../common/basic-authorization.ts';
import { closeReason, LINK_PATH, LINK_PROTOCOLS, SERVICE_FRAME_MAX_BYTES } from './messages.ts';
import type { LinkRequest } from './device-link.ts';
import { writesOfTurn } from './gathered-writes.ts';

export interface SocketOwner {
  opened?(): void;
  /** The service answered the upgrade with an ordinary response. */
  refused?(response: IncomingMessage): void;
  frame(data: RawData, isBinary: boolean): void;
  /** A ping or a pong came. */
  heard(): void;
  failed(error: Error): void;
  ended(code: number, reason: string): void;
}

/** How long a peer may take to answer a goodbye before its socket is destroyed. */
const CLOSE_TIMEOUT_MS = 2_000;

export class LinkSocket extends WebSocket {
  owner: SocketOwner | undefined;
  /** What the frames are written to, once the connection is open. */
  stream: Socket | undefined;

  /** Begins to connect. @throws TypeError or SyntaxError when the request's address is not an address */
  constructor(request: LinkRequest, owner: SocketOwner) {
    super(linkAddress(request.serviceUrl), [...LINK_PROTOCOLS], socketOptions(request));
    this.owner = owner;
    this.on('upgrade', onUpgrade);
    this.on('open', onOpen);
    this.on('unexpected-response', onResponse);
    this.on('error', onError);
  }

  /** Host and port of this end, as the service sees them. */
  get address(): string {
    return `${this.stream?.localAddress}:${this.stream?.localPort}`;
  }

  say(text: string): void {
    if (this.stream) writesOfTurn.gather(this.stream);
    this.send(text);
  }

  take(data: RawData, isBinary: boolean): void {
    this.owner?.frame(data, isBinary);
  }

  /** Takes the socket away from its owner, and closes it politely with this code. */
  dismiss(code: number, reason: string): void {
    this.owner = undefined;
    this.close(code, closeReason(reason));
  }

  /** Takes the socket away from its owner, and destroys it. */
  discard(): void {
    this.owner = undefined;
    if (this.stream) writesOfTurn.release(this.stream);
    this.terminate();
  }
}

/** `closeTimeout` is an option of ws that its type declarations lack. */
function socketOptions({ credential, localAddress }: LinkRequest): ClientOptions & { closeTimeout: number } {
  return {
    perMessageDeflate: false,
    maxPayload: SERVICE_FRAME_MAX_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
    headers: { Authorization: basicAuthorization(credential.key) },
    localAddress,
  };
}

/** Where the link of a service is: `http://host:1/base/` → `ws://host:1/base/link`. @throws TypeError */
function linkAddress(serviceUrl: string): URL {
  const address = new URL(serviceUrl);
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:';
  address.pathname = address.pathname.replace(/\/+$/, '') + LINK_PATH;
  address.username = '';
  address.password = '';
  address.search = '';
  address.hash = '';
  return address;
}

function ownerOf(socket: WebSocket): SocketOwner | undefined {
  return socket instanceof LinkSocket ? socket.owner : undefined;
}

function onUpgrade(this: WebSocket, { socket }: IncomingMessage): void {
  if (this instanceof LinkSocket) this.stream = socket;
}

/** The listeners of the handshake make room for those of the open connection: half the memory. */
function onOpen(this: WebSocket): void {
  this.off('upgrade', onUpgrade);
  this.off('open', onOpen);
  this.off('unexpected-response', onResponse);
  this.on('message', onMessage);
  this.on('ping', onHeard);
  this.on('pong', onHeard);
  this.on('close', onClose);
  ownerOf(this)?.opened?.();
}

function onResponse(this: WebSocket, _request: ClientRequest, response: IncomingMessage): void {
  ownerOf(this)?.refused?.(response);
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof LinkSocket) this.take(data, isBinary);
}

function onHeard(this: WebSocket): void {
  ownerOf(this)?.heard();
}

function onError(this: WebSocket, error: Error): void {
  ownerOf(this)?.failed(error);
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  ownerOf(this)?.ended(code, reason.toString('utf8'));
}

/** Makes the socket of a connection. @throws Error when this request cannot have one */
export type OpenSocket = (request: LinkRequest, owner: SocketOwner) => LinkSocket;

export const openLinkSocket: OpenSocket = (request, owner) => new LinkSocket(request, owner);
