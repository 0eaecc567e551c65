/**
 * Receipt page: page mode, in which a printer makes up a page in its memory before it prints it.
 *
 * Everything is put into an area of the page, which may be turned: the print direction is the turn of what is in it.
 */

import { isInk, lineText, tallestOf, type Run } from './receipt-line.ts';
import type { Box, Item, Turn } from './receipt-paper.ts';

/** By the number of ESC T. */
const TURNS: readonly Turn[] = [0, 270, 180, 90];
/** 1 m at 203 dpi. */
const TALLEST = 8_000;

export class ReceiptPage {
  readonly items: Item[] = [];
  readonly texts: string[] = [];
  height = 0;
  hasInk = false;
  #area: Box;
  #turn: Turn = 0;
  /** Where the next line begins, in the direction of print. */
  #y = 0;

  constructor(width: number) {
    this.#area = { x: 0, y: 0, width, height: TALLEST };
  }

  setArea(area: Box): void {
    this.#area = area;
    this.#y = 0;
  }

  /** @param direction - 0 left to right, 1 bottom to top, 2 right to left, 3 top to bottom */
  setDirection(direction: number): void {
    this.#turn = TURNS[direction & 3] ?? 0;
    this.#y = 0;
  }

  /** How long a line may be. */
  get width(): number {
    return this.#turn % 180 === 0 ? this.#area.width : this.#area.height;
  }

  moveTo(y: number): void {
    this.#y = Math.max(0, y);
  }

  feed(dots: number): void {
    this.#y += dots;
  }

  /** Letters stand on the vertical position, which is their base line. */
  lineFeed(runs: readonly Run[], dots: number): void {
    if (runs.length > 0) this.texts.push(lineText(runs));
    this.hasInk ||= runs.some(isInk);
    const tallest = tallestOf(runs);
    for (const { x, width, height, ink } of runs) {
      const box = this.#placed({ x, y: this.#y + tallest - height, width, height });
      this.items.push({ ...box, ink, turn: this.#turn });
      this.height = Math.max(this.height, Math.min(box.y + box.height, TALLEST));
    }
    this.#y += dots;
  }

  /** A box in the direction of print, as it lies on the page. */
  #placed({ x, y, width, height }: Box): Box {
    const { x: left, y: top, width: across, height: down } = this.#area;
    if (this.#turn === 0) return { x: left + x, y: top + y, width, height };
    if (this.#turn === 90) return { x: left + across - y - height, y: top + x, width: height, height: width };
    if (this.#turn === 180) return { x: left + across - x - width, y: top + down - y - height, width, height };
    return { x: left + y, y: top + down - x - width, width: height, height: width };
  }
}
