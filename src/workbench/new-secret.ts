/**
 * New secret: a key or a token. Not from the seed: knowing the seed must not reveal it.
 */

import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 16;

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}
