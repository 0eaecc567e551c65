/**
 * Line: what is to stand on one line of a terminal, with the styles of its parts. Text is text, whatever stands in
 * it: escape sequences and line breaks are made where it is written, and nowhere else.
 *
 *   line`${styled('red', 'FAIL')} ${id}` ─► pieces ─► written.ts ─► bytes
 */

import type { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

export interface Piece {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
}

export type Line = string | Pieces;

/** In colour where the stream supports it. */
export function styled(style: Style | undefined, text: string): Pieces {
  return { pieces: [{ text, style }] };
}

/** Before a template: what stands in it keeps its styles. */
export function line(texts: TemplateStringsArray, ...values: readonly (Line | number)[]): Pieces {
  return { pieces: texts.flatMap((text, index) => [{ text }, ...piecesOf(values[index] ?? '')]) };
}

export function piecesOf(shown: Line | number): readonly Piece[] {
  return typeof shown === 'object' ? shown.pieces : [{ text: String(shown) }];
}

/** Without its styles. */
export function plainText(shown: Line): string {
  return piecesOf(shown)
    .map(({ text }) => text)
    .join('');
}
