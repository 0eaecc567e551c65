/**
 * Codec of the link: text frames to messages of the table (messages.ts) and back.
 *
 *   frame ─► text? ─► JSON? ─► object with a known `type`? ─► fields as the table says? ─► message
 *
 * Both ends decode with it. For a frame that is not a message it returns a value that says where it is wrong
 * and how, ready to be sent to its author. Fields that the table does not name are dropped, so that a newer
 * peer may send more than an older one knows.
 */

import type { RawData } from 'ws';
import type { z } from 'zod';

import { messageOf } from '../common/error-message.ts';
import { holdsMoreValuesThan } from '../common/json-values.ts';
import { nestsDeeperThan } from '../common/nesting.ts';
import { failure, type Outcome } from '../common/outcome.ts';
import { readValueAs } from '../common/schema-problems.ts';
import { atOnce, type SlicedWork } from '../common/sliced-work.ts';
import {
  computerMessage,
  MESSAGE_MAX_DEPTH,
  MESSAGE_MAX_VALUES,
  serviceMessage,
  type ComputerMessage,
  type MessageOf,
  type ServiceMessage,
} from './messages.ts';

/** A frame with a document of this size takes several turns of the event loop, at either end. */
export const LONG_FRAME_BYTES = 2 * 1024 * 1024;

export interface FrameError {
  /**
   * Path of the offending field, such as `job-state.createTimestamp`; `frame` when it is not a message at
   * all.
   */
  readonly where: string;
  readonly what: string;
}

type Schemas<Message> = ReadonlyMap<unknown, z.ZodType<Message>>;

const COMPUTER_SCHEMAS: Schemas<ComputerMessage> = new Map(
  computerMessage.options.map((schema) => [schema.shape.type.value, schema]),
);
const SERVICE_SCHEMAS: Schemas<ServiceMessage> = new Map(
  serviceMessage.options.map((schema) => [schema.shape.type.value, schema]),
);

/** The text of the frame that carries this message. */
export function encodeMessage(message: ComputerMessage | ServiceMessage): string {
  return JSON.stringify(message);
}

/** The bytes of a frame that carries a long document, which are made piece by piece. */
export function* encodeLong({ content, ...job }: MessageOf<ServiceMessage, 'job'>): SlicedWork<Buffer> {
  const around = encodeMessage({ ...job, content: '' });
  const pieces = [Buffer.from(around.slice(0, -'"}'.length))];
  for (let from = 0; from < content.length; from += LONG_FRAME_BYTES) {
    // Half of a surrogate pair is escaped, and one again when it is read.
    pieces.push(Buffer.from(JSON.stringify(content.slice(from, from + LONG_FRAME_BYTES)).slice(1, -1)));
    yield;
  }
  return Buffer.concat([...pieces, Buffer.from('"}')]);
}

export function decodeComputerMessage(data: RawData, isBinary: boolean): Outcome<ComputerMessage, FrameError> {
  if (!isBinary && holdsMoreValuesThan(bytesOf(data), MESSAGE_MAX_VALUES)) {
    return failure({ where: 'frame', what: `more than ${MESSAGE_MAX_VALUES} values` });
  }
  return atOnce(decode(data, isBinary, COMPUTER_SCHEMAS));
}

export function decodeServiceMessage(data: RawData, isBinary: boolean): Outcome<ServiceMessage, FrameError> {
  return atOnce(decode(data, isBinary, SERVICE_SCHEMAS));
}

/** The same for a frame of any length. */
export function decodeLong(data: RawData, isBinary: boolean): SlicedWork<Outcome<ServiceMessage, FrameError>> {
  return decode(data, isBinary, SERVICE_SCHEMAS);
}

/** Whether a value is a message that a computer may send. */
export function checkComputerMessage(value: unknown): Outcome<ComputerMessage, FrameError> {
  return check(value, COMPUTER_SCHEMAS);
}

/** One line for a person: `job-state: jobId: must be an integer, not "7"`. */
export function describeFrameError(error: FrameError): string {
  return `${error.where}: ${error.what}`;
}

function* decode<Message>(
  data: RawData,
  isBinary: boolean,
  schemas: Schemas<Message>,
): SlicedWork<Outcome<Message, FrameError>> {
  if (isBinary) return failure({ where: 'frame', what: 'a binary frame; messages are text frames' });
  const text = bytesOf(data).toString('utf8');
  yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failure({ where: 'frame', what: `not JSON: ${messageOf(error)}` });
  }
  yield;
  return check(value, schemas);
}

function check<Message>(value: unknown, schemas: Schemas<Message>): Outcome<Message, FrameError> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failure({ where: 'frame', what: 'a message is a JSON object with a type' });
  }
  const type: unknown = 'type' in value ? value.type : undefined;
  if (nestsDeeperThan(value, MESSAGE_MAX_DEPTH)) {
    const where = typeof type === 'string' ? type : 'frame';
    return failure({ where, what: `nested deeper than ${MESSAGE_MAX_DEPTH} levels` });
  }
  const schema = schemas.get(type);
  if (!schema) {
    const known = [...schemas.keys()].join(', ');
    return failure({ where: 'frame', what: `unknown message type ${brief(type)}; known are ${known}` });
  }
  const parsed = readValueAs(schema, value);
  return parsed.ok ? parsed : failure({ where: String(type), what: parsed.error });
}

export function sizeOf(data: RawData): number {
  if (!Array.isArray(data)) return data.byteLength;
  return data.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
