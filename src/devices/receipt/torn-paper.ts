/**
 * Torn paper: receipts of which the printer stopped in the middle, and the pieces of paper that they became.
 *
 *   ─ mark ─ mark ─ [paper ends] ─ mark ─ cut        what is being printed is finished: the stop is at the next mark
 *   └──── slice 1 ────────────┘└ slice 2 ┘
 */

import type { Piece } from './receipt-paper.ts';

/** Lengths in dots. */
export type MarkedPiece = Pick<Piece, 'height' | 'marks'>;

/** A piece of paper that is a part of a receipt: its marks from one number to before another. */
export interface Slice {
  /** Which receipt of the document, from 0. */
  readonly piece: number;
  readonly from: number;
  readonly to: number;
}

export type Tear = Pick<Slice, 'piece' | 'to'>;

/** How many marks are out when the printer stops after a length of paper, in dots. */
export function marksWithin({ marks }: MarkedPiece, dots: number): number {
  const stop = marks.find(({ bottom }) => bottom >= dots);
  return stop ? marks.findLastIndex(({ bottom }) => bottom <= stop.bottom) + 1 : marks.length;
}

/** Whether nothing but empty paper is to come after a number of marks. */
export function isWhole({ marks }: MarkedPiece, count: number): boolean {
  return !marks.slice(count).some(({ text }) => text === null || /\S/.test(text));
}

/** How many dots are out with a number of marks. */
export function dotsWith({ marks, height }: MarkedPiece, count: number): number {
  return count >= marks.length ? height : (marks[count - 1]?.bottom ?? 0);
}

/**
 * The pieces of paper of receipts.
 *
 * @param whole - how many of them are out whole
 * @param tears - where the paper ended, in order; the last one may be the end of what is out of the next receipt
 */
export function slicesOf(whole: number, tears: readonly Tear[] = []): Slice[] {
  return Array.from({ length: whole + 1 }, (_, piece) => {
    const ends = tears.filter((tear) => tear.piece === piece).map(({ to }) => to);
    if (piece < whole) ends.push(Number.POSITIVE_INFINITY);
    return ends.map((to, index) => ({ piece, from: ends[index - 1] ?? 0, to }));
  }).flat();
}
