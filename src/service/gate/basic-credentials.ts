/**
 * Basic credentials: the key in an Authorization header.
 *
 * Reading it is the dearest part of a small request, and callers send the same header again and again: the
 * latest ones are remembered with the key they hold. What the key opens is looked up anew each time.
 */

import { invalidCredentials } from './api-error.ts';

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+) *$/i;
const REMEMBERED_MAX = 1_000;
/** Longer headers are no credentials of this service; they are read, and not kept. */
const REMEMBERED_MAX_CHARACTERS = 200;

export class BasicCredentials {
  readonly #keys = new Map<string, string>();

  /** @throws ApiError 401 when the header is missing, malformed, or has a password */
  keyOf(authorization: string | undefined): string {
    if (authorization === undefined) {
      throw invalidCredentials('this request needs HTTP Basic authentication with an API key as user name');
    }
    const remembered = this.#keys.get(authorization);
    if (remembered !== undefined) return remembered;
    const key = readKey(authorization);
    if (authorization.length <= REMEMBERED_MAX_CHARACTERS) this.#remember(authorization, key);
    return key;
  }

  #remember(authorization: string, key: string): void {
    if (this.#keys.size >= REMEMBERED_MAX) this.#keys.clear();
    this.#keys.set(authorization, key);
  }
}

function readKey(authorization: string): string {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw invalidCredentials('the Authorization header is not HTTP Basic');
  const [key = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (password.join(':') !== '') {
    throw invalidCredentials('the password must be empty; the API key is the user name');
  }
  return key;
}
