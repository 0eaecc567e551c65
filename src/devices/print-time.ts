/**
 * Print time: how long a machine takes for a sheet.
 *
 * ppm and ipm count sides; lmp and cpm count what fits on a side at six lines and ten characters an inch.
 */

import type { PrinterProfile, PrintRate } from './printer-profile.ts';
import type { Sheet } from './sheet-plan.ts';
import type { PageSize } from './side-layout.ts';

const POINTS_PER_LINE = 12;
const POINTS_PER_CHARACTER = 7.2;
const MS_PER_MINUTE = 60_000;
/** What a side of raw bytes counts as: US Letter. */
const RAW_SIDE: Pick<Sheet, 'sides' | 'paper'> = {
  sides: [{ face: 'front', sourcePages: [], placements: [] }],
  paper: { name: null, widthPt: 612, heightPt: 792 },
};

/** Milliseconds for one sheet, or for one raw submission; 0 where neither profile nor driver tells a rate. */
export function sheetMs(
  { speed, capabilities, quirks }: PrinterProfile,
  sheet: Pick<Sheet, 'sides' | 'paper'> = RAW_SIDE,
): number {
  const rate = speed.printrate ?? capabilities?.printrate;
  if (!rate || !(rate.rate > 0)) return 0;
  const slowdown = quirks.halfRateDuplex && sheet.sides.length === 2 ? 2 : 1;
  return (MS_PER_MINUTE / sidesPerMinute(rate, sheet.paper)) * sheet.sides.length * slowdown;
}

function sidesPerMinute({ unit, rate }: PrintRate, { widthPt, heightPt }: PageSize): number {
  if (unit === 'ppm' || unit === 'ipm') return rate;
  const lines = Math.max(1, heightPt / POINTS_PER_LINE);
  return unit === 'lmp' ? rate / lines : rate / (lines * Math.max(1, widthPt / POINTS_PER_CHARACTER));
}
