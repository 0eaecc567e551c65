/**
 * Request bodies: read with a limit that is enforced while they stream in, then decoded.
 *
 * A body is held once. If it fits into the first chunk, it is that chunk; a longer one goes into a buffer of
 * the declared length, made when the second chunk comes: a client that only announces much costs nothing.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { SlicedWork } from '../../common/sliced-work.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import { bodyTooLarge, invalidContent, tooManyBodies, unsupportedMediaType, type ApiError } from './api-error.ts';
import { parseFormBody } from './form-body.ts';
import { parseJsonBody } from './json-body.ts';

/** Choice (gap/megabyte): the 50 MB of the specification are read as 50 · 1024 · 1024 bytes. */
const BODY_MAX_BYTES = LIMITS.requestBodyMegabytes.value * 1024 * 1024;

/** The first size of a buffer for a body of unknown length; it doubles as needed. */
const FIRST_BUFFER_BYTES = 64 * 1024;

/** Beyond the first chunk of each: what ten of the largest bodies take, and their text in the heap several times. */
const BODIES_MAX_BYTES = 10 * BODY_MAX_BYTES;

/** Counts the bytes of long bodies that are under way: many at once would not fit into memory. */
export class BodyRoom {
  #bytes = 0;

  /** @throws ApiError 503 when there is no room for more */
  take(bytes: number): void {
    if (this.#bytes + bytes > BODIES_MAX_BYTES) throw tooManyBodies(BODIES_MAX_BYTES);
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** Whether a request announces a body, even an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** The announced length in bytes; undefined when it is not known before the end. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}

/** Callbacks: promises would cost each request three. */
export interface BodyReader {
  /** The body is about to be read. */
  onReady(): void;
  onBody(body: Buffer): void;
  /**
   * 413 as soon as the limit is passed, by declaration or by bytes; 503 when too many long bodies come at once; 400
   * when the connection ends before the body does. Then onBody is not called.
   */
  onRefused(error: ApiError): void;
}

/**
 * Reads the whole body.
 *
 * @param response - when it is over, the body is no longer needed
 */
export function readBody(request: IncomingMessage, response: ServerResponse, room: BodyRoom, reader: BodyReader): void {
  const declared = declaredLength(request);
  if (declared !== undefined && declared > BODY_MAX_BYTES) return reader.onRefused(bodyTooLarge(BODY_MAX_BYTES));
  reader.onReady();
  const collector = new BodyCollector(declared);
  let taken = 0;
  let isOver = false;
  const refuse = (error: ApiError): void => {
    if (isOver) return;
    isOver = true;
    reader.onRefused(error);
  };
  const takeRoom = (bytes: number): void => {
    room.take(bytes);
    if (taken === 0) response.once('close', () => room.release(taken));
    taken += bytes;
  };
  const onData = (chunk: Buffer): void => {
    try {
      if (collector.isBegun) takeRoom(chunk.length);
      collector.add(chunk);
    } catch (error) {
      request.off('data', onData);
      collector.drop();
      refuse(error as ApiError);
    }
  };
  request.on('data', onData);
  request.on('end', () => {
    if (isOver) return;
    isOver = true;
    reader.onBody(collector.body());
  });
  request.on('error', () => refuse(bodyCutShort()));
}

/** 400: the client may be gone, but an observer hears of it. */
function bodyCutShort(): ApiError {
  return invalidContent('the connection ended before the whole body had arrived');
}

const NOTHING: Buffer = Buffer.alloc(0);

class BodyCollector {
  readonly #declared: number | undefined;
  #bytes = NOTHING;
  #length = 0;

  constructor(declared: number | undefined) {
    this.#declared = declared;
  }

  get isBegun(): boolean {
    return this.#length > 0;
  }

  /** @throws ApiError 413 when the body grows over the limit */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > BODY_MAX_BYTES) throw bodyTooLarge(BODY_MAX_BYTES);
    if (this.#length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  drop(): void {
    this.#bytes = NOTHING;
  }

  body(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const doubled = Math.max(length, FIRST_BUFFER_BYTES, this.#bytes.length * 2);
    const grown = Buffer.allocUnsafe(this.#declared ?? Math.min(doubled, BODY_MAX_BYTES));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/**
 * The decoded body; undefined when it is empty, whatever its type.
 *
 *   JSON, or no type   the value        form    an object of strings, arrays and objects
 *   text/plain         a string         other   refused
 *
 * @throws ApiError 400 InvalidContent when it cannot be parsed, 415 for another type or a content coding
 */
export function* decodeBody(body: Buffer, { headers }: IncomingMessage): SlicedWork<unknown> {
  if (body.length === 0) return undefined;
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw unsupportedMediaType('the body must be sent without Content-Encoding');
  const parse = PARSERS.get(mediaType(headers['content-type']));
  if (!parse) {
    throw unsupportedMediaType(`the Content-Type of the body must be one of ${[...PARSERS.keys()].join(', ')}`);
  }
  if (!isUtf8(body)) throw invalidContent('the body is not valid UTF-8');
  yield;
  return yield* parse(body.toString('utf8'));
}

/** Choice (gap/other-media-types): text/plain is a string. */
const PARSERS = new Map<string, (text: string) => SlicedWork<unknown>>([
  [MEDIA_TYPES.json.value, parseJsonBody],
  [MEDIA_TYPES.form.value, parseFormBody],
  ['text/plain', plainText],
]);

function* plainText(text: string): SlicedWork<string> {
  yield;
  return text;
}

function mediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === MEDIA_TYPES.json.value) return MEDIA_TYPES.json.value;
  const semicolon = contentType.indexOf(';');
  const type = semicolon === -1 ? contentType : contentType.slice(0, semicolon);
  return type.trim().toLowerCase();
}
