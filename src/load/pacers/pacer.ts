/**
 * Pacer: when the arrivals of a stream are due. A pacer knows its whole schedule beforehand; the schedule
 * depends on nothing that happens, so that being late once moves no later arrival.
 *
 *   rate λ(t) ─► Λ(t) = ∫ λ ─► arrival k is due where Λ(t) = k
 */

import type { Random } from '../../common/random.ts';

export interface Pacer {
  /** Due times in milliseconds from the start of the stream: ascending, from 0, all before its end. */
  times(random: Random): Iterable<number>;
  /** How many there are; for a pacer that draws lots, how many are to be expected. */
  readonly expectedArrivals: number;
  /** Arrivals a second where they are densest. */
  readonly peakRate: number;
}

/** Rates are arrivals a second. */
export type PacerSettings =
  | { readonly kind: 'constant'; readonly rate: number }
  | { readonly kind: 'ramp'; readonly from: number; readonly to: number }
  | { readonly kind: 'step'; readonly levels: readonly RateLevel[] }
  | {
      readonly kind: 'spike';
      readonly base: number;
      readonly peak: number;
      readonly atMs: number;
      readonly forMs: number;
    }
  | { readonly kind: 'sine'; readonly mean: number; readonly amplitude: number; readonly periodMs: number }
  | { readonly kind: 'poisson'; readonly rate: number }
  /** Due times as they were recorded somewhere, ascending. */
  | { readonly kind: 'trace'; readonly timesMs: readonly number[] };

export interface RateLevel {
  readonly rate: number;
  readonly forMs: number;
}

/** Makes the pacer of a stream that lasts so long. */
export type PacerMaker<Kind extends PacerSettings['kind']> = (
  settings: Extract<PacerSettings, { kind: Kind }>,
  durationMs: number,
) => Pacer;
