/**
 * Paper: what lies in a printer, in points. Drivers give sizes in tenths of a millimetre.
 *
 * A label language says where things lie in dots, so what a label looks like depends on the printer: the
 * same bytes are three times as large on 203 dpi as on 600.
 */

import { USUAL_PAPER, type ReceiptPaper } from '../receipt/receipt-paper.ts';
import { MM_PER_INCH, MM_PER_POINT, type LabelStock, type Paper } from '../press/print-settings.ts';
import type { PrinterCapabilities, PrinterProfile } from './printer-profile.ts';

const POINTS_PER_TENTH_MM = 72 / 254;
/** What print heads there are: 152, 203, 300 and 600 dpi by their names. */
const DOTS_PER_MM = [6, 8, 12, 24];
const USUAL_DPI = 203;
/** Where the driver reports no paper: the shipping label, 4 × 6 inches. */
const USUAL_LABEL = { widthPt: 288, heightPt: 432 };

/**
 * The paper of this name, or undefined when the driver reports no usable size for it
 * (`[null, null]` and `[0, 0]` are both seen).
 */
export function paperNamed(name: string, capabilities: PrinterCapabilities | null): Paper | undefined {
  const papers = capabilities?.papers;
  if (!papers || !Object.hasOwn(papers, name)) return undefined;
  const [width, height] = papers[name] ?? [];
  if (!width || !height || width < 0 || height < 0) return undefined;
  return { name, widthPt: width * POINTS_PER_TENTH_MM, heightPt: height * POINTS_PER_TENTH_MM };
}

/** What a label printer prints on; undefined for any other printer. */
export function labelStockOf({ kind, defaults, capabilities }: PrinterProfile): LabelStock | undefined {
  if (kind !== 'label') return undefined;
  const { widthPt, heightPt } = paperNamed(defaults.paper ?? '', capabilities) ?? USUAL_LABEL;
  const dpi = Number.parseInt(defaults.dpi ?? capabilities?.dpis?.[0] ?? '', 10) || USUAL_DPI;
  const dots = dpi / MM_PER_INCH;
  return {
    widthMm: widthPt * MM_PER_POINT,
    heightMm: heightPt * MM_PER_POINT,
    dotsPerMm: nearest(DOTS_PER_MM, dots),
  };
}

/** Print heads of receipt printers: 180, 203 and 300 dpi by their names. */
const RECEIPT_DOTS_PER_MM = [180 / MM_PER_INCH, 8, 12];

/** What a receipt printer prints on; undefined for any other printer. */
export function receiptPaperOf({ kind, defaults, capabilities, receipt }: PrinterProfile): ReceiptPaper | undefined {
  if (kind !== 'receipt') return undefined;
  const dpi = Number.parseInt(defaults.dpi ?? capabilities?.dpis?.[0] ?? '', 10) || USUAL_DPI;
  const dotsPerMm = nearest(RECEIPT_DOTS_PER_MM, dpi / MM_PER_INCH);
  const roll = paperNamed(defaults.paper ?? '', capabilities);
  const widthDots = roll ? Math.round(roll.widthPt * MM_PER_POINT * dotsPerMm) : USUAL_PAPER.widthDots;
  return { widthDots, dotsPerMm, language: receipt.language, codePages: receipt.codePages ?? null };
}

function nearest(all: readonly number[], wanted: number): number {
  return all.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
}
