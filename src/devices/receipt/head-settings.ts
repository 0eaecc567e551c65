/**
 * Head settings: what the commands of a receipt printer set, and how it is when it is switched on. Lengths are in dots.
 */

import type { ReceiptPaper } from './receipt-paper.ts';

/** The cells of letters, across and down. */
export const FONTS = { A: [12, 24], B: [9, 17], C: [8, 16] } as const;
const MM_PER_LINE = 25.4 / 6;

export interface HeadSettings {
  font: keyof typeof FONTS;
  width: number;
  height: number;
  isBold: boolean;
  underline: number;
  isReverse: boolean;
  isUpsideDown: boolean;
  /** Each letter a quarter clockwise. */
  isTurned: boolean;
  letterSpace: number;
  /** 0 left, 0.5 centre, 1 right. */
  align: number;
  leftMargin: number;
  areaWidth: number;
  lineSpace: number;
  tabs: readonly number[];
  encoding: string;
  /** For letters of two bytes; undefined where each byte is a letter. */
  wideEncoding: string | undefined;
  country: number;
  code: { module: number; height: number; readable: number; level: string; symbology: string; data: string };
  /** What the end of a raster does. */
  rasterEnd: number;
}

export function usualLineSpace({ dotsPerMm }: ReceiptPaper): number {
  return Math.round(MM_PER_LINE * dotsPerMm);
}

export function settingsAtStart(paper: ReceiptPaper, encoding = 'cp437'): HeadSettings {
  const { widthDots, dotsPerMm } = paper;
  return {
    font: 'A',
    width: 1,
    height: 1,
    isBold: false,
    underline: 0,
    isReverse: false,
    isUpsideDown: false,
    isTurned: false,
    letterSpace: 0,
    align: 0,
    leftMargin: 0,
    areaWidth: widthDots,
    lineSpace: usualLineSpace(paper),
    tabs: Array.from({ length: 32 }, (_, index) => (index + 1) * 8),
    encoding,
    wideEncoding: undefined,
    country: 0,
    code: { module: 3, height: dotsPerMm * 20, readable: 0, level: 'L', symbology: '', data: '' },
    rasterEnd: 0,
  };
}
