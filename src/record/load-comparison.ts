/**
 * Load comparison: a load run beside its baseline, metric by metric.
 */

export interface LoadComparison {
  /** Whether both ran the same plan: the same file with the same seed. */
  readonly isSamePlan: boolean;
  readonly lines: readonly ComparedLine[];
}

export interface ComparedLine {
  readonly metric: string;
  readonly baseline: number;
  readonly now: number;
  /** Now to baseline; null when the baseline is zero. */
  readonly ratio: number | null;
  /** Where the ratio lies in 95 of 100 cases; null where it is a count. */
  readonly range: readonly [number, number] | null;
  readonly change: 'better' | 'worse' | 'same';
}
