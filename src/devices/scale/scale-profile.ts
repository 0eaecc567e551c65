/**
 * Scale profile: what a model of USB scale is like, as a file a person edits (fixtures/scales/*.json).
 *
 * A mode is what its unit key chooses: unit, step of the display, capacity. Weights are decimal numbers in
 * quotes, so that 0.05 lb is exactly that. `why` says what is odd about the model.
 */

import { z } from 'zod';

import { keysOf } from '../../common/keys-of.ts';
import { ProfileFiles } from '../profile-files.ts';
import { decimal, timesPowerOfTen } from './weighing-rational.ts';
import { WEIGHING_UNITS } from './weighing-units.ts';

const HIGHEST_WEIGHT = 0xffffn;

const weight = z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, 'must be a decimal number in quotes, such as "0.05"');
const usbId = z.number().int().min(0).max(0xffff);

const scaleMode = z
  .strictObject({
    unit: z
      .enum(keysOf(WEIGHING_UNITS))
      .refine((unit) => WEIGHING_UNITS[unit].micrograms !== null, 'must be a unit of agreed size'),
    /** The power of ten in its reports. */
    exponent: z.number().int().min(-4).max(4),
    /** The step of the display, in the unit. */
    division: weight.refine((text) => decimal(text).numerator > 0n, 'must be more than 0'),
    /** In the unit. */
    capacity: weight,
    /** The display shows pounds and ounces. */
    twoPart: z.boolean().default(false),
  })
  .refine(({ division, exponent }) => stepsIn(division, exponent) !== undefined, {
    path: ['division'],
    message: 'must be a multiple of 10^exponent',
  })
  .refine(({ capacity, exponent }) => (stepsIn(capacity, exponent) ?? HIGHEST_WEIGHT) < HIGHEST_WEIGHT, {
    path: ['capacity'],
    message: `must be a multiple of 10^exponent, and less than ${HIGHEST_WEIGHT} of them: a report has two bytes`,
  });

const scaleProfile = z.strictObject({
  /** Vendor and product as the USB descriptor has them; either may be empty. */
  vendor: z.string(),
  product: z.string().min(1),
  vendorId: usbId,
  productId: usbId,
  /** What is odd about it, and what it is therefore good for. */
  why: z.string().min(20),
  /** Label of the port, as its computer names it. */
  port: z.string().nullable().default(null),
  reportId: z.union([z.literal(3), z.literal(4)]).default(3),
  /** What the unit key goes through, beginning with the first. */
  modes: z.array(scaleMode).min(1),
  /** Whether readings carry the step of the display. */
  tellsResolution: z.boolean().default(true),
  /** Switches itself off after this long without a change; null for a scale that does not. */
  autoOffMs: z.number().int().positive().nullable().default(null),
  /**
   * stale-first      its first report after it is plugged in is the last one of the time before
   * flicker          a weight on the boundary of two steps shows now one, now the other
   * stuck-at-zero    after its zero key it reports zero until it is plugged in again
   * no-zero-key      its zero key does nothing
   * constant-status  it says "stable" whatever happens; only the weight in its reports changes
   */
  quirks: z.array(z.enum(['stale-first', 'flicker', 'stuck-at-zero', 'no-zero-key', 'constant-status'])).default([]),
});

export type ScaleProfile = z.infer<typeof scaleProfile>;
export type ScaleMode = z.infer<typeof scaleMode>;

/** How many steps of 10^exponent make this decimal; undefined when it is not a multiple of it. */
export function stepsIn(text: string, exponent: number): bigint | undefined {
  const { numerator, denominator } = timesPowerOfTen(decimal(text), -exponent);
  return numerator % denominator === 0n ? numerator / denominator : undefined;
}

/** The profiles that ship with platen. */
export const SCALE_PROFILES = new ProfileFiles('scale', scaleProfile);
