/**
 * Child Account: an account that a run makes in the Integrator Account of its key, works in, and deletes.
 */

import { z } from 'zod';

import { ActionableError } from '../common/actionable-error.ts';
import { showValue } from '../common/json-value.ts';
import { leavesOf } from '../common/places.ts';
import { REQUEST_HEADERS } from '../specification/headers.ts';
import { TOO_MANY_REQUESTS, type ServiceClient } from './service-client.ts';

export interface ChildAccount {
  readonly id: number;
  readonly apiKey: string;
}

export interface ChildAccountOptions {
  readonly email: string;
  readonly password: string;
  readonly creatorRef?: string | undefined;
  /** Other ways out than the key of an Integrator Account: `, or write …`. */
  readonly alternative?: string | undefined;
}

const KEY_NAME = 'platen';

const created = z.looseObject({
  Account: z.looseObject({ id: z.number() }),
  ApiKeys: z.looseObject({ [KEY_NAME]: z.string() }),
});
const whoami = z.looseObject({ id: z.number() });
const KEY_MIN_CHARACTERS = 8;

/** Makes one, with the key of the client. @throws ActionableError when the service refuses */
export async function createChildAccount(
  client: ServiceClient,
  { alternative = '', ...account }: ChildAccountOptions,
): Promise<ChildAccount> {
  const { status, value } = await client.send({
    method: 'POST',
    path: '/account',
    json: { Account: { firstname: '-', lastname: '-', ...account }, ApiKeys: [KEY_NAME] },
    isPatient: true,
  });
  const { data } = created.safeParse(value);
  if (data) return { id: data.Account.id, apiKey: data.ApiKeys[KEY_NAME] };
  const found = status < 300 ? await findChild(client, value, account.email) : undefined;
  if (found) return found;
  // Not the text of an account that was made: a key that was not found to be one may stand there.
  const answered = status < 300 ? `${status} without a key that authenticates` : `${status} ${showValue(value)}`;
  throw new ActionableError(
    'usage',
    `${client.name} cannot create a Child Account: POST /account answers ${answered}`,
    nextStepAfter(status, alternative),
  );
}

function nextStepAfter(status: number, alternative: string): string {
  if (status === TOO_MANY_REQUESTS) return 'Try again once its rate limit has room again, or raise that limit.';
  if (status >= 500) return 'Look for the reason in the log of the service.';
  return `Give the key of an Integrator Account with --key${alternative}.`;
}

/** The account as its own key says who it is, as the specification does not show what the creation answers. */
async function findChild(client: ServiceClient, answer: unknown, email: string): Promise<ChildAccount | undefined> {
  const apiKey = (await keyIn(answer, client)) ?? (await shownKey(email, client));
  if (apiKey === undefined) return undefined;
  const { data } = whoami.safeParse((await client.lookFor('/whoami', { apiKey })).value);
  return data && { id: data.id, apiKey };
}

/** The string in an answer that authenticates, which is how a key is known. */
async function keyIn(answer: unknown, client: ServiceClient): Promise<string | undefined> {
  for (const [, apiKey] of leavesOf(answer)) {
    if (typeof apiKey !== 'string' || apiKey.length < KEY_MIN_CHARACTERS) continue;
    const { status } = await client.lookFor('/noop', { apiKey });
    if (status === 200) return apiKey;
  }
  return undefined;
}

/** The key of a service whose answer to the creation does not have it; one more, where no key is shown again. */
async function shownKey(email: string, client: ServiceClient): Promise<string | undefined> {
  const headers = { [REQUEST_HEADERS.childAccountByEmail.name]: email };
  const path = `/account/apikey/${KEY_NAME}`;
  for (const request of [
    { method: 'GET', path },
    { method: 'POST', path: `${path}-again` },
  ]) {
    const { status, value } = await client.send({ ...request, headers, isPatient: true });
    const key = status < 300 ? await keyIn(value, client) : undefined;
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The headers with which a request of the Integrator Account acts for the Child Account. */
export function actingFor(id: number): Readonly<Record<string, string>> {
  return { [REQUEST_HEADERS.childAccountById.name]: String(id) };
}
