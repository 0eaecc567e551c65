/**
 * Receipt paper: what a receipt printer has put on its roll, piece by piece. Lengths are in dots of its print head.
 */

/** The roll and the print head, as the printer's profile says. */
export interface ReceiptPaper {
  /** As far as the head prints. */
  readonly widthDots: number;
  readonly dotsPerMm: number;
  /** The language that bytes are in which could be several. */
  readonly language: ReceiptLanguage;
  /** Numbers of the code pages that the printer has; all that its language knows where null. */
  readonly codePages: readonly number[] | null;
}

export type ReceiptLanguage = 'esc-pos' | 'star';

/** A roll of 80 mm at 203 dpi. */
export const USUAL_PAPER: ReceiptPaper = { widthDots: 576, dotsPerMm: 8, language: 'esc-pos', codePages: null };

/** Clockwise. */
export type Turn = 0 | 90 | 180 | 270;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Dots, eight in a byte and each line in bytes of its own; 1 is black. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

export interface TextInk {
  readonly kind: 'text';
  readonly text: string;
  /** A cell for each letter, two for a letter of Chinese, Japanese or Korean. */
  readonly cellWidth: number;
  /** What is left free behind each. */
  readonly letterSpace: number;
  readonly isBold: boolean;
  /** How thick the line below is, and above; 0 for none. */
  readonly underline: number;
  readonly isReverse: boolean;
}

export interface BitmapInk {
  readonly kind: 'bitmap';
  readonly bitmap: Bitmap;
}

/** What is drawn into a box, which has its size after the turn. */
export type Ink = TextInk | BitmapInk;
export type Item = Box & { readonly ink: Ink; readonly turn: Turn };

/** How far the paper is once something is printed; its text, or null for a part of a picture. */
export interface Mark {
  readonly text: string | null;
  readonly bottom: number;
}

/** What lies between two cuts. */
export interface Piece {
  readonly height: number;
  readonly items: readonly Item[];
  /** From the top down. */
  readonly marks: readonly Mark[];
}

/** The text of marks, without empty lines before and after it. */
export function textOf(marks: readonly Mark[]): string {
  const lines = marks.flatMap(({ text }) => (text === null ? [] : [text.trimEnd()]));
  return lines.join('\n').replace(/^\n+|\n+$/g, '');
}

/** Something that the printer does beside printing. */
export interface PrinterEvent {
  readonly what: 'drawer' | 'buzzer';
  /** Which drawer, from 1; of a buzzer 0. */
  readonly number: number;
  /** Where it stands in the document. */
  readonly offset: number;
}

/** A bar code or square code as a language asks for it. */
export interface CodeRequest {
  /** The name of its kind in bwip-js. */
  readonly symbology: string;
  readonly data: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

/** Makes the dots of a code; a text that says why it cannot. */
export type Encode = (code: CodeRequest) => Bitmap | string;
