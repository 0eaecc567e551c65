/**
 * Routes of the family "accounts": API keys, each with a name that is unique within its account.
 */

import { forbidden, notFound } from '../../gate/api-error.ts';
import { ok, type Handler, type Reply, type RequestContext } from '../../gate/request-context.ts';
import type { Route } from '../../gate/router.ts';
import { withinLimit } from '../../requests/fields.ts';
import type { ServiceState } from '../../service-state.ts';

const PATH = '/account/apikey/{description}';

/** Answers are the choices of gap/api-key-response. */
export function apiKeyRoutes(state: ServiceState): Route<Handler>[] {
  return [
    { method: 'GET', path: PATH, handler: (context) => ok(JSON.stringify(existing(context).key)) },
    { method: 'POST', path: PATH, handler: (context) => create(state, context) },
    { method: 'DELETE', path: PATH, handler: (context) => remove(state, context) },
  ];
}

/** Choice (gap/api-key-repeated-name): the same key again. */
function create(state: ServiceState, { account, params }: RequestContext): Reply {
  const name = params['description'] ?? '';
  const known = account.apiKeys.get(name);
  if (known !== undefined) return ok(JSON.stringify(known));
  withinLimit(name, 'description');
  const key = state.secrets.apiKey();
  state.database.write(() => state.accounts.addApiKey(account, name, key));
  return { status: 201, json: JSON.stringify(key) };
}

function remove(state: ServiceState, context: RequestContext): Reply {
  const { account } = context;
  const { name, key } = existing(context);
  // Choice: the last key stays, except of a Child Account: its Integrator Account can create another one.
  if (account.parentId === null && account.apiKeys.size === 1) {
    throw forbidden('this is the last API key of the account; without one the account could not be used any more');
  }
  state.database.write(() => state.accounts.removeApiKey(account, name));
  state.gateway.expel((identity) => identity.key === key, 'the API key was deleted');
  return ok('true');
}

function existing({ account, params }: RequestContext): { name: string; key: string } {
  const name = params['description'] ?? '';
  const key = account.apiKeys.get(name);
  if (key === undefined) throw notFound('there is no API key with this name');
  return { name, key };
}
