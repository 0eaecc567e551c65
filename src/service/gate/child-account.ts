/**
 * Acting as a Child Account: an Integrator Account names one of its children in a header, and the request
 * acts for that child.
 *
 * A header that does not name a child ends the request: it never acts on the Integrator Account itself.
 * Choice (gap/several-child-headers): several headers must all name the same child.
 */

import { isUtf8 } from 'node:buffer';

import { AUTHENTICATION_HEADERS, REQUEST_HEADERS } from '../../specification/headers.ts';
import type { Account, Accounts } from '../domain/account.ts';
import { invalidCredentials } from './api-error.ts';
import type { HeaderLookup } from './request-context.ts';

export interface Caller {
  readonly account: Account;
  /** The Integrator Account that acts as `account`; undefined when an account acts for itself. */
  readonly integrator: Account | undefined;
  /** What the response says about that, beside X-Account. */
  readonly headers: readonly (readonly [string, string])[];
}

type FindChild = (accounts: Accounts, integrator: Account, value: string) => Account | undefined;

const STRATEGIES: readonly (readonly [header: string, find: FindChild])[] = [
  [REQUEST_HEADERS.childAccountById.name, findById],
  [REQUEST_HEADERS.childAccountByEmail.name, findBy('email')],
  [REQUEST_HEADERS.childAccountByCreatorRef.name, findBy('creatorRef')],
];

const HEADER_NAMES = STRATEGIES.map(([header]) => header.toLowerCase());

/** Whether a request names a Child Account, be it a wrong one. */
export function namesChild(header: HeaderLookup): boolean {
  return HEADER_NAMES.some((name) => header(name) !== undefined);
}

/**
 * The account that an authenticated request acts for: that of its key, or the child that its headers name.
 *
 * @throws ApiError 401 when a header names no child of this account
 */
export function actAs(authenticated: Account, header: HeaderLookup, accounts: Accounts): Caller {
  if (!namesChild(header)) return { account: authenticated, integrator: undefined, headers: [] };
  const headers: [string, string][] = [];
  const children = new Set<Account>();
  for (const [name, find] of STRATEGIES) {
    const value = header(name.toLowerCase());
    if (value === undefined) continue;
    const child = authenticated.isIntegrator ? find(accounts, authenticated, value) : undefined;
    if (!child) throw invalidCredentials(`${name}: does not name a Child Account of this account`);
    children.add(child);
    headers.push([name, value]);
  }
  const [account = authenticated, another] = children;
  if (another) throw invalidCredentials('the X-Child-Account-By-* headers name different Child Accounts');
  headers.push([AUTHENTICATION_HEADERS.authorizedAs.name, String(authenticated.id)]);
  return { account, integrator: authenticated, headers };
}

function findById(accounts: Accounts, integrator: Account, value: string): Account | undefined {
  const child = /^[1-9]\d*$/.test(value) ? accounts.byId(Number(value)) : undefined;
  return child?.parentId === integrator.id ? child : undefined;
}

function findBy(strategy: 'email' | 'creatorRef'): FindChild {
  return (accounts, integrator, value) => {
    // Header values arrive as Latin-1; a caller that means other characters sends UTF-8.
    const bytes = Buffer.from(value, 'latin1');
    return accounts.childBy(integrator, strategy, isUtf8(bytes) ? bytes.toString('utf8') : value);
  };
}
