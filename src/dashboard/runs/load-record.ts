/**
 * Load record: what the page shows of the record of a load run. Durations are microseconds.
 */

export interface LoadRun {
  readonly kind: 'load';
  readonly runId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly plan: { readonly seed: number | string; readonly title: string; readonly why: string };
  readonly target: { readonly name: string };
  readonly streams: readonly LoadStream[];
  readonly legs: readonly { readonly name: string; readonly duration: LoadDuration }[];
  readonly series: readonly LoadSecond[];
  readonly ledger: { readonly totals: unknown };
  readonly thresholds: readonly {
    readonly text: string;
    readonly measured: string | null;
    readonly kept: boolean;
  }[];
  readonly verdict: string;
  readonly reasons: readonly string[];
}

export interface LoadDuration {
  readonly count: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
}

interface LoadStream {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly response: LoadDuration;
}

export interface LoadSecond {
  readonly second: number;
  readonly arrivals: number;
  readonly ended: number;
  readonly errors: number;
  readonly response: { readonly p50Us: number; readonly p99Us: number };
  readonly latenessP99Us: number;
  /** How far jobs have come by the end of the second. */
  readonly jobs: Readonly<Record<string, number>>;
}
