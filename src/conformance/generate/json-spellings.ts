/**
 * Spellings of a JSON value: the same value with other white space and with characters escaped.
 */

export interface Spelling {
  /** White space around every token. */
  readonly space: string;
  /** Whether every character of every text is written as an escape. */
  readonly escapes: boolean;
}

/** Writes a value made of objects, arrays, texts, numbers, booleans and null. */
export function spellJson(value: unknown, spelling: Spelling): string {
  const { space } = spelling;
  return `${space}${spellBare(value, spelling)}${space}`;
}

function spellBare(value: unknown, spelling: Spelling): string {
  if (typeof value === 'string') return spelling.escapes ? escapeAll(value) : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => spellJson(item, spelling)).join(',')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${spellJson(key, spelling)}:${spellJson(member, spelling)}`,
  );
  return `{${members.join(',')}}`;
}

function escapeAll(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
