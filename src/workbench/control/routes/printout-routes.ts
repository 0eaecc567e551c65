/**
 * Routes of printouts: what operating systems printed on the printers of the room, past the service. What the
 * service printed stands with its jobs.
 */

import { z } from 'zod';

import type { HardwareOrigin, Printout } from '../../../devices/printer/printout.ts';
import * as schema from '../../../record/control-jobs.ts';
import type { HardwarePrintoutView } from '../../../record/control-types.ts';
import { notFound } from '../../../service/gate/api-error.ts';
import { sidesOf } from '../../views/printed-document.ts';
import type { Workbench } from '../../workbench.ts';
import { json } from '../control-reply.ts';
import { account, route, type ControlRoute } from '../control-route.ts';
import { printedRoutes, width } from './printed-routes.ts';

const query = z.object({ account });

export const PRINTOUT_ROUTES: readonly ControlRoute[] = [
  route('GET /printouts', {
    summary: 'what operating systems printed on exposed printers, oldest first for each printer',
    answer: schema.hardwarePrintouts,
    query,
    handler: ({ query: { account: id } }, workbench) => json(printoutsOf(workbench, id).map(({ view }) => view)),
  }),
  ...printedRoutes('/printouts/{id}', query, query.extend({ width }), (params, { account: id }, workbench) => ({
    printouts: [printoutOf(workbench, id, params)],
    missing: () => {
      throw notFound('the printout has no such part');
    },
  })),
];

interface Found {
  readonly printout: Printout;
  readonly view: HardwarePrintoutView;
}

function printoutsOf(workbench: Workbench, accountId: number | undefined): Found[] {
  return workbench.room(accountId).room.computers.flatMap((computer, index) =>
    computer.printers.flatMap((printer) =>
      printer.printouts().flatMap((printout) => {
        const { origin } = printout;
        if (origin === null) return [];
        const id = `${origin.protocol}.${index + 1}.${printer.key}.${origin.id}`;
        return [{ printout, view: viewOf(id, computer.name, printout, origin) }];
      }),
    ),
  );
}

function viewOf(id: string, computer: string, printout: Printout, origin: HardwareOrigin): HardwarePrintoutView {
  const { printerName: printer, title, complete, printedAtMs } = printout;
  const { protocol, user } = origin;
  return {
    id,
    protocol,
    computer,
    printer,
    title,
    user,
    kind: printout.kind,
    sides: sidesOf(printout),
    complete,
    printedAt: new Date(printedAtMs).toISOString(),
  };
}

function printoutOf(
  workbench: Workbench,
  accountId: number | undefined,
  { id }: Readonly<Record<string, string>>,
): Printout {
  const found = printoutsOf(workbench, accountId).find(({ view }) => view.id === id);
  if (found) return found.printout;
  throw notFound(`there is no printout '${id}'; GET /_platen/printouts lists them`);
}
