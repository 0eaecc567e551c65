/**
 * Abort watch: rules for giving up early. A run that is plainly lost need not go on to its end.
 */

import type { Measures } from '../measure/measures.ts';
import { judgeThreshold, parseThreshold, type Threshold } from './thresholds.ts';

export class AbortWatch {
  readonly #rules: readonly Threshold[];

  /** @param rules - lines of the scenario, which its reader has found to be right */
  constructor(rules: readonly string[], streams: readonly string[]) {
    this.#rules = rules.flatMap((text) => {
      const parsed = parseThreshold(text, streams);
      return parsed.ok ? [parsed.value] : [];
    });
  }

  /** The rule that has come true, with what was measured; undefined while none has. */
  cause(measures: Measures): string | undefined {
    for (const rule of this.#rules) {
      if (measures.elapsedMs < rule.afterMs) continue;
      const { kept, measured } = judgeThreshold(rule, measures);
      if (kept) return `${rule.text} (measured ${measured})`;
    }
    return undefined;
  }
}
