/**
 * Secrets that the service makes: API keys and client keys.
 *
 * They come from the injected random source, and so repeat with the seed.
 */

import type { Random } from '../../common/random.ts';
import { LIMITS } from '../../specification/limits.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('');
const CLIENT_KEY_PREFIX = 'ck-';
const API_KEY_DIGITS = 40;

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
}
