/**
 * Label letters: which of them the renderer of labels can draw. The others come out as boxes.
 *
 * It has a font of its own for ^A0, whose letters were looked for one by one, and for all others that of receipts.
 */

import { glyphOf } from './receipt-font.ts';

const FONT_0 =
  /^[\x20-\x7E\u00A1-\u00FF\u0104-\u0108\u010A\u010C-\u010F\u0118-\u011E\u0130\u0131\u0135\u013E\u0141-\u0144\u0146-\u0148\u014E\u0150-\u0153\u0158-\u015C\u015E-\u0161\u0164-\u0167\u0169\u016B\u016E\u016F\u0178-\u017E\u0192\u02C6\u02C7\u02D8-\u02DD\u2013\u2014\u2018-\u201A\u201C-\u201E\u2020-\u2022\u2026\u2030\u2039\u203A\u2043\u2044\u20AC\u2122\u2153\u2154\u2212\uFB01\uFB02\s]$/;
const NO_LETTER = /^[\s\p{Cc}\p{Cf}]$/u;

/** @param font - the letter or digit of ^A */
export function isLetterOf(font: string, letter: string): boolean {
  if (NO_LETTER.test(letter)) return true;
  return font === '0' ? FONT_0.test(letter) : glyphOf(letter) !== 0;
}
