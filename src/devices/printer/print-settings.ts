/**
 * Print settings: what a job is printed with, once its options were held against the printer and the
 * printer's own defaults filled in what the job left open.
 */

import { paperNamed, type Paper } from './paper.ts';
import type { PrinterProfile } from './printer-profile.ts';

export type Duplex = 'one-sided' | 'long-edge' | 'short-edge';
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

/** Options by name, each of the type its reader gives. */
export interface AppliedOptions {
  readonly bin?: string;
  readonly collate?: boolean;
  readonly color?: boolean;
  readonly copies?: number;
  readonly dpi?: string;
  readonly duplex?: Duplex;
  readonly fit_to_page?: boolean;
  readonly media?: string;
  readonly nup?: number;
  readonly pages?: string;
  readonly paper?: string;
  readonly rotate?: Rotation;
}

/** The settings of a job from the options that took effect and the printer's defaults. */
export function settingsFrom(
  applied: AppliedOptions,
  { capabilities, defaults }: Pick<PrinterProfile, 'capabilities' | 'defaults'>,
): PrintSettings {
  const paper = applied.paper ?? defaults.paper;
  return {
    pages: applied.pages ?? null,
    copies: applied.copies ?? 1,
    collate: applied.collate ?? defaults.collate,
    duplex: applied.duplex ?? defaults.duplex,
    nup: applied.nup ?? 1,
    paper: (paper === undefined ? undefined : paperNamed(paper, capabilities)) ?? null,
    fitToPage: applied.fit_to_page ?? false,
    rotate: applied.rotate ?? null,
    gray: capabilities?.color === false || !(applied.color ?? defaults.color),
    tray: applied.bin ?? defaults.bin ?? null,
    media: applied.media ?? defaults.media ?? null,
    dpi: applied.dpi ?? defaults.dpi ?? null,
  };
}
