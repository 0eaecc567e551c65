/**
 * Markup: HTML in which every text is escaped unless it was made here.
 *
 *   markup`<p>${textOfTheTarget}</p>`      the text is text, whatever it contains
 *   markup`<ul>${items.map(itemOf)}</ul>`  markup stays markup; lists are put together
 *
 * Values stand between tags or within quoted attributes; never in a tag's name, a script or a style.
 */

import { xmlText } from '../xml-text.ts';

export class Markup {
  readonly html: string;

  constructor(source: string) {
    this.html = source;
  }
}

export type Insert = Markup | string | number | readonly Insert[];

export function markup(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  return new Markup(parts.map((part, index) => unindented(part) + escaped(inserts[index] ?? '')).join(''));
}

/** The source is indented to be read; the page need not be. Inserts are left as they are. */
function unindented(part: string): string {
  return part.replaceAll(/[ \t]*\n\s*/g, '\n');
}

export const NOTHING = new Markup('');

function escaped(insert: Insert): string {
  if (insert instanceof Markup) return insert.html;
  if (typeof insert === 'object') return insert.map(escaped).join('');
  // Within an attribute a line break is a line break as well.
  return xmlText(String(insert));
}

/** The attribute of details that are open from the beginning. */
export const OPEN = markup`open`;
