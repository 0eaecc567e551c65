/**
 * Deviation: one thing that a service does otherwise than printed wherever it does it, such as 200 for 201.
 */

import type { ClauseId } from '../specification/clauses.ts';

export interface Deviation {
  /** The same for the same deviation, wherever it is met. */
  readonly id: string;
  /** What prints it, the clause that says it best first. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** Where: `status of POST /printjobs`. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** The header or the field that is not there: nothing else can be read in its place. */
  readonly missing?: string;
  /** Not of one endpoint: how the service does it. */
  readonly isThroughout?: true;
}
