/**
 * Judges an expectation when everything has come to rest: on a virtual clock that is a moment, on a real
 * one nobody knows when it is, so what is not so yet may still become so within a limit.
 */

import type { Expectation } from './expect/expectation.ts';
import type { Stage } from './stage.ts';
import type { Break } from './step-outcome.ts';

const REAL_LIMIT = '5s';

export async function judgeInTime(expectation: Expectation, stage: Stage): Promise<readonly Break[]> {
  await stage.settle();
  let breaks = await expectation.judge(stage);
  if (breaks.length === 0 || stage.time.isVirtual) return breaks;
  await stage.waitFor({
    limit: REAL_LIMIT,
    probe: async () => {
      breaks = await expectation.judge(stage);
      return breaks.length === 0 ? true : undefined;
    },
  });
  return breaks;
}
