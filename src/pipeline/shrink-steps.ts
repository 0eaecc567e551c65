/**
 * Shrinks the steps of a day to the fewest that still break the same promise. Real programs on a real clock do not
 * repeat to the millisecond: several candidates are played at a time, and one that breaks it twice in a row is kept.
 *
 *   halves left out ─► quarters ─► single steps ─► once more, until nothing can be left out
 */

import type { Step } from './steps.ts';

export interface ShrinkOptions {
  /** Whether these steps break what the first ones broke. */
  readonly stillBreaks: (steps: readonly Step[]) => Promise<boolean | undefined>;
  readonly sideBySide: number;
  /** Asked before each round. */
  readonly isOver: () => boolean;
}

/** A step that is needed may have been lucky to be missed once. */
const TRIES = 2;

export async function shrinkSteps(all: readonly Step[], options: ShrinkOptions): Promise<readonly Step[]> {
  let steps = all;
  for (let size = Math.ceil(steps.length / 2); ;) {
    const shorter = options.isOver() ? undefined : await firstShorter(steps, size, options);
    if (shorter) {
      steps = shorter;
      size = Math.min(size, Math.ceil(steps.length / 2));
      continue;
    }
    if (size <= 1 || options.isOver()) return steps;
    size = Math.ceil(size / 2);
  }
}

/** Without a part of this size; the last parts are tried first. */
async function firstShorter(
  steps: readonly Step[],
  size: number,
  { stillBreaks, sideBySide, isOver }: ShrinkOptions,
): Promise<readonly Step[] | undefined> {
  const starts = Array.from({ length: Math.ceil(steps.length / size) }, (_, index) => index * size).toReversed();
  const without = starts.map((start) => steps.toSpliced(start, size)).filter(hasJob);
  const candidates = Array.from({ length: TRIES }, () => without).flat();
  for (let from = 0; from < candidates.length && !isOver(); from += sideBySide) {
    const tried = candidates.slice(from, from + sideBySide);
    const broken = await Promise.all(tried.map(stillBreaks));
    for (const [index, shorter] of tried.entries()) {
      if (broken[index] && (await stillBreaks(shorter))) return shorter;
    }
  }
  return undefined;
}

function hasJob(steps: readonly Step[]): boolean {
  return steps.some((step) => 'submit' in step);
}
