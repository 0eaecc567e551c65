/**
 * lp: a person prints from an operating system: through a queue of CUPS, without any service.
 */

import { z } from 'zod';

import { usageError } from '../../common/actionable-error.ts';
import { missingForPrintSystem } from '../../targets/print-system.ts';
import { ERROR_POLICIES, PRINT_PROTOCOLS } from '../setup/print-desk.ts';
import { readDocument } from '../vocabulary/documents.ts';
import { uses } from '../vocabulary/names.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { documentName, name } from '../vocabulary/schema-types.ts';
import { stepKind } from './step.ts';

const args = z.strictObject({
  printer: name.describe('The printer.'),
  by: z.enum(PRINT_PROTOCOLS).default('ipp').describe('How CUPS reaches the printer; ipp by default.'),
  document: documentName,
  title: z.string().min(1).default('job'),
  options: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default({})
    .describe('As after `lp -o`: `{ media: A5, raw: "true" }`.'),
  policy: z
    .enum(ERROR_POLICIES)
    .default('retry-job')
    .describe('The error policy of the queue: what CUPS does when the printer fails the job.'),
});

export const lp = stepKind<z.output<typeof args>>({
  about:
    'A person prints from an operating system: through a queue of an unmodified CUPS, which is started for the scenario. Needs `clock: real`.',
  args,
  summary: ({ printer, by, document }) => `lp ${document} to ${printer} by ${by}`,
  names: ({ printer }) => uses('printer', printer, 'printer'),
  async run({ printer, document, ...order }, setup) {
    const missing = missingForPrintSystem();
    if (missing.length > 0)
      return { kind: 'inconclusive', reason: `there is no ${missing.join(', no ')} on this machine` };
    if (setup.time.isVirtual) throw usageError('CUPS has no virtual clock', 'Play the scenario on a real clock.');
    const desk = await setup.printDesk();
    await desk.print({
      ...order,
      printer: setup.printer(printer),
      document: readDocument(document, setup.files.documents),
    });
    return KEPT;
  },
});
