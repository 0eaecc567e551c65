/**
 * Messages of the scale feed (docs/scale-websocket.md): text frames, each a JSON array of three.
 *
 *   client → service   [ack | null, message, payload]
 *   service → client   [type, message, payload]        types: protocol, system, publish
 */

import type { RawData } from 'ws';

import { failure, success, type Outcome } from '../../common/outcome.ts';

export interface ClientFrame {
  /** Number to acknowledge; null where the client wants no acknowledgement. */
  readonly ack: number | null;
  readonly message: string;
  readonly payload: unknown;
}

/**
 * The frame as a value, or what is wrong with it.
 *
 * @param data - one Buffer, as ws hands frames over by default
 */
export function decodeFrame(data: RawData, isBinary: boolean): Outcome<ClientFrame, string> {
  if (isBinary) return failure('a binary frame; messages are text frames');
  let frame: unknown;
  try {
    frame = JSON.parse((data as Buffer).toString('utf8'));
  } catch {
    return failure('the frame is not JSON');
  }
  if (!Array.isArray(frame) || frame.length !== 3) {
    return failure('a message is a JSON array of three: [ack, message, payload]');
  }
  const [ack, message, payload] = frame as unknown[];
  if (ack !== null && !isNumber(ack)) return failure('ack: must be null or an integer that is not negative');
  if (typeof message !== 'string') return failure('message: must be a string');
  return success({ ack, message, payload });
}

/** Whether a client may use the value to number its messages and subscriptions. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function ackFrame(ack: number): string {
  return `["protocol","ack",${ack}]`;
}

export function systemFrame(message: string, payload: object): string {
  return JSON.stringify(['system', message, payload]);
}

/** @param data - JSON text */
export function publishFrame(topic: string, subscriptionId: number, data: string): string {
  return `["publish",[${JSON.stringify(topic)}],[${subscriptionId},${data}]]`;
}

/** The fragments joined by dots; a dot or backslash inside a fragment is escaped with a backslash. */
export function topicOf(...fragments: readonly (string | number)[]): string {
  return fragments.map((fragment) => String(fragment).replaceAll(/[\\.]/g, '\\$&')).join('.');
}
