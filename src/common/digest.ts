/**
 * Digest of bytes, as SHA-256 in hexadecimal digits. Many bytes take long: others get their turn meanwhile.
 */

import { createHash } from 'node:crypto';

import { inSlices, type SlicedWork } from './sliced-work.ts';

/** Taken in some milliseconds. */
const PIECE_BYTES = 4 * 1024 * 1024;

export function sha256Of(bytes: Uint8Array): Promise<string> {
  return inSlices(digestOf(bytes));
}

function* digestOf(bytes: Uint8Array): SlicedWork<string> {
  const digest = createHash('sha256');
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0) yield;
    digest.update(bytes.subarray(from, from + PIECE_BYTES));
  }
  return digest.digest('hex');
}
