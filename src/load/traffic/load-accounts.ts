/**
 * The accounts of a load: Child Accounts created for it and deleted after it. They spread the load the way a
 * service's limits expect, and keep it away from the data of other accounts.
 *
 *   1 account      the account of the key
 *   more           that number of Child Accounts, created in the Integrator Account of the key
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { showValue } from '../../common/json-value.ts';
import { REQUEST_HEADERS } from '../../spec/headers.ts';
import type { ControlClient } from './control-client.ts';
import { LoadAccount } from './load-account.ts';

export interface LoadAccountsOptions {
  readonly client: ControlClient;
  /** Key of the account that the others are made in. */
  readonly apiKey: string;
  /** Numbers, in the plan, of the accounts that are wanted here. */
  readonly numbers: readonly number[];
  /** Of all shards together. */
  readonly count: number;
  /** Tells accounts of one run from those of another. */
  readonly runId: string;
}

const AT_ONCE = 8;
const KEY_NAME = 'load';

export class LoadAccounts {
  readonly byNumber: ReadonlyMap<number, LoadAccount>;
  readonly #parts: LoadAccountsOptions;

  private constructor(parts: LoadAccountsOptions, accounts: readonly LoadAccount[]) {
    this.#parts = parts;
    this.byNumber = new Map(accounts.map((account) => [account.number, account]));
  }

  /** Makes them. @throws ActionableError when the target makes none; those made so far are removed */
  static async open(parts: LoadAccountsOptions): Promise<LoadAccounts> {
    if (parts.count === 1) return new LoadAccounts(parts, [new LoadAccount(0, parts.apiKey, null)]);
    const made: LoadAccount[] = [];
    try {
      await inTurns(parts.numbers, async (number) => {
        made.push(await create(parts, number));
      });
    } catch (error) {
      await new LoadAccounts(parts, made).remove();
      throw error;
    }
    return new LoadAccounts(parts, made);
  }

  /** Removes what was made. @returns ids of accounts that are still there */
  async remove(): Promise<readonly number[]> {
    const { client, apiKey } = this.#parts;
    const left: number[] = [];
    await inTurns([...this.byNumber.values()], async ({ id }) => {
      if (id === null) return;
      const headers = { [REQUEST_HEADERS.childAccountById.name]: String(id) };
      const answer = await client.trySend({ method: 'DELETE', path: '/account', apiKey, headers });
      if (answer === undefined || answer.status >= 300) left.push(id);
    });
    return left;
  }
}

async function create({ client, apiKey, runId }: LoadAccountsOptions, number: number): Promise<LoadAccount> {
  const { status, value } = await client.send({
    method: 'POST',
    path: '/account',
    apiKey,
    json: {
      Account: {
        firstname: '-',
        lastname: '-',
        email: `load-${runId}-${number}@example.test`,
        password: `${runId}-${number}-load`,
        creatorRef: `platen-load-${runId}-${number}`,
      },
      ApiKeys: [KEY_NAME],
    },
  });
  const { Account, ApiKeys } = (value ?? {}) as {
    readonly Account?: { readonly id?: unknown };
    readonly ApiKeys?: Readonly<Record<string, unknown>>;
  };
  const key = ApiKeys?.[KEY_NAME];
  if (typeof Account?.id === 'number' && typeof key === 'string')
    return new LoadAccount(number, key, Account.id);
  throw new ActionableError(
    'usage',
    `${client.baseUrl} makes no Child Account: POST /account answers ${status} ${showValue(value)}`,
    'Give the key of an Integrator Account with --key, or write `accounts: 1` in the scenario.',
  );
}

/** A few at a time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
