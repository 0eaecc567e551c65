/**
 * Authentication: HTTP Basic, a key as user name, an empty password.
 */

import type { Account } from '../domain/account.ts';
import { invalidCredentials } from './api-error.ts';

/** Finds the account a key belongs to: API keys for requests, API and client keys for the link. */
export type KeyLookup = (key: string) => Account | undefined;

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+) *$/i;

const REMEMBERED_MAX = 1_000;
/** Longer headers are not credentials of this service: they are read, and not remembered. */
const REMEMBERED_MAX_CHARACTERS = 200;

/**
 * The keys in the latest Authorization headers: reading one is the dearest part of a small request, and
 * callers send the same header again and again. What the key opens is looked up each time.
 */
const remembered = new Map<string, string>();

/**
 * The account that a request's Authorization header stands for.
 *
 * @throws ApiError 401 when it is missing, malformed, has a password, its key is unknown, or its account
 *   is suspended (choice: gap/suspension-effect)
 */
export function authenticate(authorization: string | undefined, findByKey: KeyLookup): Account {
  const account = findByKey(keyOf(authorization));
  if (!account) throw invalidCredentials('the API key is not known');
  if (account.state === 'suspended') throw invalidCredentials('the account is suspended');
  return account;
}

function keyOf(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw invalidCredentials('this request needs HTTP Basic authentication with an API key as user name');
  }
  const known = remembered.get(authorization);
  if (known !== undefined) return known;
  const key = readKey(authorization);
  if (authorization.length > REMEMBERED_MAX_CHARACTERS) return key;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(authorization, key);
  return key;
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
