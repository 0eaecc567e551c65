/**
 * Accounts: Single, Integrator and Child, and the API keys that identify them.
 *
 *   Single                   parentId null, isIntegrator false
 *   Integrator ──creates──►  parentId null, isIntegrator true
 *      └─► Child             parentId of its Integrator
 *
 * Tags and keys are Maps, so that a name like `__proto__` is a name and nothing else.
 */

import { z } from 'zod';

import { keysOf } from '../../common/keys-of.ts';
import { ACCOUNT_STATES } from '../../specification/states.ts';
import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';

export type AccountState = keyof typeof ACCOUNT_STATES;

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
  state: AccountState;
  totalPrints: number;
  readonly tags: Map<string, string>;
  /** Description → key. */
  readonly apiKeys: Map<string, string>;
}

/** What a caller can change about an account. */
export type AccountChanges = Partial<Pick<Account, 'firstname' | 'lastname' | 'email' | 'creatorRef'>>;

/** What an account begins with; tags and keys by their names. */
export interface NewAccount extends Pick<
  Account,
  'firstname' | 'lastname' | 'email' | 'creatorRef' | 'parentId' | 'isIntegrator'
> {
  readonly tags: Readonly<Record<string, string>>;
  readonly apiKeys: Readonly<Record<string, string>>;
}

interface StoredAccount extends Omit<Account, 'tags' | 'apiKeys'> {
  readonly tags: Record<string, string>;
  readonly apiKeys: Record<string, string>;
}

/** What a stored account has to have. */
export const STORED_ACCOUNT: z.ZodType<StoredAccount> = z.object({
  id: z.int(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  creatorRef: z.string().nullable(),
  parentId: z.int().nullable(),
  isIntegrator: z.boolean(),
  state: z.enum(keysOf(ACCOUNT_STATES)),
  totalPrints: z.number(),
  tags: z.record(z.string(), z.string()),
  apiKeys: z.record(z.string(), z.string()),
});

export class Accounts {
  readonly #records: Records<StoredAccount>;
  readonly #byId = new Map<number, Account>();
  readonly #byKey = new Map<string, Account>();
  readonly #children = new ChildAccounts();

  constructor(database: Database) {
    this.#records = new Records(database, 'account');
    for (const stored of this.#records.load(STORED_ACCOUNT)) this.#index(revive(stored));
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** By ascending id. */
  all(): Account[] {
    return [...this.#byId.values()];
  }

  byId(id: number): Account | undefined {
    return this.#byId.get(id);
  }

  byKey(apiKey: string): Account | undefined {
    return this.#byKey.get(apiKey);
  }

  /** The Child Accounts of an Integrator Account, by ascending id. */
  childrenOf(account: Account): Account[] {
    return this.#children.of(account.id);
  }

  /** The only Child Account of this Integrator with this email or creatorRef. */
  childBy(integrator: Account, strategy: 'email' | 'creatorRef', value: string): Account | undefined {
    return this.#children.find(integrator.id, strategy, value);
  }

  create(fields: NewAccount): Account {
    const account = revive({
      ...fields,
      id: this.#records.nextId(),
      state: 'active',
      totalPrints: 0,
    });
    this.#index(account);
    this.save(account);
    return account;
  }

  /** Adds an account that was removed again, under its old id. */
  restore(account: Account): void {
    this.#index(account);
    this.save(account);
  }

  update(account: Account, changes: AccountChanges): void {
    this.#children.remove(account);
    Object.assign(account, changes);
    this.#children.add(account);
    this.save(account);
  }

  addApiKey(account: Account, name: string, key: string): void {
    account.apiKeys.set(name, key);
    this.#byKey.set(key, account);
    this.save(account);
  }

  removeApiKey(account: Account, name: string): void {
    this.#byKey.delete(account.apiKeys.get(name) ?? '');
    account.apiKeys.delete(name);
    this.save(account);
  }

  /** Forgets an account; its id is never used again. */
  remove(account: Account): void {
    this.#byId.delete(account.id);
    for (const key of account.apiKeys.values()) this.#byKey.delete(key);
    this.#children.remove(account);
    this.#records.remove(account.id);
  }

  /** Stores an account after a change. */
  save(account: Account): void {
    this.#records.save({
      ...account,
      tags: Object.fromEntries(account.tags),
      apiKeys: Object.fromEntries(account.apiKeys),
    });
  }

  #index(account: Account): void {
    this.#byId.set(account.id, account);
    for (const key of account.apiKeys.values()) this.#byKey.set(key, account);
    this.#children.add(account);
  }
}

/** The account that controls this one: its parent, or itself. */
export function controllingAccountId(account: Account): number {
  return account.parentId ?? account.id;
}

function revive(stored: StoredAccount): Account {
  return {
    ...stored,
    tags: new Map(Object.entries(stored.tags)),
    apiKeys: new Map(Object.entries(stored.apiKeys)),
  };
}

type Strategy = 'email' | 'creatorRef';

interface Family {
  readonly children: Map<number, Account>;
  readonly email: Map<string, Set<Account>>;
  readonly creatorRef: Map<string, Set<Account>>;
}

/** Child accounts by email and creatorRef: every request with an X-Child-Account-By-* header looks one up. */
class ChildAccounts {
  /** By the id of the Integrator Account. */
  readonly #families = new Map<number, Family>();

  /** The children of an account, by ascending id. */
  of(parentId: number): Account[] {
    return [...(this.#families.get(parentId)?.children.values() ?? [])].toSorted((a, b) => a.id - b.id);
  }

  /** The only child whose `strategy` has this value. */
  find(parentId: number, strategy: Strategy, value: string): Account | undefined {
    const [child, another] = this.#families.get(parentId)?.[strategy].get(value) ?? [];
    // Choice: an email that several children share identifies none of them.
    return another ? undefined : child;
  }

  add(account: Account): void {
    if (account.parentId === null) return;
    const family = this.#families.get(account.parentId) ?? newFamily();
    this.#families.set(account.parentId, family);
    family.children.set(account.id, account);
    addTo(family.email, account.email, account);
    if (account.creatorRef !== null) addTo(family.creatorRef, account.creatorRef, account);
  }

  /** Removes an account; call it before its email or creatorRef changes. */
  remove(account: Account): void {
    const family = this.#families.get(account.parentId ?? 0);
    family?.children.delete(account.id);
    removeFrom(family?.email, account.email, account);
    removeFrom(family?.creatorRef, account.creatorRef ?? '', account);
  }
}

function newFamily(): Family {
  return { children: new Map(), email: new Map(), creatorRef: new Map() };
}

function addTo(index: Map<string, Set<Account>>, value: string, account: Account): void {
  index.set(value, (index.get(value) ?? new Set<Account>()).add(account));
}

function removeFrom(index: Map<string, Set<Account>> | undefined, value: string, account: Account): void {
  const accounts = index?.get(value);
  accounts?.delete(account);
  if (accounts?.size === 0) index?.delete(value);
}
