/**
 * Scale weighing: which report a scale makes of what lies on it. Pure; the scale (scale.ts) adds time.
 *
 *   gross − tare ─► nearest step of the display ─► status, weight ─► WeighingReport
 *
 * The status follows from the steps: zero is "stable at zero", a negative number "under zero" (the report
 * has the weight without its sign), more than nine steps beyond the capacity "over limit".
 */

import type { ScaleStatus, WeighingReport } from './hid-report.ts';
import { stepsIn, type ScaleMode, type ScaleProfile } from './scale-profile.ts';
import { decimal, divide, multiply, rational, roundHalfUp, type Rational } from './weighing-rational.ts';
import { WEIGHING_UNITS } from './weighing-units.ts';

export interface LoadCell {
  readonly grossMicrograms: bigint;
  readonly tareMicrograms: bigint;
  readonly moving: boolean;
  /** Whether it takes the lower of the two steps that a weight lies between. */
  readonly flickersDown: boolean;
}

/** How many steps beyond its capacity a scale still weighs. */
const STEPS_OF_GRACE = 9n;
const HIGHEST_WEIGHT = 0xffffn;
/** A weight this near to the boundary of two steps flickers: a twentieth of a step. */
const FLICKER_PART = 20n;

export function weigh(
  cell: LoadCell,
  mode: ScaleMode,
  { reportId, quirks }: Pick<ScaleProfile, 'reportId' | 'quirks'>,
): WeighingReport {
  const steps = stepsShown(cell, mode, quirks.includes('flicker'));
  const status = statusOf(cell, mode, steps);
  const report = { reportId, status, unit: mode.unit, exponent: mode.exponent };
  if (quirks.includes('constant-status')) {
    return { ...report, status: 'stable', weight: weightOf(steps < 0n ? 0n : steps, mode) };
  }
  return { ...report, weight: status === 'over-limit' ? 0 : weightOf(steps < 0n ? -steps : steps, mode) };
}

/** A report that says nothing but this status. */
export function statusReport(status: ScaleStatus, mode: ScaleMode, reportId: 3 | 4): WeighingReport {
  return { reportId, status, unit: mode.unit, exponent: mode.exponent, weight: 0 };
}

function statusOf(cell: LoadCell, mode: ScaleMode, steps: bigint): ScaleStatus {
  if (isOverLimit(cell.grossMicrograms, mode)) return 'over-limit';
  if (steps < 0n) return 'under-zero';
  if (cell.moving) return 'in-motion';
  return steps === 0n ? 'stable-at-zero' : 'stable';
}

function isOverLimit(grossMicrograms: bigint, { capacity, division, unit }: ScaleMode): boolean {
  const limit = decimal(capacity);
  const grace = multiply(decimal(division), rational(STEPS_OF_GRACE));
  const load = divide(rational(grossMicrograms), microgramsOf(unit));
  const most = rational(
    limit.numerator * grace.denominator + grace.numerator * limit.denominator,
    limit.denominator * grace.denominator,
  );
  return load.numerator * most.denominator > most.numerator * load.denominator;
}

function stepsShown(
  { grossMicrograms, tareMicrograms, moving, flickersDown }: LoadCell,
  { division, unit }: ScaleMode,
  flickers: boolean,
): bigint {
  const step = multiply(decimal(division), microgramsOf(unit));
  const load = divide(rational(grossMicrograms - tareMicrograms), step);
  if (!flickers || moving || !isOnBoundary(load)) return roundHalfUp(load);
  const upper = roundHalfUp({
    numerator: load.numerator * FLICKER_PART + load.denominator,
    denominator: load.denominator * FLICKER_PART,
  });
  return flickersDown ? upper - 1n : upper;
}

/** Whether a weight in steps lies within a twentieth of the middle between two of them. */
function isOnBoundary({ numerator, denominator }: Rational): boolean {
  const halves = roundHalfUp(rational(2n * numerator, denominator));
  const distance = 2n * numerator - halves * denominator;
  const near = (distance < 0n ? -distance : distance) * FLICKER_PART <= 2n * denominator;
  return halves % 2n !== 0n && near;
}

function weightOf(steps: bigint, { division, exponent }: ScaleMode): number {
  const weight = steps * (stepsIn(division, exponent) ?? 1n);
  return Number(weight > HIGHEST_WEIGHT ? HIGHEST_WEIGHT : weight);
}

function microgramsOf(unit: ScaleMode['unit']): Rational {
  const { micrograms } = WEIGHING_UNITS[unit];
  if (!micrograms) throw new RangeError(`a scale cannot weigh in ${unit}: the unit has no agreed size`);
  return micrograms;
}
