/** Weighing reports of every kind, for properties. */

import fc from 'fast-check';

import { keysOf } from '../../src/common/keys-of.ts';
import { SCALE_STATUSES, type WeighingReport } from '../../src/devices/scale/hid-report.ts';
import { WEIGHING_UNITS } from '../../src/devices/scale/weighing-units.ts';

export const weighingReports: fc.Arbitrary<WeighingReport> = fc.record({
  reportId: fc.constantFrom(3 as const, 4 as const),
  status: fc.constantFrom(...SCALE_STATUSES),
  unit: fc.constantFrom(...keysOf(WEIGHING_UNITS)),
  exponent: fc.integer({ min: -128, max: 127 }),
  weight: fc.integer({ min: 0, max: 0xffff }),
});
