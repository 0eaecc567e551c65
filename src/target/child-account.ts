/**
 * Child Account: an account that a run makes in the Integrator Account of its key, works in, and deletes.
 */

import { z } from 'zod';

import { ActionableError } from '../common/actionable-error.ts';
import { showValue } from '../common/json-value.ts';
import { REQUEST_HEADERS } from '../spec/headers.ts';
import type { ServiceClient } from './service-client.ts';

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

/** Makes one, with the key of the client. @throws ActionableError when the service refuses */
export async function createChildAccount(
  client: ServiceClient,
  { alternative = '', ...account }: ChildAccountOptions,
): Promise<ChildAccount> {
  const { status, value } = await client.send({
    method: 'POST',
    path: '/account',
    json: { Account: { firstname: '-', lastname: '-', ...account }, ApiKeys: [KEY_NAME] },
  });
  const { data } = created.safeParse(value);
  if (data) return { id: data.Account.id, apiKey: data.ApiKeys[KEY_NAME] };
  throw new ActionableError(
    'usage',
    `${client.name} does not make a Child Account: POST /account answers ${status} ${showValue(value)}`,
    `Give the key of an Integrator Account with --key${alternative}.`,
  );
}

/** The headers with which a request of the Integrator Account acts for the Child Account. */
export function actingFor(id: number): Readonly<Record<string, string>> {
  return { [REQUEST_HEADERS.childAccountById.name]: String(id) };
}
