/**
 * Routes of the family "printers".
 */

import type { Printer } from '../domain/printer.ts';
import { parseIdSet } from '../gate/id-set.ts';
import { ok, type Handler, type RequestContext } from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';
import type { ServiceState } from '../service-state.ts';
import { selectComputers } from './computers.ts';
import { DeviceLists } from './device-lists.ts';

export function printerRoutes(state: ServiceState): Route<Handler>[] {
  const lists = new DeviceLists(state, selectPrinters, (printer) => state.printers.render(printer));
  const list: Handler = (context) => lists.reply(context);
  const refresh: Handler = ({ account }) => {
    state.gateway.refresh(account.id);
    return ok('true');
  };
  return [
    { method: 'GET', path: '/printers', handler: list },
    { method: 'GET', path: '/printers/refresh', handler: refresh },
    { method: 'GET', path: '/printers/{printer_set}', handler: list },
    { method: 'GET', path: '/computers/{computer_set}/printers', handler: list },
    { method: 'GET', path: '/computers/{computer_set}/printers/{printer_set}', handler: list },
  ];
}

/** The account's present printers that the path names, by ascending id. */
function selectPrinters(state: ServiceState, context: RequestContext): Printer[] {
  const set = context.params['printer_set'];
  const own = selectComputers(state, context)
    .flatMap((computer) => state.printers.ofComputer(computer.id))
    .toSorted((a, b) => a.id - b.id);
  if (set === undefined) return own;
  const ids = new Set(parseIdSet(set, 'printer_set'));
  return own.filter((printer) => ids.has(printer.id));
}
