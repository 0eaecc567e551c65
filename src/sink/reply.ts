/**
 * Reply: how a sink answers one request, as a value.
 *
 *   delay ─► head ─► first half of the body ─► pause ─► second half ─► end
 *
 * Three kinds: an answer, a hang (nothing is ever sent) and a reset (the connection is torn down).
 * Well-formed and ill-formed answers are built from each other: `cutBody(slow('10s', OK), 5)`.
 * Delays and pauses pass on the sink's clock. play-reply.ts puts a reply on the wire.
 */

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { durationMs, type Duration } from '../common/duration.ts';
import type { HeaderPair } from '../common/header-pairs.ts';
import { MEDIA_TYPES } from '../specification/headers.ts';

export interface Answer {
  readonly kind: 'answer';
  /** What it is, for logs and messages: "200 with status header". */
  readonly name: string;
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** The body in pieces, sent one after the other. */
  readonly body: readonly Uint8Array[];
  readonly framing: 'content-length' | 'chunked';
  /** A Content-Length that differs from what is sent; the connection ends after the body. */
  readonly claimedBytes: number | null;
  readonly delayMs: number;
  readonly pauseMs: number;
}

export interface Hang {
  readonly kind: 'hang';
  readonly name: string;
  readonly delayMs: number;
}

export interface Reset {
  readonly kind: 'reset';
  readonly name: string;
  readonly delayMs: number;
}

export type Reply = Answer | Hang | Reset;

const HUGE_BODY_PIECE = new Uint8Array(64 * 1024).fill(0x20);

/**
 * An answer with a status from 200 to 599, headers and a body.
 *
 * @throws RangeError for another status: an interim one would leave the peer waiting for the final one
 * @throws TypeError for a header that cannot be sent
 */
export function answer(status: number, headers: readonly HeaderPair[] = [], body: Uint8Array | string = ''): Answer {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`${status} is not a final HTTP status; give one from 200 to 599`);
  }
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return {
    kind: 'answer',
    name: String(status),
    status,
    headers,
    body: [typeof body === 'string' ? Buffer.from(body) : body],
    framing: 'content-length',
    claimedBytes: null,
    delayMs: 0,
    pauseMs: 0,
  };
}

export function jsonAnswer(status: number, value: unknown, headers: readonly HeaderPair[] = []): Answer {
  return answer(status, [['Content-Type', MEDIA_TYPES.json.value], ...headers], JSON.stringify(value));
}

/** A redirect; without a location its header is missing, which is a fault too. */
export function redirectTo(location: string | undefined, status = 302): Answer {
  const headers: HeaderPair[] = location === undefined ? [] : [['Location', location]];
  return named(`${status} to ${location ?? 'nowhere'}`, answer(status, headers));
}

/** Takes the request and never answers it. */
export const HANG: Hang = { kind: 'hang', name: 'hang', delayMs: 0 };

/** Tears the connection down with a TCP reset instead of answering. */
export const RESET: Reset = { kind: 'reset', name: 'reset', delayMs: 0 };

export function named<R extends Reply>(name: string, reply: R): R {
  return { ...reply, name };
}

/** The reply, begun only after `delay` has passed on the sink's clock. */
export function slow<R extends Reply>(delay: Duration, reply: R): R {
  return { ...reply, name: `${reply.name} after ${delay}`, delayMs: durationMs(delay) };
}

/** The answer with `pause` between the halves of its body. */
export function slowBody(pause: Duration, reply: Answer): Answer {
  return { ...reply, name: `${reply.name}, body slow by ${pause}`, pauseMs: durationMs(pause) };
}

/** The answer with a body of at least `bytes` spaces. */
export function hugeBody(bytes: number, reply: Answer): Answer {
  const pieces = Math.ceil(bytes / HUGE_BODY_PIECE.length);
  return {
    ...reply,
    name: `${reply.name}, huge body`,
    body: Array.from({ length: pieces }, () => HUGE_BODY_PIECE),
  };
}

/** The answer without a Content-Length. */
export function chunked(reply: Answer): Answer {
  return { ...reply, name: `${reply.name}, chunked`, framing: 'chunked' };
}

/** Announces the whole body, sends its first `keptBytes`, and ends the connection. */
export function cutBody(keptBytes: number, reply: Answer): Answer {
  const whole = Buffer.concat(reply.body);
  return {
    ...reply,
    name: `${reply.name}, cut after ${keptBytes} bytes`,
    body: [whole.subarray(0, keptBytes)],
    claimedBytes: whole.length,
  };
}
