/**
 * Authentication: HTTP Basic, the API key as user name, an empty password.
 */

import type { Account } from '../domain/account.ts';
import { invalidCredentials } from './api-error.ts';

/** Finds the account an API key belongs to. */
export type KeyLookup = (apiKey: string) => Account | undefined;

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+) *$/i;

/**
 * The account that a request's Authorization header stands for.
 *
 * @throws ApiError 401 when it is missing, malformed, has a password, or its key is unknown
 */
export function authenticate(authorization: string | undefined, findByKey: KeyLookup): Account {
  if (authorization === undefined) {
    throw invalidCredentials('this request needs HTTP Basic authentication with an API key as user name');
  }
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw invalidCredentials('the Authorization header is not HTTP Basic');
  const [apiKey = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (password.join(':') !== '')
    throw invalidCredentials('the password must be empty; the API key is the user name');
  const account = findByKey(apiKey);
  if (!account) throw invalidCredentials('the API key is not known');
  return account;
}
