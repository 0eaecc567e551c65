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

export function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}
