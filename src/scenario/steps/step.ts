/**
 * Step: one line of a scenario. A kind of step is a file: its description, its schema, and what it does.
 *
 *   submit: { as: letter, printer: Laser }  ─ schema ─► Step { summary, names, run(setup) }
 *
 * The schema turns the arguments into the step itself, so that nothing else knows them.
 */

import type { z } from 'zod';

import type { NameUse } from '../vocabulary/names.ts';
import type { StepOutcome } from '../vocabulary/outcome.ts';
import type { Setup } from '../setup/setup.ts';

export interface Step extends Action {
  /** The key of its line, `submit`. */
  readonly kind: string;
}

export interface Action {
  /** For people, in a few words: `submit letter to Laser`. */
  readonly summary: string;
  /** Names it uses, from the room and earlier steps, and names it gives. */
  readonly names: readonly NameUse[];
  run(setup: Setup): Promise<StepOutcome>;
}

interface StepKind<Args> {
  /** A sentence for the documentation and for editors. */
  readonly about: string;
  readonly args: z.ZodType<Args>;
  readonly summary: (args: Args) => string;
  readonly names?: (args: Args) => readonly NameUse[];
  readonly run: (args: Args, setup: Setup) => Promise<StepOutcome> | StepOutcome;
}

/** The schema of a kind of step, which turns arguments into steps. */
export function stepKind<Args>(kind: StepKind<Args>): z.ZodType<Action> {
  const { about, args, summary, names = () => [], run } = kind;
  return args.describe(about).transform((given): Action => ({
    summary: summary(given),
    names: names(given),
    run: async (setup) => run(given, setup),
  }));
}
