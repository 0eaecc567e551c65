/**
 * Print settings: what the press prints a job with, made from the job's options and the printer's defaults.
 * Lengths are in points (1/72 inch).
 */

import type { PRINT_OPTIONS } from '../../specification/inputs.ts';

export interface Paper {
  readonly name: string;
  readonly widthPt: number;
  readonly heightPt: number;
}

export type Duplex = (typeof PRINT_OPTIONS.duplex.values)[number];
/** Degrees, clockwise. */
export type Rotation = 0 | 90 | 180 | 270;

export interface PrintSettings {
  /** The text of a page set; null means all pages. */
  readonly pages: string | null;
  readonly copies: number;
  readonly collate: boolean;
  readonly duplex: Duplex;
  /** Document pages on one side. */
  readonly nup: number;
  /** null: each sheet takes the size of its first document page. */
  readonly paper: Paper | null;
  readonly fitToPage: boolean;
  /** Absolute; null leaves the orientation to the pages and the paper. */
  readonly rotate: Rotation | null;
  readonly gray: boolean;
  /** null: the printer chooses a tray itself. */
  readonly tray: string | null;
  readonly media: string | null;
  readonly dpi: string | null;
}

/** The size of the labels in a printer, and how fine its print head is: label languages count in dots. */
export interface LabelStock {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly dotsPerMm: number;
}

export const MM_PER_INCH = 25.4;
export const MM_PER_POINT = MM_PER_INCH / 72;

export function mmToPoints(mm: number): number {
  return mm / MM_PER_POINT;
}
