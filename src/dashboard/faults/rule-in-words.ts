/**
 * A fault rule in words: when it happens, and with which settings.
 */

import type { FaultView } from '../../record/control-types.ts';

/** `after 2, at most 3 times, delay 5s`; empty for a rule that holds always. */
export function ruleInWords({ after, times, probability, for: lasts, with: given = {} }: FaultView['rule']): string {
  return [
    after && `after ${after}`,
    times !== undefined && (times === 1 ? 'once' : `at most ${times} times`),
    probability !== undefined && `with probability ${probability}`,
    lasts !== undefined && `for ${typeof lasts === 'number' ? `${lasts}ms` : lasts}`,
    ...Object.entries(given).map(([name, value]) => `${name} ${String(value)}`),
  ]
    .filter(Boolean)
    .join(', ');
}
