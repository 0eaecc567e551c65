/** What an expectation says of a setup that is told by hand: only what the expectation asks it for. */

import type { ZodType } from 'zod';

import type { Setup } from '../../src/scenario/setup/setup.ts';
import type { Break } from '../../src/scenario/vocabulary/outcome.ts';
import type { Expectation } from '../../src/scenario/expect/expectation.ts';

/** The named parts of a setup, as far as they are asked. */
export type ToldSetup = { readonly [Part in keyof Setup]?: unknown };

export function breaksOf(kind: ZodType<Expectation>, wanted: unknown, setup: ToldSetup): Promise<readonly Break[]> {
  return Promise.resolve(kind.parse(wanted).judge(setup as Setup));
}

/** `where | expected | actual`, with the gap that leaves it open. */
export async function linesOf(
  kind: ZodType<Expectation>,
  wanted: unknown,
  setup: ToldSetup,
): Promise<readonly string[]> {
  const breaks = await breaksOf(kind, wanted, setup);
  return breaks.map(({ at, expected, actual, gap }) =>
    [at, expected, actual, ...(gap === undefined ? [] : [gap])].join(' | '),
  );
}
