/**
 * Views of an account that several checks share: the account object, and whom a client acts for.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { leavesOf } from '../../common/places.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import { expectFound, expectSuccess, type Answer } from '../expect/answer.ts';
import { expectEqual, firstOf } from '../expect/that.ts';
import type { ApiClient } from './api-client.ts';
import type { Child } from './children.ts';
import type { CheckContext } from './context.ts';

/** GET /whoami as this client. Ends the check as blocked when that is not an account object. */
export async function accountOf(context: CheckContext, api: ApiClient): Promise<JsonObject> {
  const answer = await api.get('/whoami');
  context.require(expectFound(answer, 'an object', isObject));
  return isObject(answer.value) ? answer.value : {};
}

/** Expects these fields of an account object. */
export function expectAccount(account: unknown, wanted: JsonObject, at: string): Mismatch | undefined {
  const shown = isObject(account) ? account : {};
  const mismatches = Object.entries(wanted).map(([name, value]) => expectEqual(`${name} ${at}`, shown[name], value));
  return firstOf(...mismatches);
}

/** What an element of childAccounts is, is a gap. */
export function isChildOf({ childAccounts }: JsonObject, { id, email }: JsonObject): boolean {
  if (!Array.isArray(childAccounts)) return false;
  return childAccounts.some((child: unknown) => {
    const named = isObject(child) ? child['id'] : child;
    return named === id || named === email;
  });
}

/** Whether something in childAccounts is what a Child may be known by. */
export function namesChild(
  childAccounts: unknown,
  { id, email, creatorRef }: Pick<Child, 'id' | 'email' | 'creatorRef'>,
): boolean {
  const names = new Set([String(id), email, creatorRef]);
  return leavesOf(childAccounts).some(([, leaf]) => names.has(String(leaf)));
}

/** Expects that the client acts for the account with this id. */
export function expectActsFor(answer: Answer, id: number | string): Mismatch | undefined {
  return firstOf(expectSuccess(answer), expectAccountHeader(answer, id));
}

/** Expects the header that names the account. */
export function expectAccountHeader(answer: Answer, id: number | string): Mismatch | undefined {
  const { name } = AUTHENTICATION_HEADERS.account;
  return expectEqual(`header ${name} of ${answer.request}`, answer.header(name), String(id));
}

/**
 * Ends the check unless header and body both say that the client acts for this account. Call it before deleting
 * anything, in case this is another account.
 */
export async function requireActsFor({ require }: CheckContext, api: ApiClient, id: number): Promise<void> {
  const answer = await api.get('/whoami');
  const account = `of ${answer.request} before a deletion`;
  require(expectActsFor(answer, id), expectAccount(answer.value, { id }, account));
}
