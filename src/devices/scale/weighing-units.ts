/**
 * Units of weight that a scale may report. Source: HID Point of Sale Usage Tables 1.02, Weighing Devices.
 */

import { keysOf } from '../../common/keys-of.ts';
import type { MEASUREMENT_UNITS } from '../../specification/fields.ts';
import { rational, type Rational } from './weighing-rational.ts';

/** Keys of `measurement` in a scale data object. */
type MeasurementKey = keyof typeof MEASUREMENT_UNITS;

interface WeighingUnitFacts {
  /** In byte 2 of the report. */
  readonly code: number;
  /** Exact; null where the unit has no agreed size (the tael differs from country to country). */
  readonly micrograms: Rational | null;
  /** Null for units that the service has no name for. */
  readonly key: MeasurementKey | null;
}

const MICROGRAMS_PER_POUND = 453_592_370n;

export const WEIGHING_UNITS = {
  milligram: { code: 1, micrograms: rational(1_000n), key: null },
  gram: { code: 2, micrograms: rational(1_000_000n), key: 'g' },
  kilogram: { code: 3, micrograms: rational(1_000_000_000n), key: 'kg' },
  carat: { code: 4, micrograms: rational(200_000n), key: null },
  tael: { code: 5, micrograms: null, key: null },
  grain: { code: 6, micrograms: rational(MICROGRAMS_PER_POUND, 7_000n), key: null },
  pennyweight: { code: 7, micrograms: rational(24n * MICROGRAMS_PER_POUND, 7_000n), key: null },
  'metric-ton': { code: 8, micrograms: rational(1_000_000_000_000n), key: null },
  /** The short ton, of 2000 pounds. */
  'avoirdupois-ton': { code: 9, micrograms: rational(2_000n * MICROGRAMS_PER_POUND), key: null },
  'troy-ounce': { code: 10, micrograms: rational(480n * MICROGRAMS_PER_POUND, 7_000n), key: null },
  ounce: { code: 11, micrograms: rational(MICROGRAMS_PER_POUND, 16n), key: 'oz' },
  pound: { code: 12, micrograms: rational(MICROGRAMS_PER_POUND), key: 'lb' },
} as const satisfies Record<string, WeighingUnitFacts>;

export type WeighingUnit = keyof typeof WEIGHING_UNITS;

/** The unit of this code, or undefined where the tables keep the code in reserve. */
export function weighingUnitOf(code: number): WeighingUnit | undefined {
  return keysOf(WEIGHING_UNITS).find((unit) => WEIGHING_UNITS[unit].code === code);
}
