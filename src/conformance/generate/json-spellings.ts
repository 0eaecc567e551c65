/**
 * Spellings of a JSON value: the same value with other white space and with characters escaped.
 */

export interface Spelling {
  /** White space around every token. */
  readonly space: string;
  /** Whether every character of every text is written as an escape, by a short one where there is one. */
  readonly escapes: boolean;
}

/** Writes a value made of objects, arrays, texts, numbers, booleans and null; the last member of an object first. */
export function spellJson(value: unknown, spelling: Spelling): string {
  const { space } = spelling;
  return `${space}${spellBare(value, spelling)}${space}`;
}

function spellBare(value: unknown, spelling: Spelling): string {
  if (typeof value === 'string') return spelling.escapes ? escapeAll(value) : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => spellJson(item, spelling)).join(',')}]`;
  const members = Object.entries(value)
    .toReversed()
    .map(([key, member]) => `${spellJson(key, spelling)}:${spellJson(member, spelling)}`);
  return `{${members.join(',')}}`;
}

const SHORT = new Map(['"', '\\', '/'].map((character) => [character, `\\${character}`]));

/** The hexadecimal digits of every second escape are in upper case. */
function escapeAll(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => {
    const digits = text.charCodeAt(index).toString(16).padStart(4, '0');
    return SHORT.get(text.charAt(index)) ?? `\\u${index % 2 === 0 ? digits : digits.toUpperCase()}`;
  });
  return `"${units.join('')}"`;
}
