/**
 * Question: one thing that the specification leaves open and checks must presume, how a target is asked, and how its
 * answer reads in a report.
 */

import type { GapId } from '../../specification/gaps.ts';
import type { Dialect, QuestionId } from '../../targets/dialect.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';

export interface Question<Id extends QuestionId> {
  readonly gap: GapId;
  /** Asked with the key of an Integrator Account. */
  readonly ofIntegrator?: true;
  /** A few requests. A check that ends early in here, as `require` ends it, leaves the question without an answer. */
  readonly ask: (context: CheckContext) => Promise<Dialect[Id]>;
  /** The answer as a sentence, without a full stop. */
  readonly words: (answer: Dialect[Id]) => string;
}

export type Questions<Id extends QuestionId> = { readonly [I in Id]: Question<I> };

/** Ends the asking: there is no telling, for this reason. */
export function untold(reason: string): never {
  throw new CheckEnded('untestable', reason);
}
