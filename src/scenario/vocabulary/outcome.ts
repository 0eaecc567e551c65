/**
 * The outcome of a step or an expectation, as a value. An exception always means that the harness broke.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { GapId } from '../../specification/gaps.ts';
import type { Target } from '../../targets/target.ts';

export interface ProofPicture {
  readonly jobId: number;
  /** The file that the run keeps of it. */
  readonly name: string;
  readonly caption: string;
  readonly png: Uint8Array;
}

/** Something that is not as the scenario expects. */
export interface Break extends Mismatch {
  /** What the specification demands here, where a judge of all that a service did says so. */
  readonly clause?: string;
  /** The jobs concerned, by name: their sheets are kept, their timelines shown. */
  readonly jobs: readonly string[];
  /** What the specification leaves open here: only the reference service, which has made its choice, breaks it. */
  readonly gap?: GapId | undefined;
  /** What shows it, beside the sheets of its job. */
  readonly pictures?: readonly ProofPicture[] | undefined;
  /** It is about what was seen, not about what did not come: in real time it need not be waited for. */
  readonly isSeen?: boolean | undefined;
}

/**
 * kept          it went as expected
 * broken        the service, or the room, did something else
 * inconclusive  it cannot be judged here, such as for lack of time
 */
export type StepOutcome =
  | { readonly kind: 'kept' }
  | { readonly kind: 'broken'; readonly breaks: readonly Break[] }
  | { readonly kind: 'inconclusive'; readonly reason: string };

export const KEPT: StepOutcome = { kind: 'kept' };

/** Kept without breaks, broken with them. */
export function outcomeOf(breaks: readonly Break[]): StepOutcome {
  return breaks.length === 0 ? KEPT : { kind: 'broken', breaks };
}

export function broken(at: string, expected: string, actual: string, jobs: readonly string[] = []): StepOutcome {
  return outcomeOf([{ at, expected, actual, jobs }]);
}

/** An outcome on this target: what another service answers where the specification leaves it open breaks nothing. */
export function outcomeOn({ kind }: Pick<Target, 'kind'>, outcome: StepOutcome): StepOutcome {
  if (outcome.kind !== 'broken' || kind === 'embedded') return outcome;
  const closed = outcome.breaks.filter(({ gap }) => gap === undefined);
  const [open] = outcome.breaks;
  if (closed.length > 0 || !open) return outcomeOf(closed);
  const reason = `the specification leaves this open (${open.gap}): ${open.at} is ${open.actual}`;
  return { kind: 'inconclusive', reason };
}
