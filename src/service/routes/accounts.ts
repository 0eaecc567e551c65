/**
 * Routes of the family "account".
 */

import type { Account } from '../domain/account.ts';
import type { ServiceState } from '../service-state.ts';
import { ok, type Handler } from '../request-context.ts';
import type { Route } from '../router.ts';

export function accountRoutes(state: ServiceState): Route<Handler>[] {
  return [{ method: 'GET', path: '/whoami', handler: ({ account }) => ok(renderAccount(account, state)) }];
}

/** The Account object, all sixteen fields, as JSON text. */
function renderAccount(account: Account, { accounts, computers }: ServiceState): string {
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
    Tags: account.tags,
    state: account.state,
    permissions: ['Unrestricted'],
  });
}
