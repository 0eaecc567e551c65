/**
 * Routes of the family "computers".
 */

import { renderComputer, type Computer } from '../domain/computer.ts';
import { parseIdSet } from '../gate/id-set.ts';
import { ok, type Handler, type RequestContext } from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';
import type { ServiceState } from '../service-state.ts';
import { DeviceLists } from './device-lists.ts';

export function computerRoutes(state: ServiceState): Route<Handler>[] {
  const lists = new DeviceLists(state, selectComputers, renderComputer);
  const list: Handler = (context) => lists.reply(context);
  const remove: Handler = (context) => {
    const computers = selectComputers(state, context);
    state.database.write(() => {
      for (const computer of computers) state.removeComputer(computer);
    });
    return ok(JSON.stringify(computers.map((computer) => computer.id)));
  };
  return [
    { method: 'GET', path: '/computers', handler: list },
    { method: 'GET', path: '/computers/{computer_set}', handler: list },
    { method: 'DELETE', path: '/computers', handler: remove },
    { method: 'DELETE', path: '/computers/{computer_set}', handler: remove },
  ];
}

/** The account's computers that the path names: all of them when it names no set. */
export function selectComputers(state: ServiceState, { account, params }: RequestContext): Computer[] {
  const set = params['computer_set'];
  const own = state.computers.ofAccount(account.id);
  if (set === undefined) return own;
  const ids = new Set(parseIdSet(set, 'computer_set'));
  return own.filter((computer) => ids.has(computer.id));
}
