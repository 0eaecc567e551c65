/**
 * Judging a race: what was sent at the same time is recorded first and judged afterwards, by whether any
 * order of it makes sense.
 */

import { linearize, type Operation, type SequentialModel } from '../../oracle/linearizability.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Attempt } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';

/** What one request of a race asked, and when; `outputOf` says what its answer means. */
export function operationOf<Input, Output>(
  input: Input,
  { answer, startMs, endMs }: Attempt,
  outputOf: (answer: NonNullable<Attempt['answer']>) => Output,
): Operation<Input, Output> {
  return { input, output: answer && outputOf(answer), startMs, endMs };
}

/** Whether a request was accepted: any 2xx. */
export function acceptance({ status }: NonNullable<Attempt['answer']>): { readonly accepted: boolean } {
  return { accepted: status >= 200 && status < 300 };
}

export interface RaceWords<Input, Output> {
  readonly at: string;
  readonly expected: string;
  readonly tell: (input: Input, output: Output) => string;
}

/**
 * Expects that some order of the operations makes sense. Ends the check as inconclusive where there are
 * too many orders to tell.
 */
export function expectOrder<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  { at, expected, tell }: RaceWords<Input, Output>,
): Mismatch | undefined {
  const found = linearize(model, history);
  if (found.verdict === 'linearizable') return undefined;
  if (found.verdict === 'undecided') throw new CheckEnded('inconclusive', `${at}: too many orders to tell`);
  return { at, expected, actual: timelineOf(history, tell) };
}

/** `0–4 ms use: accepted; 1–5 ms use: accepted`, times from the start of the first. */
function timelineOf<Input, Output>(
  history: readonly Operation<Input, Output>[],
  tell: RaceWords<Input, Output>['tell'],
): string {
  const beginMs = Math.min(...history.map(({ startMs }) => startMs));
  return history
    .toSorted((left, right) => left.startMs - right.startMs)
    .map(({ input, output, startMs, endMs }) => {
      const told = output === undefined ? 'no answer' : tell(input, output);
      return `${(startMs - beginMs).toFixed(1)}–${(endMs - beginMs).toFixed(1)} ms ${told}`;
    })
    .join('; ');
}
