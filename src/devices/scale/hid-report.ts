/**
 * HID report: the six bytes in which a USB scale reports a weight.
 *
 *   ┌────┬────────┬──────┬──────────┬───────────────┐
 *   │ id │ status │ unit │ exponent │ weight        │   value = weight · 10^exponent units
 *   └────┴────────┴──────┴──────────┴───────────────┘
 *     3      4       11      −1        0x1934 little-endian: stable, 645.2 oz
 *
 * The exponent is in two's complement; the weight has no sign, only a status says "under zero".
 * Source: HID Point of Sale Usage Tables 1.02, Scale Data Report. Some scales use report id 4 for it.
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';
import { WEIGHING_UNITS, weighingUnitOf, type WeighingUnit } from './weighing-units.ts';

/** In the order of their codes, from 1. */
export const SCALE_STATUSES = [
  'fault',
  'stable-at-zero',
  'in-motion',
  'stable',
  'under-zero',
  'over-limit',
  'needs-calibration',
  'needs-re-zeroing',
] as const;

export type ScaleStatus = (typeof SCALE_STATUSES)[number];

/** The fields of a scale data report. */
export interface WeighingReport {
  readonly reportId: 3 | 4;
  readonly status: ScaleStatus;
  readonly unit: WeighingUnit;
  /** The power of ten, −128 to 127. */
  readonly exponent: number;
  /** 0 to 65535. */
  readonly weight: number;
}

const REPORT_BYTES = 6;
const HIGHEST_WEIGHT = 0xffff;

/** Reads the fields of a report; the error says which byte is wrong. */
export function decodeWeighingReport(bytes: Uint8Array): Outcome<WeighingReport, string> {
  if (bytes.length < REPORT_BYTES) return failure(`a weighing report has ${REPORT_BYTES} bytes, not ${bytes.length}`);
  const [reportId = 0, statusCode = 0, unitCode = 0, exponent = 0, low = 0, high = 0] = bytes;
  if (reportId !== 3 && reportId !== 4) return failure(`report id ${reportId} is not that of a scale data report`);
  const status = SCALE_STATUSES[statusCode - 1];
  if (!status) return failure(`status ${statusCode} is not in the tables`);
  const unit = weighingUnitOf(unitCode);
  if (!unit) return failure(`unit ${unitCode} is not in the tables`);
  return success({
    reportId,
    status,
    unit,
    exponent: exponent < 0x80 ? exponent : exponent - 0x100,
    weight: low + 0x100 * high,
  });
}

/**
 * The bytes of a report.
 *
 * @throws RangeError when exponent or weight does not fit
 */
export function encodeWeighingReport({ reportId, status, unit, exponent, weight }: WeighingReport): Uint8Array {
  if (!Number.isInteger(weight) || weight < 0 || weight > HIGHEST_WEIGHT)
    throw new RangeError(`a report has no room for weight ${weight}`);
  if (!Number.isInteger(exponent) || exponent < -128 || exponent > 127)
    throw new RangeError(`a report has no room for exponent ${exponent}`);
  const statusCode = SCALE_STATUSES.indexOf(status) + 1;
  return Uint8Array.of(reportId, statusCode, WEIGHING_UNITS[unit].code, exponent, weight, weight >> 8);
}
