/**
 * Mismatch: what a judge returns when something is not as it should be. Nothing is thrown; a judge that
 * is content returns undefined.
 */

export interface Mismatch {
  /** What the specification demands, as a phrase: `status 200`, `an integer`. */
  readonly expected: string;
  /** What was seen. */
  readonly actual: string;
  /** Where: `status of GET /ping`, `body[3].age`. */
  readonly at: string;
  /** The same, where `at` says for which caller or with which input as well. */
  readonly part?: string;
  /** Position of the exchange it was seen in, within the history of the run. */
  readonly exchange?: number;
  readonly wanted?: Wanted;
  /** How a list differs: other records than expected came, or these in another order. */
  readonly differs?: ListDifference;
  /** What is not there of what is compared: these keys, or all of it. */
  readonly absent?: 'all' | readonly string[];
}

export type ListDifference = 'records' | 'order';

/** The mismatch, said of a list; what it says of that already stands. */
export function ofList(mismatch: Mismatch | undefined, differs: ListDifference = 'records'): Mismatch | undefined {
  return mismatch && { differs, ...mismatch };
}

/** Said of a comparison with these values, where one of them is not there, or something in it. */
export function absentAmong(...values: readonly unknown[]): { readonly absent?: 'all' } {
  return values.flat().some((value) => value === undefined || value === null || Number.isNaN(value))
    ? { absent: 'all' }
    : {};
}

/** What an answer has to have, where a program can look for it that knows nothing of the specification. */
export interface Wanted {
  /** `201`, or `2..` for any that begins so. */
  readonly status?: string;
  /** In the error object. */
  readonly code?: string;
  readonly header?: string;
  /** What the header says; left out where any text will do. */
  readonly value?: string;
}

export function describeMismatch({ expected, actual, at }: Mismatch): string {
  return `${at}: expected ${expected}, got ${actual}`;
}
