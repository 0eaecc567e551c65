/**
 * Records: the parts of the service's answers that scenarios look at. The rest of them is ignored.
 */

import { z } from 'zod';

import { ActionableError } from '../../common/actionable-error.ts';
import { showValue } from '../../common/json-value.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';

const computer = z.looseObject({ id: z.number(), name: z.string(), state: z.string() });
const printer = z.looseObject({ id: z.number(), name: z.string(), state: z.string().nullable() });
const jobState = z.looseObject({
  printJobId: z.number(),
  state: z.string(),
  message: z.string().nullish(),
  createTimestamp: z.string(),
  clientVersion: z.string().nullish(),
});

export type PrinterRecord = z.infer<typeof printer>;
export type JobStateRecord = z.infer<typeof jobState>;

export const computers = z.array(computer);
export const printers = z.array(printer);
/** States of print jobs, whether they come as a list for each job, as one list, or by the ids of the jobs. */
export const jobStates = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? Object.values(value).flat() : value),
  z.array(jobState),
);

/** Reads an answer. @throws ActionableError when it is not of this form */
export function readRecord<Value>(schema: z.ZodType<Value>, value: unknown, path: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ActionableError(
    'unreachable',
    `the answer at ${path} is not one of a printing service: ${showValue(value)}`,
    'Run `platen check` on it first.',
  );
}

/**
 * The states of each job, oldest first: the order in which a service lists them is for it to choose. So are further
 * states between those that are printed; a client may report others as well.
 */
export function historiesIn(states: readonly JobStateRecord[]): ReadonlyMap<number, readonly JobStateRecord[]> {
  const histories = [...Map.groupBy(states.filter(isExpected), ({ printJobId }) => printJobId)];
  return new Map(histories.map(([id, history]) => [id, isNewestFirst(history) ? history.toReversed() : history]));
}

function isExpected({ state, clientVersion }: JobStateRecord): boolean {
  return Object.hasOwn(STABLE_PRINT_JOB_STATES, state) || typeof clientVersion === 'string';
}

/** A job begins as new. */
function isNewestFirst(history: readonly JobStateRecord[]): boolean {
  return history.at(-1)?.state === 'new' && history[0]?.state !== 'new';
}

/** The names of a job's states in a row: `new → sent_to_client → done`. */
export function seenStates(states: readonly JobStateRecord[]): string {
  return states.map(({ state }) => state).join(' → ') || 'no states';
}
