/**
 * expect, in the middle of a scenario: what must be so now, before it goes on.
 */

import { expectSchema } from '../expect/expect-schema.ts';
import { judgeInTime, type Expectation } from '../expect/expectation.ts';
import { outcomeOf } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

export const expectNow = stepKind<Expectation>({
  about: 'What must hold at this point, in the words of the `expect` at the end.',
  args: expectSchema,
  summary: () => 'look',
  names: ({ names }) => names,
  run: async (expectation, setup) => outcomeOf(await judgeInTime(expectation, setup)),
});
