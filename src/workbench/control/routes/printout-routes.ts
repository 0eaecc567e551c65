/**
 * Routes of printouts: what operating systems printed on the printers of the room, past the service. What the
 * service printed stands with its jobs.
 */

import { z } from 'zod';

import type { HardwareOrigin, Printout } from '../../../devices/printer/printout.ts';
import * as schema from '../../../record/control-schemas.ts';
import type { HardwarePrintoutView } from '../../../record/control-types.ts';
import { ControlError } from '../../control-error.ts';
import { rawBytes, sheetsPdf, sidePng, sidesText } from '../../views/printed-document.ts';
import type { Workbench } from '../../workbench.ts';
import { bytes, json } from '../control-reply.ts';
import { account, route, sideIn, wholeNumber, type ControlRoute } from '../control-route.ts';

const query = z.object({ account });

export const PRINTOUT_ROUTES: readonly ControlRoute[] = [
  route('GET /printouts', {
    summary: 'what operating systems printed on exposed printers, oldest first for each printer',
    answer: schema.hardwarePrintouts,
    query,
    handler: ({ query: { account: id } }, workbench) => json(printoutsOf(workbench, id).map(({ view }) => view)),
  }),
  route('GET /printouts/{id}/sheets.pdf', {
    summary: 'its sheets, or its labels where they are drawn, a page for each side',
    answer: 'application/pdf',
    query,
    handler: async ({ params, query: { account: id } }, workbench) => {
      const pdf = await sheetsPdf([printoutOf(workbench, id, params)]);
      return pdf ? bytes('application/pdf', pdf) : noSides();
    },
  }),
  route('GET /printouts/{id}/sheets/{file}', {
    summary: 'a side as a picture: `sheets/1.png`, about `width` pixels wide',
    answer: 'image/png',
    query: z.object({ account, width: wholeNumber('pixels; as on a screen unless given') }),
    handler: async ({ params, query: { account: id, width } }, workbench) => {
      const png = await sidePng([printoutOf(workbench, id, params)], sideIn(params['file'] ?? ''), width);
      return png ? bytes('image/png', png) : noSides();
    },
  }),
  route('GET /printouts/{id}/text', {
    summary: 'the text on each side; of labels the data of their fields',
    answer: schema.jobText,
    query,
    handler: async ({ params, query: { account: id } }, workbench) =>
      json({ sides: await sidesText([printoutOf(workbench, id, params)]) }),
  }),
  route('GET /printouts/{id}/raw', {
    summary: 'what the printer got in its own language',
    answer: 'application/octet-stream',
    query,
    handler: ({ params, query: { account: id } }, workbench) => {
      const raw = rawBytes([printoutOf(workbench, id, params)]);
      return raw ? bytes('application/octet-stream', raw) : noSides();
    },
  }),
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
  const sides =
    printout.kind === 'sheets'
      ? printout.sheets.reduce((sum, sheet) => sum + sheet.sides.length, 0)
      : (printout.labels?.sides ?? 0);
  const { protocol, user } = origin;
  return {
    id,
    protocol,
    computer,
    printer,
    title,
    user,
    kind: printout.kind,
    sides,
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
  throw new ControlError(404, 'NotFound', `there is no printout '${id}'; GET /_platen/printouts lists them`);
}

function noSides(): never {
  throw new ControlError(404, 'NotFound', 'the printout has no such part');
}
