/**
 * Digest of bytes, as SHA-256 in hexadecimal digits. Many bytes take long: others get their turn meanwhile.
 */

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

const PIECE_BYTES = 8 * 1024 * 1024;

export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = createHash('sha256');
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0) await nextTurn();
    digest.update(bytes.subarray(from, from + PIECE_BYTES));
  }
  return digest.digest('hex');
}
