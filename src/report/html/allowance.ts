/**
 * Allowance: how much evidence one page may hold. What comes first is shown in full; when it is used up, what is left
 * out says so and names the place where it stands.
 */

import { markup, type Markup } from './markup.ts';

export class Allowance {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** The markup, or a sentence when there is no room for it any more. */
  take(markup: Markup): Markup {
    if (markup.html.length > this.#left) return LEFT_OUT;
    this.#left -= markup.html.length;
    return markup;
  }
}

const LEFT_OUT = markup`<p class="quiet">More of it stands in run.json: this page has its limits.</p>`;

/** The beginning of a text; one that was cut before says how long it was then. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const [told] = /… \(\d+ characters\)$/.exec(text.slice(-TOLD_MOST)) ?? [`… (${text.length} characters)`];
  return text.slice(0, most) + told;
}

const TOLD_MOST = 40;
