/**
 * Print time: how long a machine takes for a sheet.
 *
 *   mmPerSecond   the paper moves past the head: its length counts
 *   ppm, ipm      count sides
 *   lmp, cpm      count what fits on a side at six lines and ten characters an inch
 *
 * What RAW bytes print has the size of the printer's own paper, or US Letter where that is unknown; a receipt
 * is torn off where its text ends.
 */

import { MM_PER_POINT, mmToPoints } from '../press/print-settings.ts';
import type { Sheet } from '../press/sheet-plan.ts';
import type { PageSize } from '../press/side-layout.ts';
import type { RawCount } from '../raw/raw-count.ts';
import { paperNamed } from './paper.ts';
import type { PrinterProfile, PrintRate } from './printer-profile.ts';

type TimedSheet = Pick<Sheet, 'sides' | 'paper'>;

const POINTS_PER_LINE = 12;
const POINTS_PER_CHARACTER = 7.2;
const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1_000;
const LETTER: PageSize = { widthPt: 612, heightPt: 792 };
/** Where it is not known how long it is. */
const RECEIPT_MM = 150;

/** Milliseconds for one sheet; 0 where neither profile nor driver gives a rate. */
export function sheetMs({ speed, capabilities, quirks }: PrinterProfile, sheet: TimedSheet): number {
  if (speed.mmPerSecond !== undefined)
    return ((sheet.paper.heightPt * MM_PER_POINT) / speed.mmPerSecond) * MS_PER_SECOND;
  const rate = speed.printrate ?? capabilities?.printrate;
  if (!rate || !(rate.rate > 0)) return 0;
  const slowdown = quirks.halfRateDuplex && sheet.sides.length === 2 ? 2 : 1;
  return (MS_PER_MINUTE / sidesPerMinute(rate, sheet.paper)) * sheet.sides.length * slowdown;
}

/** Milliseconds for one label, page or receipt of RAW bytes. @param lengthMm - of a receipt, or of a part of it */
export function rawPieceMs(
  profile: PrinterProfile,
  { counted }: Pick<RawCount, 'counted'>,
  lengthMm = RECEIPT_MM,
): number {
  const { capabilities, defaults } = profile;
  const paper = paperNamed(defaults.paper ?? '', capabilities) ?? LETTER;
  const heightPt = counted === 'receipts' ? mmToPoints(lengthMm) : paper.heightPt;
  const side = { face: 'front', sourcePages: [], placements: [] } as const;
  return sheetMs(profile, { sides: [side], paper: { name: null, widthPt: paper.widthPt, heightPt } });
}

function sidesPerMinute({ unit, rate }: PrintRate, { widthPt, heightPt }: PageSize): number {
  if (unit === 'ppm' || unit === 'ipm') return rate;
  const lines = Math.max(1, heightPt / POINTS_PER_LINE);
  return unit === 'lmp' ? rate / lines : rate / (lines * Math.max(1, widthPt / POINTS_PER_CHARACTER));
}
