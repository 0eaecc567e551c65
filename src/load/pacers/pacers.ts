/**
 * The pacers. A new one is an entry here: its keys in a scenario file, and the pacer that they describe; arithmetic
 * of its own goes into a file beside this one. Rates are arrivals per second.
 */

import { z } from 'zod';

import { milliseconds } from '../../common/duration-schema.ts';
import type { Pacer } from './pacer.ts';
import { piecewise, type RateSegment } from './piecewise.ts';
import { sine } from './sine.ts';

interface PacerKind<Keys extends z.ZodType, Settings> {
  /** The keys of a scenario file. They yield the settings, except where a file must be read for them. */
  readonly keys: Keys;
  readonly make: (settings: Settings, durationMs: number) => Pacer;
}

/** @param make - makes the pacer of a stream that lasts `durationMs` */
function pacer<Keys extends z.ZodType, Settings = z.output<Keys>>(
  keys: Keys,
  make: (settings: Settings, durationMs: number) => Pacer,
): PacerKind<Keys, Settings> {
  return { keys, make };
}

const rate = z.number().min(0).max(100_000).describe('Arrivals a second.');

const levels = z
  .array(z.strictObject({ rate, for: milliseconds }).transform((one) => ({ rate: one.rate, forMs: one.for })))
  .min(1)
  .max(100);

export const PACERS = {
  constant: pacer(z.strictObject({ rate }).describe('The same rate all the time.'), (settings, durationMs) =>
    piecewise([level(settings.rate, durationMs)]),
  ),
  ramp: pacer(
    z.strictObject({ from: rate, to: rate }).describe('From one rate evenly to another.'),
    ({ from, to }, durationMs) => piecewise([{ from, to, durationMs }]),
  ),
  step: pacer(z.strictObject({ levels }).describe('One level after the other; the last one lasts.'), steps),
  spike: pacer(
    z
      .strictObject({ base: rate, peak: rate, at: milliseconds, for: milliseconds })
      .transform(({ base, peak, at, for: forMs }) => ({ base, peak, atMs: at, forMs }))
      .describe('One burst over a base.'),
    ({ base, peak, atMs, forMs }, durationMs) => {
      const startMs = Math.min(atMs, durationMs);
      const endMs = Math.min(atMs + forMs, durationMs);
      return piecewise([level(base, startMs), level(peak, endMs - startMs), level(base, durationMs - endMs)]);
    },
  ),
  sine: pacer(
    z
      .strictObject({ mean: rate, amplitude: rate, period: milliseconds })
      .refine(({ mean, amplitude }) => amplitude <= mean, {
        path: ['amplitude'],
        message: 'must be at most the mean: no rate is below zero',
      })
      .transform(({ mean, amplitude, period }) => ({ mean, amplitude, periodMs: period }))
      .describe('Swings around a mean, as a day does.'),
    sine,
  ),
  poisson: pacer(
    z.strictObject({ rate }).describe('Arrivals that know nothing of each other.'),
    (settings, durationMs) => poisson(settings.rate, durationMs),
  ),
  trace: pacer(
    z
      .strictObject({
        file: z
          .string()
          .min(1)
          .describe(
            'A file from the folder of the scenario, with a line for each arrival: milliseconds from the start.',
          ),
      })
      .describe('Arrivals as they were recorded somewhere.'),
    ({ timesMs }: { readonly timesMs: readonly number[] }, durationMs) => {
      const times = timesMs.filter((atMs) => atMs >= 0 && atMs < durationMs).toSorted((a, b) => a - b);
      return { expectedArrivals: times.length, peakRate: busiestSecond(times), times: () => times };
    },
  ),
};

export type PacerName = keyof typeof PACERS;
type SettingsOf<Name extends PacerName> = Parameters<(typeof PACERS)[Name]['make']>[0];

/** What a pacer is made from, as plain data. */
export type PacerSettings = {
  readonly [Name in PacerName]: { readonly kind: Name } & Readonly<SettingsOf<Name>>;
}[PacerName];

export function createPacer(settings: PacerSettings, durationMs: number): Pacer {
  const make = PACERS[settings.kind].make as (given: PacerSettings, lastsMs: number) => Pacer;
  return make(settings, durationMs);
}

function level(height: number, durationMs: number): RateSegment {
  return { from: height, to: height, durationMs };
}

function steps({ levels: given }: { readonly levels: z.output<typeof levels> }, durationMs: number): Pacer {
  let leftMs = durationMs;
  const segments = given.map(({ rate: height, forMs }, index) => {
    const lastsMs = index === given.length - 1 ? leftMs : Math.min(leftMs, forMs);
    leftMs -= lastsMs;
    return level(height, lastsMs);
  });
  return piecewise(segments);
}

/** The gaps are drawn from the seed; their number varies around rate × duration. */
function poisson(perSecond: number, durationMs: number): Pacer {
  return {
    expectedArrivals: Math.round((perSecond * durationMs) / 1_000),
    peakRate: perSecond,
    *times(random) {
      if (perSecond <= 0) return;
      const meanGapMs = 1_000 / perSecond;
      const gapMs = (): number => -Math.log(1 - random.fraction()) * meanGapMs;
      for (let atMs = gapMs(); atMs < durationMs; atMs += gapMs()) yield atMs;
    },
  };
}

/** Most arrivals within any second. */
function busiestSecond(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [last, atMs] of times.entries()) {
    while ((times[first] ?? 0) <= atMs - 1_000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
