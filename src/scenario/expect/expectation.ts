/**
 * Expectation: what must hold at one moment. A kind of expectation is a file: a description, a schema and a judge.
 * Each is an object by name, and each name is judged separately.
 *
 *   jobs: { letter: done, label: { state: expired } }  ─ schema ─► Expectation { names, judge(setup) }
 */

import { z } from 'zod';

import { name } from '../vocabulary/schema-types.ts';
import type { NameKind, NameUse } from '../vocabulary/names.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';

export interface Expectation {
  readonly names: readonly NameUse[];
  judge(setup: Setup): Promise<readonly Break[]>;
}

interface ExpectationKind<Wanted> {
  /** A sentence for the documentation and for editors. */
  readonly about: string;
  /** What the names name; undefined if they are not names of the scenario, such as paths of documents. */
  readonly of: NameKind | undefined;
  readonly wanted: z.ZodType<Wanted>;
  readonly judge: (name: string, wanted: Wanted, setup: Setup) => Promise<readonly Break[]> | readonly Break[];
}

/** The schema of a kind of expectation, which turns what is wanted of each name into an expectation. */
export function expectationKind<Wanted>(kind: ExpectationKind<Wanted>): z.ZodType<Expectation> {
  const { about, of, wanted, judge } = kind;
  return z
    .record(name, wanted)
    .describe(about)
    .transform((all): Expectation => ({
      names: of === undefined ? [] : Object.keys(all).map((one) => ({ kind: of, name: one, path: [one], isKey: true })),
      async judge(setup) {
        const breaks: Break[] = [];
        for (const [one, given] of Object.entries(all)) breaks.push(...(await judge(one, given, setup)));
        return breaks;
      },
    }));
}

const REAL_LIMIT = '5s';

/** Without a hook nothing tells when a service whose time was moved has done what came due. */
async function judgeAtRest(expectation: Expectation, setup: Setup): Promise<readonly Break[]> {
  await setup.rest();
  return expectation.judge(setup);
}

/**
 * Judges once everything in progress has finished. On a real clock that moment is unknown: what does not hold yet
 * may come to hold within a limit. What was seen twice to be wrong stays so.
 */
export async function judgeInTime(expectation: Expectation, setup: Setup): Promise<readonly Break[]> {
  await setup.settle();
  let breaks = await expectation.judge(setup);
  if (breaks.length === 0) return breaks;
  if (setup.time.isVirtual) return setup.time.moved?.isKnown ? judgeAtRest(expectation, setup) : breaks;
  await setup.waitFor({
    limit: REAL_LIMIT,
    probe: async () => {
      const before = breaks;
      breaks = await expectation.judge(setup);
      const isSure = breaks.some(({ at, isSeen }) => isSeen && before.some((one) => one.isSeen && one.at === at));
      return breaks.length === 0 || isSure ? true : undefined;
    },
  });
  return breaks;
}
