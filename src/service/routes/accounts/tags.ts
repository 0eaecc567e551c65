/**
 * Routes of the family "accounts": tags.
 */

import { notFound } from '../../gate/api-error.ts';
import { ok, type Handler, type Reply, type RequestContext } from '../../gate/request-context.ts';
import type { Route } from '../../gate/router.ts';
import { checkTagName, checkTagValue } from '../../requests/account-request.ts';
import type { ServiceState } from '../../service-state.ts';

const PATH = '/account/tag/{name}';

/** Answers are the choices of gap/tag-response. */
export function tagRoutes(state: ServiceState): Route<Handler>[] {
  return [
    { method: 'GET', path: PATH, handler: (context) => ok(JSON.stringify(existing(context).value)) },
    { method: 'POST', path: PATH, handler: (context) => set(state, context) },
    { method: 'DELETE', path: PATH, handler: (context) => remove(state, context) },
  ];
}

function set({ accounts, database }: ServiceState, { account, params, body }: RequestContext): Reply {
  const name = checkTagName(params['name'] ?? '');
  const value = checkTagValue(body);
  const isNew = !account.tags.has(name);
  account.tags.set(name, value);
  database.write(() => accounts.save(account));
  return isNew ? { status: 201, json: '"created"' } : ok('"updated"');
}

function remove({ accounts, database }: ServiceState, context: RequestContext): Reply {
  context.account.tags.delete(existing(context).name);
  database.write(() => accounts.save(context.account));
  return ok('true');
}

function existing({ account, params }: RequestContext): { name: string; value: string } {
  const name = checkTagName(params['name'] ?? '');
  const value = account.tags.get(name);
  if (value === undefined) throw notFound(`there is no tag '${name}'`);
  return { name, value };
}
