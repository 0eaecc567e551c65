/**
 * Routes of the family "accounts": the account itself, its children, its state; tags.ts and api-keys.ts have
 * the rest.
 */

import { keysOf } from '../../../common/keys-of.ts';
import { ACCOUNT_STATES } from '../../../specification/states.ts';
import type { Account, NewAccount } from '../../domain/account.ts';
import { badRequest, forbidden } from '../../gate/api-error.ts';
import {
  list,
  ok,
  type Handler,
  type JsonRecord,
  type Reply,
  type RequestContext,
} from '../../gate/request-context.ts';
import type { Route } from '../../gate/router.ts';
import { readAccountCreation, readAccountUpdate, type AccountCreation } from '../../requests/account-request.ts';
import type { ServiceState } from '../../service-state.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { tagRoutes } from './tags.ts';

export function accountRoutes(state: ServiceState): Route<Handler>[] {
  return [
    { method: 'GET', path: '/whoami', handler: ({ account }) => ok(renderAccount(account, state)) },
    { method: 'POST', path: '/account', handler: (context) => createChild(state, context) },
    { method: 'PATCH', path: '/account', handler: (context) => update(state, context) },
    { method: 'DELETE', path: '/account', handler: (context) => removeChild(state, context) },
    {
      method: 'GET',
      path: '/account/state',
      handler: ({ account }) => ok(JSON.stringify(account.state)),
    },
    { method: 'PUT', path: '/account/state', handler: (context) => setState(state, context) },
    {
      method: 'GET',
      path: '/account/controllable',
      handler: ({ account }) => list(state.accounts.childrenOf(account).map(renderControllable)),
    },
    ...tagRoutes(state),
    ...apiKeyRoutes(state),
  ];
}

function createChild(state: ServiceState, { account: integrator, body }: RequestContext): Reply {
  if (!integrator.isIntegrator) throw forbidden('only an Integrator Account can create Child Accounts');
  const creation = readAccountCreation(body);
  refuseUsedCreatorRef(state, integrator.id, creation.creatorRef, undefined);
  const child = state.database.write(() => state.accounts.create(newChild(state, integrator, creation)));
  return { status: 201, json: renderCreated(child) };
}

function newChild({ secrets }: ServiceState, integrator: Account, creation: AccountCreation): NewAccount {
  const { firstname, lastname, email, creatorRef, apiKeyNames, tags } = creation;
  return {
    firstname,
    lastname,
    email,
    creatorRef,
    parentId: integrator.id,
    isIntegrator: false,
    tags,
    apiKeys: Object.fromEntries(apiKeyNames.map((name) => [name, secrets.apiKey()])),
  };
}

/** Choice (gap/account-calls-without-child-header): without a Child header the account changes itself. */
function update(state: ServiceState, { account, body }: RequestContext): Reply {
  const wanted = readAccountUpdate(body);
  refuseUsedCreatorRef(state, account.parentId, wanted.creatorRef ?? null, account);
  // Nothing of the API asks for a password: none is kept, not even its hash.
  const { password: _, ...changes } = wanted;
  state.database.write(() => state.accounts.update(account, changes));
  return ok(renderAccount(account, state));
}

/** Unique within one Integrator Account, like the header that identifies a child by it. */
function refuseUsedCreatorRef(
  { accounts }: ServiceState,
  parentId: number | null,
  creatorRef: string | null,
  self: Account | undefined,
): void {
  const parent = parentId === null ? undefined : accounts.byId(parentId);
  const owner = parent && creatorRef !== null ? accounts.childBy(parent, 'creatorRef', creatorRef) : undefined;
  if (owner && owner !== self) throw badRequest('creatorRef: another Child Account already has this one');
}

function removeChild(state: ServiceState, { account, integrator }: RequestContext): Reply {
  if (!integrator) throw namesNoChild('deleted');
  state.database.write(() => state.removeAccount(account));
  return ok('true');
}

const STATES = keysOf(ACCOUNT_STATES);

function setState(state: ServiceState, { account, integrator, body }: RequestContext): Reply {
  if (!integrator) throw namesNoChild('suspended or reactivated');
  const wanted = STATES.find((one) => one === body);
  if (wanted === undefined) {
    throw badRequest(`the body must be one of the JSON strings ${STATES.join(', ')}`);
  }
  state.database.write(() => state.setAccountState(account, wanted));
  return ok(JSON.stringify(wanted));
}

/** Choice (gap/account-calls-without-child-header): no account ends itself by mistake. */
function namesNoChild(done: string): Error {
  return forbidden(
    `only a Child Account can be ${done}, by its Integrator Account naming it in an X-Child-Account-By-* header`,
  );
}

/** The Account object, all sixteen fields. */
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
    // An array while it is empty, as in the specification; choice (gap/tags-shape): then an object.
    Tags: account.tags.size === 0 ? [] : Object.fromEntries(account.tags),
    state: account.state,
    permissions: ['Unrestricted'],
  });
}

/** An element of what GET /account/controllable answers (choice: gap/controllable-shape). */
function renderControllable(child: Account): JsonRecord {
  return [JSON.stringify({ ...identity(child), state: child.state })];
}

/** What POST /account answers (choice: gap/create-account-response). */
function renderCreated(account: Account): string {
  return JSON.stringify({
    Account: identity(account),
    ApiKeys: Object.fromEntries(account.apiKeys),
    Tags: Object.fromEntries(account.tags),
  });
}

function identity({ id, firstname, lastname, email, creatorRef }: Account): object {
  return { id, firstname, lastname, email, creatorRef };
}
