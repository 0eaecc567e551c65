/**
 * Page geometry: from the boxes of a PDF page to the upright page a reader sees.
 *
 *   MediaBox ∩ CropBox ─► turned by /Rotate, clockwise ─► scaled by UserUnit ─► upright page at (0, 0)
 *
 * pdf-lib embeds a page without regard to any of the three, so they become the matrix here.
 */

/** A box in user space; `left < right` and `bottom < top` once normalised. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** `[a b c d e f]`: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = [number, number, number, number, number, number];

export interface UprightPage {
  readonly box: Box;
  readonly widthPt: number;
  readonly heightPt: number;
  /** From user space to the upright page, lower left corner at the origin. */
  readonly toUpright: Matrix;
}

export interface PageBoxes {
  readonly mediaBox: Box;
  readonly cropBox: Box | undefined;
  /** /Rotate as written, clockwise; what is not a multiple of 90 is ignored. */
  readonly rotate: number;
  readonly userUnit: number;
}

/** US Letter: what viewers show for a page whose box is empty or missing. */
const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 };

export function uprightPage({ mediaBox, cropBox, rotate, userUnit }: PageBoxes): UprightPage {
  const media = orElse(normalised(mediaBox), LETTER);
  const box = cropBox ? orElse(intersection(normalised(cropBox), media), media) : media;
  const unit = Number.isFinite(userUnit) && userUnit > 0 ? userUnit : 1;
  const turned = quarterTurns(rotate);
  const width = (box.right - box.left) * unit;
  const height = (box.top - box.bottom) * unit;
  const swapped = turned % 2 === 1;
  return {
    box,
    widthPt: swapped ? height : width,
    heightPt: swapped ? width : height,
    toUpright: turnMatrix(box, turned).map((value) => value * unit) as Matrix,
  };
}

function turnMatrix({ left, bottom, right, top }: Box, turned: number): Matrix {
  if (turned === 1) return [0, -1, 1, 0, -bottom, right];
  if (turned === 2) return [-1, 0, 0, -1, right, top];
  if (turned === 3) return [0, 1, -1, 0, top, -left];
  return [1, 0, 0, 1, -left, -bottom];
}

function quarterTurns(rotate: number): number {
  return rotate % 90 === 0 ? (((rotate / 90) % 4) + 4) % 4 : 0;
}

function normalised({ left, bottom, right, top }: Box): Box {
  return {
    left: Math.min(left, right),
    bottom: Math.min(bottom, top),
    right: Math.max(left, right),
    top: Math.max(bottom, top),
  };
}

function intersection(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  };
}

function orElse(box: Box, fallback: Box): Box {
  return box.right > box.left && box.top > box.bottom ? box : fallback;
}
