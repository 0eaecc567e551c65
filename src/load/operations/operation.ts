/**
 * Operation: one kind of thing that callers of a service do, as a load does it thousands of times.
 */

import type { OperationArrival, OperationDesk } from '../operation-desk.ts';

export interface Operation {
  /** As scenarios call it. */
  readonly name: string;
  /** Begins it; what becomes of it is told to the desk. Must not wait and must not throw. */
  run(arrival: OperationArrival, desk: OperationDesk): void;
}
