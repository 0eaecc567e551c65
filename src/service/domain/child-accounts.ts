/**
 * Child accounts by email and creatorRef: an index over live accounts, kept by Accounts.
 *
 * It finds one in constant time, since every request with an X-Child-Account-By-* header asks.
 */

/** What the index has to know of an account. */
interface Relation {
  readonly id: number;
  readonly parentId: number | null;
  readonly email: string;
  readonly creatorRef: string | null;
}

type Strategy = 'email' | 'creatorRef';

interface Family<Account> {
  readonly children: Map<number, Account>;
  readonly email: Map<string, Set<Account>>;
  readonly creatorRef: Map<string, Set<Account>>;
}

export class ChildAccounts<Account extends Relation> {
  /** By the id of the Integrator Account. */
  readonly #families = new Map<number, Family<Account>>();

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

  /** Adds an account, if it is a child. */
  add(account: Account): void {
    if (account.parentId === null) return;
    const family = this.#families.get(account.parentId) ?? newFamily<Account>();
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

function newFamily<Account>(): Family<Account> {
  return { children: new Map(), email: new Map(), creatorRef: new Map() };
}

function addTo<Account>(index: Map<string, Set<Account>>, value: string, account: Account): void {
  index.set(value, (index.get(value) ?? new Set<Account>()).add(account));
}

function removeFrom<Account>(
  index: Map<string, Set<Account>> | undefined,
  value: string,
  account: Account,
): void {
  const accounts = index?.get(value);
  accounts?.delete(account);
  if (accounts?.size === 0) index?.delete(value);
}
