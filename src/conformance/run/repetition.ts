/**
 * Repetition: what failed on a real clock is tried once more, alone. A service that fails only among others,
 * or only sometimes, gives a different sign from one that fails: the check is flaky, not failed.
 *
 *   fail ──► again, with nothing else under way ──► fail: it stays the first failure, with a note
 *                                              └──► anything better: flaky, with the first failure as evidence
 */

import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Check } from '../check.ts';

/** Where more fails, repeating says nothing new. */
const REPEATED_MOST = 20;

/** Repeats what failed, one check after the other; outcomes in the same order. */
export async function repeatFailures(
  outcomes: readonly CheckOutcome[],
  runAlone: (check: Check) => Promise<CheckOutcome>,
): Promise<readonly CheckOutcome[]> {
  const failed = outcomes.filter(isRepeatable);
  if (failed.length > REPEATED_MOST) return outcomes;
  const repeated = new Map<CheckOutcome, CheckOutcome>();
  for (const outcome of failed) repeated.set(outcome, conclude(outcome, await runAlone(outcome.check)));
  return outcomes.map((outcome) => repeated.get(outcome) ?? outcome);
}

/** What judges the whole run would find the same responses in it. */
function isRepeatable({ check, verdict }: CheckOutcome): boolean {
  return verdict === 'fail' && check.runsLast !== true;
}

function conclude(first: CheckOutcome, again: CheckOutcome): CheckOutcome {
  const durationMs = first.durationMs + again.durationMs;
  const leftBehind = [...first.leftBehind, ...again.leftBehind];
  if (again.verdict === 'pass' || again.verdict === 'observed' || again.verdict === 'warn') {
    const message = `passed when repeated alone; the first time: ${first.message}`;
    return { ...first, verdict: 'flaky', message, leftBehind, durationMs };
  }
  const note =
    again.verdict === 'fail'
      ? `failed again when repeated alone: ${again.message}`
      : `came to no verdict when repeated alone (${again.verdict}): ${again.message}`;
  return { ...first, notes: [...first.notes, note], leftBehind, durationMs };
}
