/**
 * Plain letters: a text as the standard fonts of PDF can show it.
 *
 *   "Zażółć 你好 ✓"  ─►  "Zazólc ?? ?"
 *
 * They have the letters of western Europe. Others lose their accents or become `?`; run.json has them whole.
 */

/** A function that leaves only characters with these code points, and no line breaks. */
export function plainLetters(known: ReadonlySet<number>): (text: string) => string {
  return (text) =>
    Array.from(text.replaceAll(/\s+/g, ' '), (character) => {
      if (isKnown(character, known)) return character;
      const bare = Array.from(character.normalize('NFKD'))[0] ?? '';
      return isKnown(bare, known) ? bare : '?';
    }).join('');
}

function isKnown(character: string, known: ReadonlySet<number>): boolean {
  const point = character.codePointAt(0);
  // The fonts list soft hyphens and controls that draw nothing.
  return point !== undefined && known.has(point) && !/[\p{Cc}\p{Cf}]/u.test(character);
}
