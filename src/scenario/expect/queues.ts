/**
 * queues: what CUPS says of the queue through which it prints on a printer.
 */

import { z } from 'zod';

import { PRINT_PROTOCOLS } from '../setup/print-desk.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { count } from '../vocabulary/schema-types.ts';
import { expectationKind } from './expectation.ts';

export const queueDetails = z.strictObject({
  by: z.enum(PRINT_PROTOCOLS).default('ipp').describe('How CUPS reaches the printer; ipp by default.'),
  waiting: count.exactOptional().describe('Jobs that have not ended.'),
  over: count.exactOptional().describe('Jobs that have ended, printed or given up.'),
  stopped: z.boolean().exactOptional().describe('Whether the queue is stopped.'),
  reasons: z
    .array(z.string())
    .exactOptional()
    .describe('All reasons of its state but those of CUPS itself (`cups-…`); `[none]` without any.'),
});

type QueueDetails = z.output<typeof queueDetails>;

export const queues = expectationKind<QueueDetails>({
  about: 'By name of a printer: the queue of CUPS that the step `lp` made for it.',
  of: 'printer',
  wanted: queueDetails,
  judge: queueBreaks,
});

/** What differs between what is wanted of the queue of a printer and what CUPS says. */
export async function queueBreaks(
  printer: string,
  { by, waiting, over, stopped, reasons }: QueueDetails,
  setup: Setup,
): Promise<Break[]> {
  const state = await (await setup.printDesk()).stateOf({ printer: setup.printer(printer), by });
  const pairs = [
    ['jobs waiting in', waiting, state.waiting],
    ['jobs over in', over, state.over],
    ['a stop of', stopped, state.isStopped],
    ['reasons of', reasons?.toSorted().join(', '), state.reasons.toSorted().join(', ')],
  ] as const;
  return pairs.flatMap(([what, expected, actual]) =>
    expected === undefined || expected === actual
      ? []
      : [
          {
            at: `${what} the queue of ${printer} by ${by}`,
            expected: String(expected),
            actual: String(actual),
            jobs: [],
          },
        ],
  );
}
