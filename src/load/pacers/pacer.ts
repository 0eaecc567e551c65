/**
 * Pacer: when the arrivals of a stream are due. A pacer knows its whole schedule in advance; nothing that happens
 * during a run changes it, so one late arrival delays no other.
 *
 *   rate λ(t) ─► Λ(t) = ∫ λ ─► arrival k is due where Λ(t) = k
 */

import type { Random } from '../../common/random.ts';

export interface Pacer {
  /** Due times in milliseconds from the start of the stream: ascending, from 0, all before its end. */
  times(random: Random): Iterable<number>;
  /** How many there are; the expected number where the times are random. */
  readonly expectedArrivals: number;
  /** Arrivals per second where they are densest. */
  readonly peakRate: number;
}
