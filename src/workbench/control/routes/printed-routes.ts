/**
 * Routes of what came out of printers: its sides as a PDF, as pictures and as text, and raw bytes as they are. Those
 * of a job and of a printout have the same parts.
 */

import type { z } from 'zod';

import { DocumentError } from '../../../devices/press/press-messages.ts';
import type { Printout } from '../../../devices/printer/printout.ts';
import * as schema from '../../../record/control-jobs.ts';
import { rawBytes, sheetsPdf, sidePng, sidesText } from '../../views/printed-document.ts';
import { ApiError } from '../../../service/gate/api-error.ts';
import type { Workbench } from '../../workbench.ts';
import { bytes, json } from '../control-reply.ts';
import { route, sideIn, wholeNumber, type ControlRoute } from '../control-route.ts';

type Params = Readonly<Record<string, string>>;
type QueryOf<Values> = z.ZodObject & z.ZodType<Values>;

export const width = wholeNumber('pixels; unless given, as on a screen; of labels and receipts a pixel for each dot');

interface Printed {
  readonly printouts: readonly Printout[];
  /** Refuses a part that is not there. @param what - `no sheet` */
  readonly missing: (what: string) => never;
}

/** @param find - what came out that a path below `path` is about */
export function printedRoutes<Query extends object>(
  path: `/${string}`,
  query: QueryOf<Query>,
  pictureQuery: QueryOf<Query & { readonly width: number | undefined }>,
  find: (params: Params, query: Query, workbench: Workbench) => Printed,
): readonly ControlRoute[] {
  return [
    route(`GET ${path}/sheets.pdf`, {
      summary: 'its sheets, labels or receipts as far as they are drawn, a page for each side',
      answer: 'application/pdf',
      query,
      handler: async ({ params, query: given }, workbench) => {
        const { printouts, missing } = find(params, given, workbench);
        return bytes('application/pdf', (await drawn(sheetsPdf(printouts, workbench.press))) ?? missing('no sheet'));
      },
    }),
    route(`GET ${path}/sheets/{file}`, {
      summary: 'a side as a picture: `sheets/1.png`, about `width` pixels wide',
      answer: 'image/png',
      query: pictureQuery,
      handler: async ({ params, query: given }, workbench) => {
        const side = sideIn(params['file'] ?? '');
        const { printouts, missing } = find(params, given, workbench);
        return bytes('image/png', (await drawn(sidePng(printouts, side, given.width))) ?? missing(`no side ${side}`));
      },
    }),
    route(`GET ${path}/text`, {
      summary: 'the text on each side, also of labels and receipts that are not drawn',
      answer: schema.jobText,
      query,
      handler: async ({ params, query: given }, workbench) =>
        json({ sides: await drawn(sidesText(find(params, given, workbench).printouts)) }),
    }),
    route(`GET ${path}/raw`, {
      summary: 'what a printer got in its own language',
      answer: 'application/octet-stream',
      query,
      handler: ({ params, query: given }, workbench) => {
        const { printouts, missing } = find(params, given, workbench);
        return bytes('application/octet-stream', rawBytes(printouts) ?? missing('no raw printout'));
      },
    }),
  ];
}

/** A document that cannot be looked at is on paper all the same. @throws ApiError */
async function drawn<Drawing>(drawing: Promise<Drawing>): Promise<Drawing> {
  return drawing.catch((error: unknown) => {
    throw error instanceof DocumentError ? new ApiError(422, 'CannotBeDrawn', error.message) : error;
  });
}
