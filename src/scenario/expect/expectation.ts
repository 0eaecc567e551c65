/**
 * Expectation: what must be so at one moment. A kind of expectation is a file: what it is about, its
 * schema, and its judgement. Each is an object of names, so that every thing is looked at on its own.
 *
 *   jobs: { letter: done, label: { state: expired } }  ─ schema ─► Expectation { names, judge(stage) }
 */

import { z } from 'zod';

import { name } from '../schema-types.ts';
import type { NameKind, NameUse } from '../names.ts';
import type { Stage } from '../stage.ts';
import type { Break } from '../step-outcome.ts';

export interface Expectation {
  readonly names: readonly NameUse[];
  judge(stage: Stage): Promise<readonly Break[]>;
}

interface ExpectationKind<Wanted> {
  /** A sentence for the documentation and for editors. */
  readonly about: string;
  /** What the names name; undefined when they are no names of the scenario (paths of documents). */
  readonly of: NameKind | undefined;
  readonly wanted: z.ZodType<Wanted>;
  readonly judge: (
    name: string,
    wanted: Wanted,
    stage: Stage,
  ) => Promise<readonly Break[]> | readonly Break[];
}

/** The schema of a kind of expectation, which makes expectations of what is wanted of each name. */
export function expectationKind<Wanted>(kind: ExpectationKind<Wanted>): z.ZodType<Expectation> {
  const { about, of, wanted, judge } = kind;
  return z
    .record(name, wanted)
    .describe(about)
    .transform((all): Expectation => ({
      names:
        of === undefined
          ? []
          : Object.keys(all).map((one) => ({ kind: of, name: one, path: [one], isKey: true })),
      async judge(stage) {
        const breaks: Break[] = [];
        for (const [one, given] of Object.entries(all)) breaks.push(...(await judge(one, given, stage)));
        return breaks;
      },
    }));
}
