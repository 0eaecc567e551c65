/**
 * Printable text: what a terminal shows as letters. A target may answer with sequences that colour, move or erase what
 * stands on a screen, or turn the direction of writing.
 */

import { mapStrings } from '../../common/map-strings.ts';

/** Controls but tab and line break, and characters that turn the direction of writing. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069\u200E\u200F]/gu;

/** The text with every such character shown as its number: `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) => {
    const number = (found.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return String.raw`\u${number}`;
  });
}

/** The value with every text in it printable. */
export function printableDeep<Value>(value: Value): Value {
  return mapStrings(value, printable);
}
