/**
 * Piece drawing: what labels or receipts look like that a printer made of bytes in its own language.
 *
 * Drawn when first asked for. A failure changes neither the bytes nor how many pieces there are.
 */

export interface PieceDrawing {
  /** The width of the pictures, in points. */
  readonly widthPt: number;
  /** The dots of the print head, which is what its pictures have as pixels. */
  readonly dpi: number;
  /** How many of the first `pieces` have a picture. Until they are drawn, an estimate. */
  sides(pieces: number): number;
  /** Why pieces have no picture, or what is not on it; null where each of the first `pieces` has all of it. */
  notDrawn(pieces: number): string | null;
  /** The first `pieces`, a page each; undefined when they cannot be drawn, as `notDrawn` then says. */
  pdf(pieces: number): Promise<Uint8Array | undefined>;
  /** The text on each of the first `pieces`, also of those that are not drawn. */
  texts(pieces: number): string[];
}
