/**
 * Accounts and the API keys that identify them.
 */

import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';

export interface Account {
  readonly id: number;
  firstname: string;
  lastname: string;
  email: string;
  creatorRef: string | null;
  /** The Integrator Account that created this Child Account; null for Single and Integrator Accounts. */
  readonly parentId: number | null;
  /** True for an Integrator Account, which can create Child Accounts. */
  readonly isIntegrator: boolean;
  state: 'active' | 'suspended';
  totalPrints: number;
  tags: Record<string, string>;
  /** Description → key. */
  apiKeys: Record<string, string>;
}

export type NewAccount = Omit<Account, 'id' | 'state' | 'totalPrints'>;

export class Accounts {
  readonly #records: Records<Account>;
  readonly #byId = new Map<number, Account>();
  readonly #byKey = new Map<string, Account>();

  constructor(database: Database) {
    this.#records = new Records(database, 'account');
    for (const account of this.#records.load()) this.#index(account);
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  byId(id: number): Account | undefined {
    return this.#byId.get(id);
  }

  byKey(apiKey: string): Account | undefined {
    return this.#byKey.get(apiKey);
  }

  childrenOf(account: Account): Account[] {
    return [...this.#byId.values()].filter((child) => child.parentId === account.id);
  }

  create(fields: NewAccount): Account {
    const account: Account = {
      ...fields,
      id: this.#records.nextId(),
      state: 'active',
      totalPrints: 0,
    };
    this.#index(account);
    this.save(account);
    return account;
  }

  /** Stores what was changed on an account. */
  save(account: Account): void {
    this.#records.save(account);
  }

  #index(account: Account): void {
    this.#byId.set(account.id, account);
    for (const key of Object.values(account.apiKeys)) this.#byKey.set(key, account);
  }
}

/** The account the controlling of `account` lies with: its parent, or itself. */
export function controllingAccountId(account: Account): number {
  return account.parentId ?? account.id;
}
