/**
 * Accounts as callers see them, as JSON text, without keys and passwords, except for the keys of a new
 * account.
 */

import type { Account } from '../../domain/account.ts';
import type { ServiceState } from '../../service-state.ts';

/** The Account object, all sixteen fields. */
export function renderAccount(account: Account, { accounts, computers }: ServiceState): string {
  const own = computers.ofAccount(account.id);
  const creator = account.parentId === null ? undefined : accounts.byId(account.parentId);
  const versions = own.map((computer) => computer.version).filter((version) => version !== null);
  return JSON.stringify({
    id: account.id,
    firstname: account.firstname,
    lastname: account.lastname,
    email: account.email,
    canCreateSubAccounts: account.isIntegrator,
    creatorEmail: creator?.email ?? null,
    creatorRef: account.creatorRef,
    childAccounts: accounts.childrenOf(account).map((child) => child.id),
    credits: 0,
    numComputers: own.length,
    totalPrints: account.totalPrints,
    versions: [...new Set(versions)],
    connected: own.filter((computer) => computer.isConnected).map((computer) => computer.id),
    // An array while it is empty, as the specification has it; choice (gap/tags-shape): then an object.
    Tags: account.tags.size === 0 ? [] : Object.fromEntries(account.tags),
    state: account.state,
    permissions: ['Unrestricted'],
  });
}

/** What GET /account/controllable answers (choice: gap/controllable-shape). */
export function renderControllable(children: readonly Account[]): string {
  return JSON.stringify(children.map((child) => ({ ...identity(child), state: child.state })));
}

/** What POST /account answers (choice: gap/create-account-response). */
export function renderCreated(account: Account): string {
  return JSON.stringify({
    Account: identity(account),
    ApiKeys: Object.fromEntries(account.apiKeys),
    Tags: Object.fromEntries(account.tags),
  });
}

function identity({ id, firstname, lastname, email, creatorRef }: Account): object {
  return { id, firstname, lastname, email, creatorRef };
}
