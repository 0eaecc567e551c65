/**
 * Operation: one kind of thing that callers of a service do, as a load does it thousands of times.
 */

import type { Arrival } from '../../plan/load-plan.ts';
import type { OperationDesk } from '../operation-desk.ts';

/** Begins it; what becomes of it is told to the desk. Must not wait and must not throw. */
export type Operation = (arrival: Arrival, desk: OperationDesk) => void;
