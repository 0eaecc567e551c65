/**
 * Weighing reading: what a client program makes of a report and sends to the service.
 *
 *   value = weight · 10^exponent        mass        = value · µg per unit, rounded half up
 *                                       measurement = value · 10^9 for each unit on the display
 *
 * All arithmetic is exact (weighing-rational.ts). There is a mass in the statuses stable, stable at
 * zero and in motion; in all others it is null and the measurement is empty: displays show negative
 * weights, scales do not report them. A number that JSON cannot carry exactly is withheld likewise.
 * Source: scale data object, `mass` and `measurement`.
 */

import type { ScaleStatus, WeighingReport } from './hid-report.ts';
import { decimal, multiply, rational, roundHalfUp, timesPowerOfTen, type Rational } from './weighing-rational.ts';
import { WEIGHING_UNITS } from './weighing-units.ts';

export interface WeighingReading {
  readonly status: ScaleStatus;
  /** [micrograms or null, resolution in micrograms or null] */
  readonly mass: [number | null, number | null];
  /** Unit on the display → reading in billionths of that unit. */
  readonly measurement: Record<string, number>;
}

/** What the report does not say, and a person before the display sees. */
export interface ScaleDisplay {
  /** The step of the display, in the unit of the report, such as `0.1`; null when unknown. */
  readonly division: string | null;
  /** Ounces and pounds are shown as pounds and ounces. */
  readonly twoPart: boolean;
}

const WEIGHED: ReadonlySet<ScaleStatus> = new Set(['stable-at-zero', 'in-motion', 'stable']);
const OUNCES_PER_POUND = 16n;
const BILLION = 1_000_000_000n;

export function readingOf(report: WeighingReport, { division, twoPart }: ScaleDisplay): WeighingReading {
  const { status } = report;
  const resolution = division === null ? null : massOf(decimal(division), report);
  if (!WEIGHED.has(status)) return { status, mass: [null, resolution], measurement: {} };
  const weight = status === 'stable-at-zero' ? 0n : BigInt(report.weight);
  const value = timesPowerOfTen(rational(weight), report.exponent);
  const parts = twoPart ? twoPartsOf(value, report) : undefined;
  return {
    status,
    mass: [massOf(value, report), resolution],
    measurement: parts ?? onePartOf(value, report),
  };
}

/** Null where the unit has no agreed mass. */
function massOf(value: Rational, { unit }: WeighingReport): number | null {
  const { micrograms } = WEIGHING_UNITS[unit];
  return micrograms ? exactNumber(roundHalfUp(multiply(value, micrograms))) : null;
}

function onePartOf(value: Rational, { unit }: WeighingReport): Record<string, number> {
  const { key } = WEIGHING_UNITS[unit];
  const billionths = exactNumber(billionthsOf(value));
  return key === null || billionths === null ? {} : { [key]: billionths };
}

/** Whole pounds, and the ounces that are left: never 16 of them. Undefined for any other unit. */
function twoPartsOf(value: Rational, { unit }: WeighingReport): Record<string, number> | undefined {
  if (unit !== 'ounce' && unit !== 'pound') return undefined;
  const ounces = unit === 'ounce' ? value : multiply(value, rational(OUNCES_PER_POUND));
  const billionths = billionthsOf(ounces);
  const pounds = billionths / (OUNCES_PER_POUND * BILLION);
  const lb = exactNumber(pounds * BILLION);
  const oz = exactNumber(billionths % (OUNCES_PER_POUND * BILLION));
  return lb === null || oz === null ? {} : { lb, oz };
}

function billionthsOf(value: Rational): bigint {
  return roundHalfUp(multiply(value, rational(BILLION)));
}

function exactNumber(integer: bigint): number | null {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : null;
}
