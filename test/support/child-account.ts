/**
 * Child accounts for tests: made through the API, with one key of their own.
 */

import type { RunningService } from './running-service.ts';

export const CREATION = {
  Account: {
    firstname: '-',
    lastname: '-',
    email: 'customer@example.test',
    password: 'aaaaaaaa',
    creatorRef: 'customer-1',
  },
  ApiKeys: ['own'],
  Tags: { colour: 'blue' },
};

export interface CreatedChild {
  readonly id: number;
  readonly email: string;
  readonly creatorRef: string;
  /** Its own API key. */
  readonly key: string;
  /** What its Integrator Account adds to act as it. */
  readonly headers: Record<string, string>;
}

/** The `number`th customer of the first account. */
export async function createChild(service: RunningService, number = 1, key?: string): Promise<CreatedChild> {
  const email = `customer-${number}@example.test`;
  const creatorRef = `customer-${number}`;
  const { body } = await service.call('POST', '/account', {
    body: { ...CREATION, Account: { ...CREATION.Account, email, creatorRef } },
    ...(key !== undefined && { key }),
  });
  const created = body as { Account: { id: number }; ApiKeys: { own: string } };
  const { id } = created.Account;
  const headers = { 'x-child-account-by-id': String(id) };
  return { id, email, creatorRef, key: created.ApiKeys.own, headers };
}
