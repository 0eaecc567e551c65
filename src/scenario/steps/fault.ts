/**
 * fault, clear-fault: something goes wrong from now on, or is repaired.
 */

import { z } from 'zod';

import type { FaultRule } from '../../common/fault-rule.ts';
import { FAULT_NAMES, namesAt, placeFaultRule, printersAt, putInForce } from '../setup/place-faults.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

export const fault = stepKind<FaultRule>({
  about: 'Something goes wrong from now on: a fault rule, as in `faults`.',
  args: placeFaultRule,
  summary: ({ at, fault: what }) => `${what} at ${at}`,
  names: ({ at }) => namesAt(at),
  async run(rule, setup) {
    const outcome = await putInForce(rule, setup);
    await setup.settle();
    return outcome;
  },
});

const clearArgs = z.strictObject({
  at: z.string().min(1).describe('The place, as in the rule.'),
  fault: z
    .string()
    .meta({ enum: FAULT_NAMES })
    .exactOptional()
    .describe('The fault; all faults of the place by default.'),
});

export const clearFault = stepKind<z.output<typeof clearArgs>>({
  about: 'The faults at a place are cleared.',
  args: clearArgs,
  summary: ({ at, fault: what = 'everything' }) => `clear ${what} at ${at}`,
  names: ({ at }) => namesAt(at),
  async run({ at, fault: what }, setup) {
    for (const { id, rule } of setup.faults.rules) {
      if (rule.at === at && (what === undefined || rule.fault === what)) setup.faults.remove(id);
    }
    // A printer may have had the fault from the beginning.
    for (const printer of printersAt(at, setup)) printer.clear(what);
    await setup.settle();
    return KEPT;
  },
});
