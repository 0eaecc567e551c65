/**
 * jobs: the state of a job, the states it went through, and their messages.
 */

import { z } from 'zod';

import { seenStates, type JobStateRecord } from '../setup/records.ts';
import type { SubmittedJob } from '../setup/setup.ts';
import { jobState } from '../vocabulary/schema-types.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const details = z.strictObject({
  state: jobState.exactOptional().describe('The state it is in.'),
  states: z.array(jobState).exactOptional().describe('All states it went through, in order.'),
  never: z.array(jobState).exactOptional().describe('States it must not have had.'),
  message: z.string().min(1).exactOptional().describe('A part of the message of its state.'),
});
const wanted = z.union([jobState.transform((state) => ({ state })), details]);
type Wanted = z.output<typeof details>;

export const jobs = expectationKind<Wanted>({
  about: 'By name of a job: its state (in short `letter: done`), all its states, a part of its message.',
  of: 'job',
  wanted,
  async judge(name, given, setup) {
    const all = setup.jobsNamed(name);
    const histories = await setup.states(all);
    return all.flatMap((job, index) => judgeJob(job, given, histories[index] ?? [], all.length > 1));
  },
});

function judgeJob(
  { name, id }: SubmittedJob,
  { state, states, never = [], message }: Wanted,
  history: readonly JobStateRecord[],
  isOneOfMany: boolean,
): readonly Break[] {
  const at = isOneOfMany ? `${name} (job ${id})` : name;
  const seen = seenStates(history);
  const last = history.at(-1);
  const breaks: Break[] = [];
  const complain = (what: string, expected: string, actual: string): void => {
    breaks.push({ at: `${what} of ${at}`, expected, actual, jobs: [name] });
  };
  if (state !== undefined && last?.state !== state) complain('state', state, last?.state ?? 'no state');
  if (states !== undefined && seen !== states.join(' → ')) complain('states', states.join(' → '), seen);
  const forbidden = history.find((one) => never.includes(one.state));
  if (forbidden) complain('states', `never ${forbidden.state}`, seen);
  if (message !== undefined && !last?.message?.toLowerCase().includes(message.toLowerCase())) {
    complain('message', `a message that contains '${message}'`, last?.message ? `'${last.message}'` : 'none');
  }
  return breaks;
}
