/**
 * Label drawing: what the labels of a ZPL document look like, drawn when first asked for.
 *
 *   bytes ─► labels, the first ones ─► press (label-pictures.ts) ─► PDF, kept
 *                                        └─ cannot: no sides, and `notDrawn` says why
 *
 * A failure changes neither the bytes nor the count of labels. The text of a label is what its fields say, for which
 * nothing has to be drawn.
 */

import { messageOf } from '../../common/error-message.ts';
import { zplAsText, zplCommands, zplLabels, type ZplLabel } from '../raw/raw-zpl.ts';
import { whatIsMissing, whyNoLabel } from '../raw/zpl-commands.ts';
import { zplPrepared } from '../raw/zpl-prepared.ts';
import { withSerials } from '../raw/zpl-serials.ts';
import { isLetterOf } from './label-letters.ts';
import type { PieceDrawing } from './piece-drawing.ts';
import type { Press } from './press.ts';
import { MM_PER_INCH, mmToPoints, type LabelStock } from './print-settings.ts';

/** Each takes about a tenth of a second, and a document may have thousands. */
const MOST_DRAWN = 25;
const MOST_NAMED = 10;
/** How much of a document is read. */
const LONGEST_READ_BYTES = 4 * 1024 * 1024;
/** The most that come out of a printer. */
const MOST_SIDES = 1_000;
/** 8 × 6 inches at 600 dpi has 18 million. */
const MOST_DOTS = 30_000_000;
export class LabelDrawing implements PieceDrawing {
  readonly #bytes: Uint8Array;
  readonly #stock: LabelStock | undefined;
  readonly #press: Press;
  #labels: readonly ZplLabel[] | undefined;
  #notRendered: string | undefined;
  /** What is not on the labels. */
  #missing: readonly string[] | undefined;
  #source: string | undefined;
  #pdf: Promise<Uint8Array | undefined> | undefined;
  #failure: string | undefined;

  /** @param stock - what the printer prints on; undefined when it is not a label printer */
  constructor(bytes: Uint8Array, stock: LabelStock | undefined, press: Press) {
    this.#bytes = bytes;
    this.#stock = stock;
    this.#press = press;
  }

  /** How many of the first `pieces` labels have a picture. Until they are drawn, an estimate. */
  sides(pieces: number): number {
    return this.#whyNone() === null ? Math.min(pieces, this.#sideLabels().length) : 0;
  }

  /** Why labels have no picture; null where each of the first `pieces` has one. */
  notDrawn(pieces: number): string | null {
    const none = this.#whyNone();
    if (none !== null) return none;
    const sides = this.sides(pieces);
    const rest = sides < pieces ? [`of ${pieces} labels only the first ${sides} are drawn`] : [];
    this.#missing ??= [...missingIn(this.#document()), ...lettersMissingIn(this.#sideLabels())];
    return [...rest, ...this.#missing].join('; ') || null;
  }

  /** The first `pieces` labels, a page each; undefined when they cannot be drawn, as `notDrawn` then says. */
  async pdf(pieces: number): Promise<Uint8Array | undefined> {
    const sides = this.sides(pieces);
    if (sides === 0) return undefined;
    const whole = await (this.#pdf ??= this.#draw());
    if (whole === undefined || sides === this.#sideLabels().length) return whole;
    return this.#press.firstSidesOf(whole, sides);
  }

  /** What the fields of the first `pieces` labels say; also of those not drawn. */
  texts(pieces: number): string[] {
    const labels = this.#sideLabels().slice(0, pieces);
    return labels.map(({ fields }) => decoded(fields.join('\n')));
  }

  get dpi(): number {
    return (this.#stock?.dotsPerMm ?? 0) * MM_PER_INCH;
  }

  get widthPt(): number {
    return mmToPoints(this.#stock?.widthMm ?? 0);
  }

  async #draw(): Promise<Uint8Array | undefined> {
    const stock = this.#stock;
    if (!stock) return undefined;
    const zpl = decoded(zplPrepared(zplAsText(this.#drawnText()), stock.dotsPerMm));
    const labels = [...new Set(this.#sideLabels())];
    const copies = labels.map((label) => this.#sideLabels().filter((side) => side === label).length);
    const mirrored = labels.map(({ isMirrored }) => isMirrored);
    try {
      return await this.#press.labelsOf({ zpl, copies, mirrored, stock });
    } catch (error) {
      this.#failure = messageOf(error);
      return undefined;
    }
  }

  #whyNone(): string | null {
    if (this.#failure !== undefined) return this.#failure;
    const stock = this.#stock;
    if (!stock) return 'the printer is not a label printer';
    if (stock.widthMm * stock.heightMm * stock.dotsPerMm ** 2 > MOST_DOTS) return 'its labels are too large';
    this.#notRendered ??= notRenderedIn(this.#drawnText());
    return this.#notRendered || null;
  }

  /** The labels that are drawn, each as often as it comes out. */
  #sideLabels(): readonly ZplLabel[] {
    this.#labels ??= zplLabels(this.#text(), MOST_DRAWN)
      .flatMap((label) => Array.from({ length: Math.min(label.copies, MOST_SIDES) }, () => label))
      .slice(0, MOST_SIDES);
    return this.#labels;
  }

  /** The document up to the end of the last label that is drawn. */
  #drawnText(): string {
    return this.#text().slice(0, this.#sideLabels().at(-1)?.end ?? 0);
  }

  /** With a label of its own for each serial number. */
  #text(): string {
    this.#source ??= withSerials(this.#document(), MOST_DRAWN);
    return this.#source;
  }

  #document(): string {
    const { buffer, byteOffset, length } = this.#bytes;
    return Buffer.from(buffer, byteOffset, Math.min(length, LONGEST_READ_BYTES)).toString('latin1');
  }
}

/** Empty where the renderer knows all barcodes. */
function notRenderedIn(zpl: string): string {
  const reasons = Array.from(zplCommands(zpl).keys(), whyNoLabel);
  return reasons.find((reason) => reason !== undefined) ?? '';
}

/** What the labels lack, each with its place in the document. */
function missingIn(zpl: string): readonly string[] {
  return [...zplCommands(zpl)].flatMap(([command, at]) => {
    const missing = whatIsMissing(command);
    return missing === undefined ? [] : [`${zpl.charAt(at)}${missing}, at byte ${at}`];
  });
}

/** The letters that come out as boxes. */
function lettersMissingIn(labels: readonly ZplLabel[]): readonly string[] {
  const missing = new Set<string>();
  for (const { font, text } of new Set(labels.flatMap(({ texts }) => texts))) {
    for (const letter of decoded(text)) if (!isLetterOf(font, letter)) missing.add(letter);
  }
  return missing.size === 0 ? [] : [`letters that the font has not: ${[...missing].slice(0, MOST_NAMED).join(' ')}`];
}

/** As UTF-8 where it is that, and a character a byte where it is not. */
function decoded(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
