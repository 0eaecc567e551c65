/**
 * Repetition: what failed, and not on a clock of this process, is tried once more, alone. A service that fails only
 * among others, or only sometimes, gives a different sign from one that fails: the check is flaky, not failed.
 *
 *   fail ──► again, with nothing else under way ──► fail: it stays the first failure, with a note
 *                                              └──► anything better: flaky, with the first failure as evidence
 *
 *   inconclusive, for something came too late ──► again: that is the outcome, and tried once more if it is a failure
 *
 * What is inconclusive for another reason would be so again: it takes longer than a run can wait, for example.
 */

import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Check } from '../check.ts';

/** Where more fails, repeating says nothing new. */
const REPEATED_MOST = 20;

/** Runs a check with nothing else under way; `time` counts how often it has been tried. */
type RunAlone = (check: Check, time: number) => Promise<CheckOutcome>;

/** Repeats what failed or came too late, one check after the other; outcomes in the same order. */
export async function repeatFailures(
  outcomes: readonly CheckOutcome[],
  runAlone: RunAlone,
): Promise<readonly CheckOutcome[]> {
  const open = outcomes.filter((outcome) => isFailure(outcome) || outcome.isTooLate === true);
  if (open.length > REPEATED_MOST) return outcomes;
  const repeated = new Map<CheckOutcome, CheckOutcome>();
  for (const outcome of open) repeated.set(outcome, await repeat(outcome, runAlone));
  return outcomes.map((outcome) => repeated.get(outcome) ?? outcome);
}

/** What judges the whole run would find the same responses in it. */
function isFailure({ check, verdict }: CheckOutcome): boolean {
  return verdict === 'fail' && check.runsLast !== true;
}

async function repeat(first: CheckOutcome, runAlone: RunAlone): Promise<CheckOutcome> {
  const again = await runAlone(first.check, 2);
  if (isFailure(first)) return conclude(first, again);
  const settled = isFailure(again) ? conclude(again, await runAlone(first.check, 3)) : again;
  return {
    ...settled,
    notes: [...settled.notes, `inconclusive at first: ${first.message}`],
    leftBehind: [...first.leftBehind, ...settled.leftBehind],
    durationMs: first.durationMs + settled.durationMs,
  };
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
      : `reached no verdict when repeated alone (${again.verdict}): ${again.message}`;
  return { ...first, notes: [...first.notes, note], leftBehind, durationMs };
}
