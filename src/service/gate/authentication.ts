/**
 * Authentication: HTTP Basic, a key as user name, an empty password.
 */

import type { Account } from '../domain/account.ts';
import { invalidCredentials } from './api-error.ts';

/** Finds the account a key belongs to: API keys for requests, API and client keys for the link. */
export type KeyLookup = (key: string) => Account | undefined;

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+) *$/i;

/**
 * The account that a request's Authorization header stands for.
 *
 * @throws ApiError 401 when it is missing, malformed, has a password, its key is unknown, or its account
 *   is suspended (choice: gap/suspension-effect)
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
  if (account.state === 'suspended') throw invalidCredentials('the account is suspended');
  return account;
}
