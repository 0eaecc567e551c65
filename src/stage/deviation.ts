/**
 * Deviation: one thing that a service does otherwise than printed wherever it does it, such as 200 for 201.
 */

import type { Wanted } from '../oracle/mismatch.ts';
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
  readonly wanted?: Wanted;
  /** A header, a field or `body of DELETE` that nothing can be read in the place of. */
  readonly missing?: string;
  /** What checks find in its place hangs on this, whatever it is. Default: where they find nothing. */
  readonly isUnknown?: true;
  /** Not of one endpoint: how the service does it. */
  readonly isThroughout?: true;
}
