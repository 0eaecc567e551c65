/**
 * Receipt marks: the places of a receipt at which the paper can end, each with the text that is out by then.
 *
 * They are the ends of its lines and codes, and of the bands of its pictures, whether these came whole or line by line.
 */

import type { Mark } from './receipt-paper.ts';

/** How much of a picture a printer still prints when it has to stop. */
const BAND_DOTS = 24;

export class ReceiptMarks {
  readonly all: Mark[] = [];
  /** Where the band begins that the last mark ends; undefined where it ends something else. */
  #bandTop: number | undefined;

  /** @param text - null for what has none */
  add(text: string | null, bottom: number): void {
    this.all.push({ text, bottom });
    this.#bandTop = undefined;
  }

  addPicture(top: number, bottom: number): void {
    let bandTop = top;
    if (this.#bandTop !== undefined && bottom - this.#bandTop <= BAND_DOTS) {
      bandTop = this.#bandTop;
      this.all.pop();
    }
    for (; bottom - bandTop > BAND_DOTS; bandTop += BAND_DOTS) this.add(null, bandTop + BAND_DOTS);
    this.add(null, bottom);
    this.#bandTop = bandTop;
  }
}
