/**
 * In one line: text without what only its layout says, as words on paper are compared and shown. Columns of a receipt
 * are blanks, and a renderer ends lines where it likes.
 */

export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
