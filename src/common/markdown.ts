/**
 * Markdown: text, code and blocks of code in which nothing that a target said is markup, a link or a mention.
 */

/**
 * One line of text without markup. A comment within breaks what becomes a link or a mention without any: addresses,
 * and names after an `@`.
 */
export function text(value: string): string {
  return clip(value, MOST_SHOWN)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]()#!|~$]/g, String.raw`\$&`)
    .replace(/^\s*(\d*)([-+.)])/, String.raw`$1\$2`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@|:\/\/|www\./g, '$&<!-- -->');
}

const MOST_SHOWN = 1_000;

/** Text as code on one line, within more backquotes than it has itself. */
export function code(value: string): string {
  const line = value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  return line.includes('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** Lines as a block of code, and a blank line after it. */
export function fenced(value: string, language: 'sh' | 'text'): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(value) + 1));
  return [`${fence}${language}`, value.replaceAll(/(?!\n)\p{Cc}/gu, ' '), fence, ''];
}

function longestRun(value: string): number {
  return (value.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}

export function clip(value: string, most: number): string {
  return value.length > most ? `${value.slice(0, most)}…` : value;
}
