/**
 * The accounts of a load: Child Accounts created for it and deleted after it. They spread the load the way a
 * service's limits expect, and keep it away from the data of other accounts.
 *
 *   1 account      the account of the key
 *   more           that number of Child Accounts, created in the Integrator Account of the key
 */

import { actingFor, createChildAccount } from '../../targets/child-account.ts';
import type { ServiceClient } from '../../targets/service-client.ts';
import { LoadAccount } from './load-account.ts';

export interface LoadAccountsOptions {
  readonly client: ServiceClient;
  /** Key of the account in which the others are created. */
  readonly apiKey: string;
  /** Numbers, in the plan, of the accounts of this shard. */
  readonly numbers: readonly number[];
  /** How many accounts all shards use together. */
  readonly count: number;
  /** Distinguishes the accounts of runs. */
  readonly runId: string;
}

const AT_ONCE = 8;

export class LoadAccounts {
  readonly #byNumber = new Map<number, LoadAccount>();
  readonly #client: ServiceClient;
  #left: readonly number[] = [];

  private constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** Creates them. @throws ActionableError when the target refuses; those created so far are deleted */
  static async open({ client, apiKey, numbers, count, runId }: LoadAccountsOptions): Promise<LoadAccounts> {
    const accounts = new LoadAccounts(client);
    if (count === 1) {
      accounts.#byNumber.set(0, new LoadAccount(0, apiKey, null));
      return accounts;
    }
    try {
      await inTurns(numbers, async (number) => {
        const child = await createChildAccount(client, {
          email: `load-${runId}-${number}@example.test`,
          password: `${runId}-${number}-load`,
          creatorRef: `platen-load-${runId}-${number}`,
          alternative: ', or write `accounts: 1` in the scenario',
        });
        accounts.#byNumber.set(number, new LoadAccount(number, child.apiKey, child.id));
      });
    } catch (error) {
      await accounts.remove();
      throw error;
    }
    return accounts;
  }

  get byNumber(): ReadonlyMap<number, LoadAccount> {
    return this.#byNumber;
  }

  /** Ids of accounts that `remove` could not delete. */
  get left(): readonly number[] {
    return this.#left;
  }

  /** Deletes what was created. */
  async remove(): Promise<void> {
    const left: number[] = [];
    await inTurns([...this.#byNumber.values()], async ({ id }) => {
      if (id === null) return;
      const answer = await this.#client.trySend({
        method: 'DELETE',
        path: '/account',
        headers: actingFor(id),
      });
      if (!answer.ok || answer.value.status >= 300) left.push(id);
    });
    this.#left = left;
  }
}

/** A few at a time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
