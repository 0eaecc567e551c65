/**
 * queue: waits until CUPS says something of the queue of a printer.
 */

import type { z } from 'zod';

import { duration } from '../../common/duration-schema.ts';
import { queueDetails, queueBreaks } from '../expect/queues.ts';
import { uses } from '../vocabulary/names.ts';
import { outcomeOf, type Break } from '../vocabulary/outcome.ts';
import { name } from '../vocabulary/schema-types.ts';
import { stepKind } from './step.ts';

const args = queueDetails.extend({
  printer: name.describe('The printer.'),
  within: duration.default('60s').describe('How long to wait at most.'),
});

export const queue = stepKind<z.output<typeof args>>({
  about: 'Waits until CUPS says this of the queue that the step `lp` made.',
  args,
  summary: ({ printer, by }) => `wait for the queue of ${printer} by ${by}`,
  names: ({ printer }) => uses('printer', printer, 'printer'),
  async run({ printer, within, ...wanted }, setup) {
    let breaks: readonly Break[] = [];
    await setup.waitFor({
      limit: within,
      probe: async () => {
        breaks = await queueBreaks(printer, wanted, setup);
        return breaks.length === 0 ? true : undefined;
      },
    });
    return outcomeOf(breaks);
  },
});
