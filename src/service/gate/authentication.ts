/**
 * Authentication: HTTP Basic, a key as user name, an empty password.
 */

import type { Account } from '../domain/account.ts';
import { invalidCredentials } from './api-error.ts';
import { BasicCredentials } from './basic-credentials.ts';

/** Finds the account a key belongs to: API keys for requests, API and client keys for the link. */
export type KeyLookup = (key: string) => Account | undefined;

const credentials = new BasicCredentials();

/**
 * The account that a request's Authorization header stands for.
 *
 * @throws ApiError 401 when it is missing, malformed, has a password, its key is unknown, or its account
 *   is suspended (choice: gap/suspension-effect)
 */
export function authenticate(authorization: string | undefined, findByKey: KeyLookup): Account {
  const account = findByKey(credentials.keyOf(authorization));
  if (!account) throw invalidCredentials('the API key is not known');
  if (account.state === 'suspended') throw invalidCredentials('the account is suspended');
  return account;
}
