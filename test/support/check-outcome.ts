/** A check and how it ended, for tests of what is made of outcomes. */

import type { Check } from '../../src/conformance/check.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';

export function checkNamed(id: string, ...clauses: Check['clauses']): Check {
  return { id, title: id, clauses, needs: [], run: () => Promise.resolve() };
}

/** Passed, judging nothing, unless given otherwise. */
export function checkOutcome(changes: Partial<CheckOutcome> = {}): CheckOutcome {
  return {
    check: checkNamed('a/check'),
    verdict: 'pass',
    message: '',
    judgements: [],
    exchanges: [],
    wireFailures: [],
    met: [],
    notes: [],
    unseen: [],
    leftBehind: [],
    traffic: { frames: [], deliveries: [] },
    startMs: 0,
    durationMs: 1,
    waitedMs: 0,
    ...changes,
  };
}
