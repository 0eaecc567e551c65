/**
 * Records: the parts of the service's answers that scenarios look at. The rest of them is ignored.
 */

import { z } from 'zod';

import { ActionableError } from '../../common/actionable-error.ts';
import { showValue } from '../../common/json-value.ts';

const computer = z.looseObject({ id: z.number(), name: z.string(), state: z.string() });
const printer = z.looseObject({ id: z.number(), name: z.string(), state: z.string().nullable() });
const jobState = z.looseObject({
  state: z.string(),
  message: z.string().nullish(),
  createTimestamp: z.string(),
});

export type PrinterRecord = z.infer<typeof printer>;
export type JobStateRecord = z.infer<typeof jobState>;

export const computers = z.array(computer);
export const printers = z.array(printer);
/** One list for each job, oldest state first. */
export const jobStates = z.array(z.array(jobState));

/** Reads an answer. @throws ActionableError when it is not of this form */
export function readRecord<Value>(schema: z.ZodType<Value>, value: unknown, path: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ActionableError(
    'unreachable',
    `what the service answers at ${path} is not what a service of this kind answers: ${showValue(value)}`,
    'Run `platen check` on it first.',
  );
}

/** The names of a job's states in a row: `new → sent_to_client → done`. */
export function seenStates(states: readonly JobStateRecord[]): string {
  return states.map(({ state }) => state).join(' → ') || 'no states';
}
