/**
 * Scenario: a bad day as a value, and the schema of its file.
 */

import { z } from 'zod';

import { chaosSchema } from '../../load/plan/load-scenario.ts';
import { NOTHING_EXPECTED, scenarioExpectSchema } from '../expect/expect-schema.ts';
import { placeFaultRule } from '../setup/place-faults.ts';
import { roomOf, roomSchema, type ScenarioRoom } from './room-schema.ts';
import { stepSchema } from '../steps/step-schema.ts';
import type { OwnFiles } from '../vocabulary/own-files.ts';
import { trafficSchema } from './traffic-schema.ts';

export const scenarioSchema = z
  .strictObject({
    title: z.string().min(1).max(120).describe('What it shows, in one line.'),
    why: z.string().min(20).describe('Who has this problem, and what it costs them, in at least 20 characters.'),
    seed: z
      .union([z.number().int(), z.string().min(1)])
      .default(1)
      .describe('The seed of everything random.'),
    clock: z
      .enum(['virtual', 'real'])
      .default('virtual')
      .describe(
        'The clock of the service that is started for it; a running service has its own. Always real with traffic.',
      ),
    account: z
      .enum(['own', 'child'])
      .exactOptional()
      .describe(
        '`child`: everything happens in a Child Account that is made for the scenario; `own`: in the account of the key. Without it, a service that was not started for the scenario makes a Child Account where the key allows it, so that nothing else is in the account.',
      ),
    room: roomSchema,
    faults: z.array(placeFaultRule).default([]).describe('Fault rules that are in force from the beginning.'),
    steps: z
      .array(stepSchema)
      .min(1)
      .max(500)
      .exactOptional()
      .describe('What happens, in order. Required without traffic.'),
    traffic: trafficSchema.exactOptional(),
    chaos: chaosSchema.exactOptional(),
    expect: scenarioExpectSchema
      .exactOptional()
      .describe(
        'What must hold at the end. Required without traffic; with traffic the account of jobs is judged anyway.',
      ),
  })
  .superRefine(({ steps, traffic, expect }, context) => {
    const missing = (key: string, what: string): void =>
      context.addIssue({ code: 'custom', path: [key], message: `is missing: ${what}` });
    if (steps === undefined && traffic === undefined) missing('steps', 'a list of steps, or traffic');
    if (expect === undefined && traffic === undefined) missing('expect', 'an object of keys and values');
  })
  .transform(({ steps = [], expect = NOTHING_EXPECTED, ...rest }) => ({ ...rest, steps, expect }))
  .describe('A scenario: what happens in a room of printers, and what must be the result.');

export type ScenarioText = z.output<typeof scenarioSchema>;

/** A scenario whose room is made out. */
export type Scenario = Omit<ScenarioText, 'room'> & { readonly room: ScenarioRoom };

export function scenarioOf(text: ScenarioText, files: OwnFiles): Scenario {
  return { ...text, room: roomOf(text.room, files) };
}
