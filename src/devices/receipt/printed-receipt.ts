/**
 * Printed receipt: a document of a receipt printer carried out, command by command.
 *
 *   bytes ─► commands (escpos-commands.ts, star-commands.ts) ─► head (receipt-head.ts) ─► pieces, events, not drawn
 *
 * Never throws, takes time by the length of the document, and leaves the bytes as they are.
 */

import { BEMATECH } from './bematech-commands.ts';
import { EPSON_PAGES, STAR_PAGES } from './code-pages.ts';
import { ESC_POS } from './escpos-commands.ts';
import { commandAt, endOf, type CommandTable, type ReceiptCommand } from './receipt-command.ts';
import { ReceiptHead } from './receipt-head.ts';
import {
  USUAL_PAPER,
  type Encode,
  type Piece,
  type PrinterEvent,
  type ReceiptLanguage,
  type ReceiptPaper,
} from './receipt-paper.ts';
import { STAR } from './star-commands.ts';

export interface PrintedReceipt {
  /** How many pieces come out. */
  readonly count: number;
  /** The first of them. */
  readonly pieces: readonly Piece[];
  readonly events: readonly PrinterEvent[];
  /** What is not on the paper as it would be, each with its place in the document. */
  readonly notDrawn: readonly string[];
}

export interface ReceiptOptions {
  readonly paper?: ReceiptPaper | undefined;
  /** Makes the dots of codes, which are left out without it. */
  readonly encode?: Encode | undefined;
}

/** The most that are drawn, and have a text. */
const MOST_PIECES = 100;
const LANGUAGES: Readonly<Record<ReceiptLanguage, { table: CommandTable; pages: Readonly<Record<number, string>> }>> = {
  'esc-pos': { table: ESC_POS, pages: EPSON_PAGES },
  star: { table: STAR, pages: STAR_PAGES },
};

export function printReceipt(
  bytes: Uint8Array,
  language: ReceiptLanguage,
  { paper = USUAL_PAPER, encode }: ReceiptOptions = {},
): PrintedReceipt {
  const { pages } = LANGUAGES[language];
  const head = new ReceiptHead({ paper, pages, encode, mostPieces: MOST_PIECES });
  for (const { at, from, to, command } of partsOf(bytes, language)) {
    head.offset = at;
    carryOut(head, command, bytes, from, to);
  }
  head.offset = bytes.length;
  head.end();
  const { pieceCount: count, pieces, events, notDrawn } = head;
  return { count, pieces, events, notDrawn: notDrawn.map(({ what, offset }) => `${what}, at byte ${offset}`) };
}

function carryOut(
  head: ReceiptHead,
  command: ReceiptCommand | 'unknown' | undefined,
  bytes: Uint8Array,
  from: number,
  to: number,
): void {
  if (command === undefined) return head.text(bytes.subarray(from, to));
  if (command === 'unknown') {
    const name = `${LEADS[bytes[from] ?? 0]} ${hex(bytes[from + 1])}`;
    return head.leaveOut(`${name}, which is no command that platen knows`);
  }
  if (command.effect === 'not drawn') head.leaveOut(command.title);
  else command.effect?.(head, bytes.subarray(from, to));
}

interface Part {
  /** Where it begins. */
  readonly at: number;
  /** Its parameters; of text, the text. */
  readonly from: number;
  readonly to: number;
  /** Undefined for text. */
  readonly command: ReceiptCommand | 'unknown' | undefined;
}

/** Bytes that begin a command, and what they are called. */
const LEADS: Readonly<Record<number, string>> = { 0x1b: 'ESC', 0x1d: 'GS', 0x1c: 'FS', 0x10: 'DLE' };
const RASTER_BEGINS = 'ESC * r A';
const RASTER_ENDS = 'ESC * r B';
/** A command of printers with a language of their own beside ESC/POS. */
const CHOOSES_LANGUAGE = 'GS ù';
const OWN_LANGUAGE = 0x30;
const BLANK = 0x20;
const DELETE = 0x7f;

function* partsOf(bytes: Uint8Array, language: ReceiptLanguage): Iterable<Part> {
  let { table } = LANGUAGES[language];
  // Lines of dots then stand where text would.
  let isRaster = false;
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    if (first < BLANK || isRaster) {
      const command = commandAt(table, bytes, at);
      if (command) {
        const from = at + command.bytes.length;
        const to = endOf(command, bytes, from);
        yield { at, from, to, command };
        isRaster = command.name === RASTER_BEGINS || (isRaster && command.name !== RASTER_ENDS);
        if (command.name === CHOOSES_LANGUAGE) table = bytes[from + 1] === OWN_LANGUAGE ? BEMATECH : ESC_POS;
        at = to;
      } else if (Object.hasOwn(LEADS, first)) {
        yield { at, from: at, to: at + 2, command: 'unknown' };
        at += 2;
      } else at++;
      continue;
    }
    let to = at;
    while (to < bytes.length && (bytes[to] ?? 0) >= BLANK) to++;
    yield { at, from: at, to, command: undefined };
    at = to;
  }
}

export interface LanguageSigns {
  /** Commands that no other language has. */
  readonly own: number;
  /** Commands that are of both languages, each with another meaning perhaps. */
  readonly shared: number;
  readonly unknown: number;
}

/** Commands of both that show a receipt printer, and no other. */
const SHARED = /^ESC [!adimpt]$/;

/** How much of a language is in a document. */
export function signsOf(bytes: Uint8Array, language: ReceiptLanguage): LanguageSigns {
  const signs = { own: 0, shared: 0, unknown: 0 };
  for (const { command } of partsOf(bytes, language)) {
    if (command === undefined) continue;
    if (command === 'unknown') signs.unknown++;
    else if (command.isOwn) signs.own++;
    else if (SHARED.test(command.name)) signs.shared++;
  }
  return signs;
}

function hex(value = 0): string {
  return value > BLANK && value < DELETE
    ? String.fromCharCode(value)
    : value.toString(16).padStart(2, '0').toUpperCase();
}
