/**
 * Request bodies: read with a limit that is enforced while they stream in, then decoded.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import { LIMITS } from '../../spec/limits.ts';
import { bodyTooLarge, invalidContent } from './api-error.ts';

/** Choice: the 50 MB of the specification are read as 50 · 1024 · 1024 bytes. */
const BODY_MAX_BYTES = LIMITS.requestBodyMegabytes.value * 1024 * 1024;

/**
 * The whole body, read in one piece.
 *
 * @throws ApiError 413 as soon as the limit is passed, by declaration or by bytes
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) {
      reject(bodyTooLarge(BODY_MAX_BYTES));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > BODY_MAX_BYTES) {
        chunks.length = 0;
        request.pause();
        reject(bodyTooLarge(BODY_MAX_BYTES));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('aborted', () =>
      reject(invalidContent('the connection ended before the whole body had arrived')),
    );
  });
}

/**
 * The decoded body: JSON unless another Content-Type is given; undefined when it is empty.
 *
 * @throws ApiError 400 InvalidContent when it cannot be parsed
 */
export function decodeBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalidContent('the body is not valid UTF-8');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw invalidContent(`the body is not valid JSON: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}
