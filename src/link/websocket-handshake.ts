/**
 * Handshake of the link: from a request to a socket that was welcomed, or to the reason why not.
 *
 *   upgrade ──101──► hello ─► welcome ─► `welcomed` gets the socket, within the same turn
 *      └── 401, 426, other, error, silence, garbage ─► `failed`
 *
 * It owns the socket until then, and is not needed afterwards.
 */

import type { IncomingMessage } from 'node:http';
import type { RawData } from 'ws';

import type { Clock, Hold, Timer } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { decodeServiceMessage, describeFrameError, encodeMessage } from './codec.ts';
import type { LinkFailure, LinkRequest } from './device-link.ts';
import { brokenFailure, closeFailure, connectFailure, refusal } from './link-failures.ts';
import type { LinkSocket, OpenSocket, SocketOwner } from './link-socket.ts';
import type { MessageOf, ServiceMessage } from './messages.ts';

export type Welcome = MessageOf<ServiceMessage, 'welcome'>;

interface HandshakeResult {
  welcomed(socket: LinkSocket, welcome: Welcome): void;
  failed(failure: LinkFailure): void;
}

/** Upgrade and welcome together must not take longer. */
const HANDSHAKE_LIMIT_MS = 30_000;
/** No more of a refusal's body is read. */
const REFUSAL_BODY_MAX_BYTES = 16 * 1024;

export class Handshake implements SocketOwner {
  readonly #request: LinkRequest;
  readonly #result: HandshakeResult;
  readonly #hold: Hold;
  readonly #limit: Timer;
  readonly #socket: LinkSocket | undefined;
  #upgraded = false;
  #said: string | undefined;

  constructor(clock: Clock, request: LinkRequest, openSocket: OpenSocket, result: HandshakeResult) {
    this.#request = request;
    this.#result = result;
    this.#hold = clock.hold(`handshake with ${request.serviceUrl}`);
    this.#limit = clock.schedule(HANDSHAKE_LIMIT_MS, () => this.#expire());
    try {
      this.#socket = openSocket(request, this);
    } catch (error) {
      const message = `cannot connect to '${request.serviceUrl}': ${messageOf(error)}`;
      this.#fail({ reason: 'unreachable', message });
    }
  }

  abort(failure: LinkFailure): void {
    this.#fail(failure);
  }

  opened(): void {
    this.#upgraded = true;
    const { client } = this.#request;
    this.#socket?.say(encodeMessage({ type: 'hello', client, holding: [...this.#request.holding()] }));
  }

  refused(response: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { statusCode: status = 0, headers } = response;
      this.#fail(refusal({ status, body, retryAfter: headers['retry-after'] }, this.#request.serviceUrl));
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > REFUSAL_BODY_MAX_BYTES) finish();
    });
    response.on('error', finish);
    response.on('end', finish);
  }

  heard(): void {
    // Pings do not replace the welcome.
  }

  frame(data: RawData, isBinary: boolean): void {
    const decoded = decodeServiceMessage(data, isBinary);
    if (!decoded.ok) {
      this.#reject(describeFrameError(decoded.error));
      return;
    }
    const message = decoded.value;
    if (message.type === 'error') this.#said = `${message.code}: ${message.message}`;
    else if (message.type === 'welcome') this.#welcome(message);
    else this.#reject(`a ${message.type} came before the welcome`);
  }

  failed(error: Error): void {
    this.#fail(this.#upgraded ? brokenFailure(error) : connectFailure(error, this.#request.serviceUrl));
  }

  ended(code: number, reason: string): void {
    this.#fail(closeFailure(code, reason, this.#said));
  }

  #welcome(welcome: Welcome): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#finish();
    this.#result.welcomed(socket, welcome);
  }

  #reject(what: string): void {
    this.#socket?.dismiss(1002, what);
    this.#fail({ reason: 'protocol', message: `${this.#request.serviceUrl} sent no welcome: ${what}` });
  }

  #expire(): void {
    const { serviceUrl } = this.#request;
    const missing = this.#upgraded ? 'no welcome' : 'no answer to the upgrade';
    const message = `${missing} from ${serviceUrl} within ${HANDSHAKE_LIMIT_MS / 1_000} s`;
    this.#fail({ reason: this.#upgraded ? 'silent' : 'unreachable', message });
  }

  #fail(failure: LinkFailure): void {
    if (this.#socket?.owner === this) this.#socket.discard();
    this.#finish();
    this.#result.failed(failure);
  }

  #finish(): void {
    this.#limit.cancel();
    this.#hold.release();
  }
}
