/**
 * Paper: sizes of sheets. Drivers speak of tenths of a millimetre, documents of points (1/72 inch).
 */

import type { PrinterCapabilities } from './printer-profile.ts';

/** A sheet of paper that a printer was told to take. */
export interface Paper {
  readonly name: string;
  readonly widthPt: number;
  readonly heightPt: number;
}

const POINTS_PER_TENTH_MM = 72 / 254;

export function tenthsMmToPoints(tenthsMm: number): number {
  return tenthsMm * POINTS_PER_TENTH_MM;
}

/**
 * The paper of this name, or undefined when the driver tells no usable size for it
 * (`[null, null]` and `[0, 0]` are both seen).
 */
export function paperNamed(name: string, capabilities: PrinterCapabilities | null): Paper | undefined {
  const papers = capabilities?.papers;
  if (!papers || !Object.hasOwn(papers, name)) return undefined;
  const [width, height] = papers[name] ?? [null, null];
  if (!width || !height || width < 0 || height < 0) return undefined;
  return { name, widthPt: tenthsMmToPoints(width), heightPt: tenthsMmToPoints(height) };
}
