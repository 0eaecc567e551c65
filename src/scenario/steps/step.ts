/**
 * Step: one line of a scenario. A kind of step is a file: its words, its schema, and what it does.
 *
 *   submit: { as: letter, printer: Laser }  ─ schema ─► Step { summary, names, run(stage) }
 *
 * The schema turns the arguments into the step itself, so that nothing else needs to know them.
 */

import type { z } from 'zod';

import type { NameUse } from '../names.ts';
import type { StepOutcome } from '../step-outcome.ts';
import type { Stage } from '../stage.ts';

export interface Step {
  /** For people, in a few words: `submit letter to Laser`. */
  readonly summary: string;
  /** Names it takes from the room and from steps before it, and names it gives. */
  readonly names: readonly NameUse[];
  run(stage: Stage): Promise<StepOutcome>;
}

interface StepKind<Args> {
  /** A sentence for the documentation and for editors. */
  readonly about: string;
  readonly args: z.ZodType<Args>;
  readonly summary: (args: Args) => string;
  readonly names?: (args: Args) => readonly NameUse[];
  readonly run: (args: Args, stage: Stage) => Promise<StepOutcome> | StepOutcome;
}

/** The schema of a kind of step, which makes steps of arguments. */
export function stepKind<Args>(kind: StepKind<Args>): z.ZodType<Step> {
  const { about, args, summary, names = () => [], run } = kind;
  return args.describe(about).transform((given): Step => ({
    summary: summary(given),
    names: names(given),
    run: async (stage) => run(given, stage),
  }));
}
