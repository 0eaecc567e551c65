/**
 * Raw count: how much paper a RAW document asks for, as far as its text says.
 *
 * Every counter walks the document once. A document may ask for any number of copies; counting stops at
 * a bound, and a note says so.
 */

/** What comes out, and of what kind; null where the text does not say. */
export interface RawCount {
  readonly counted: 'labels' | 'pages' | 'receipts' | null;
  readonly count: number | null;
  /** For people: what the count does not say. */
  readonly note: string | null;
}

/** @param text - the document, a character a byte */
export type RawCounter = (text: string) => RawCount;

export const UNCOUNTED: RawCount = { counted: null, count: null, note: null };

const MOST_COUNTED = 100_000;

export function counted(kind: NonNullable<RawCount['counted']>, asked: number, note: string | null = null): RawCount {
  if (asked <= MOST_COUNTED) return { counted: kind, count: asked, note };
  const capped = `it asks for ${asked} ${kind}; counting stops at ${MOST_COUNTED}`;
  return { counted: kind, count: MOST_COUNTED, note: note === null ? capped : `${capped}; ${note}` };
}

/** The number that these digits stand for; 1 without digits, or where they say 0. */
export function copiesOf(digits: string | undefined): number {
  return Number(digits) || 1;
}

interface LineCommand {
  /** Sticky; tried at the beginning of each line. */
  readonly pattern: RegExp;
  /** Says how many bytes of graphics follow, where some do. */
  readonly meet: (match: RegExpExecArray) => { readonly skipBytes: number } | void;
}

/** Walks a document in which commands stand at the beginnings of lines; graphics between them are skipped. */
export function walkLines(text: string, commands: readonly LineCommand[]): void {
  let at = 0;
  while (at < text.length) {
    at = meetFirst(text, at, commands);
    at = endOfLine(text, at);
  }
}

function meetFirst(text: string, at: number, commands: readonly LineCommand[]): number {
  for (const { pattern, meet } of commands) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return at + match[0].length + (meet(match)?.skipBytes ?? 0);
  }
  return at;
}

const LINE_END = /[\r\n]+/g;

function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text) ? LINE_END.lastIndex : text.length;
}
