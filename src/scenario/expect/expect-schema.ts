/**
 * What can be expected, by kind. A new kind is a file and a line here.
 */

import { z } from 'zod';

import { below } from '../names.ts';
import { anyOf } from '../schema-types.ts';
import type { Stage } from '../stage.ts';
import type { Break } from '../step-outcome.ts';
import { computers, printers } from './devices.ts';
import type { Expectation } from './expectation.ts';
import { fetches } from './fetches.ts';
import { jobs } from './jobs.ts';
import { readings } from './readings.ts';
import { sheets } from './sheets.ts';
import { webhooks } from './webhooks.ts';

export const EXPECTATION_KINDS = {
  jobs,
  sheets,
  printers,
  computers,
  webhooks,
  fetches,
  readings,
} as const satisfies Readonly<Record<string, z.ZodType<Expectation>>>;

/** Everything that is expected at one moment. */
export const expectSchema: z.ZodType<Expectation> = z
  .strictObject(anyOf(EXPECTATION_KINDS))
  .refine((given) => Object.keys(given).length > 0, 'expects nothing')
  .transform((given): Expectation => {
    const kinds = Object.entries(given);
    return {
      names: kinds.flatMap(([kind, { names }]) => below(kind, names)),
      judge: (stage) =>
        judgeAll(
          kinds.map(([, expectation]) => expectation),
          stage,
        ),
    };
  });

async function judgeAll(all: readonly Expectation[], stage: Stage): Promise<readonly Break[]> {
  const breaks: Break[] = [];
  for (const expectation of all) breaks.push(...(await expectation.judge(stage)));
  return breaks;
}
