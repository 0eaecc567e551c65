/**
 * Secrets that the service makes: API keys, client keys, and hashes of passwords.
 *
 * They come from the injected random source, and so repeat with the seed.
 */

import { scryptSync } from 'node:crypto';

import type { Random } from '../../common/random.ts';
import { LIMITS } from '../../spec/limits.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('');
const CLIENT_KEY_PREFIX = 'ck-';
const API_KEY_DIGITS = 40;

/** Low on purpose: 2 ms a hash, so that creating many accounts does not delay other requests. */
const SCRYPT_COST = { N: 1_024, r: 8, p: 1 } as const;
const HASH_BYTES = 32;
const SALT_DIGITS = 32;

export class Secrets {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** 40 lowercase hexadecimal digits (choice: gap/api-key-response). */
  apiKey(): string {
    return this.#random.hex(API_KEY_DIGITS);
  }

  /** `ck-` and alphanumerics, 47 characters in all (choice: gap/client-key-response). */
  clientKey(): string {
    const length = LIMITS.clientKeyCharacters.value - CLIENT_KEY_PREFIX.length;
    return CLIENT_KEY_PREFIX + Array.from({ length }, () => this.#random.pick(ALPHANUMERICS)).join('');
  }

  /** `scrypt$N$r$p$salt$hash`: all that is kept of a password. */
  passwordHash(password: string): string {
    const salt = this.#random.hex(SALT_DIGITS);
    const { N, r, p } = SCRYPT_COST;
    const hash = scryptSync(password, salt, HASH_BYTES, SCRYPT_COST).toString('hex');
    return ['scrypt', N, r, p, salt, hash].join('$');
  }
}
