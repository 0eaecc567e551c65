/**
 * Abort watch: rules that end a run early, when there is no point in going on.
 */

import type { Measures } from '../measure/measures.ts';
import { judgeThreshold, parseThreshold, type Threshold } from './thresholds.ts';

export class AbortWatch {
  readonly #rules: readonly Threshold[];

  /** @param rules - lines of the scenario, which its reader has checked */
  constructor(rules: readonly string[], streams: readonly string[]) {
    this.#rules = rules.flatMap((text) => {
      const parsed = parseThreshold(text, streams);
      return parsed.ok ? [parsed.value] : [];
    });
  }

  /** The rule that applies, with what was measured; undefined while none does. */
  cause(measures: Measures): string | undefined {
    for (const rule of this.#rules) {
      if (measures.elapsedMs < rule.afterMs) continue;
      const { kept, measured } = judgeThreshold(rule, measures);
      if (kept) return `${rule.text} (measured ${measured})`;
    }
    return undefined;
  }
}
