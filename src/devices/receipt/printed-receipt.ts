/**
 * Printed receipt: a document of a receipt printer carried out, command by command.
 *
 *   bytes ─► commands (escpos-commands.ts, star-commands.ts) ─► head (receipt-head.ts) ─► pieces, events, not drawn
 *
 * Never throws, takes time by the length of the document, and leaves the bytes as they are.
 */

import { EPSON_PAGES, STAR_PAGES } from './code-pages.ts';
import { BLANK, CommandReader, LEADS, type Part } from './command-reader.ts';
import { ReceiptHead } from './receipt-head.ts';
import {
  USUAL_PAPER,
  type Encode,
  type Piece,
  type PrinterEvent,
  type ReceiptLanguage,
  type ReceiptPaper,
} from './receipt-paper.ts';

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
const PAGES: Readonly<Record<ReceiptLanguage, Readonly<Record<number, string>>>> = {
  'esc-pos': EPSON_PAGES,
  star: STAR_PAGES,
};

export function printReceipt(
  bytes: Uint8Array,
  language: ReceiptLanguage,
  { paper = USUAL_PAPER, encode }: ReceiptOptions = {},
): PrintedReceipt {
  const head = new ReceiptHead({ paper, pages: PAGES[language], encode, mostPieces: MOST_PIECES });
  for (const part of partsOf(bytes, language)) {
    head.offset = part.at;
    carryOut(head, part, bytes);
  }
  head.offset = bytes.length;
  head.end();
  const { pieceCount: count, pieces, events, notDrawn } = head;
  return { count, pieces, events, notDrawn: notDrawn.map(({ what, offset }) => `${what}, at byte ${offset}`) };
}

function carryOut(head: ReceiptHead, { from, to, command }: Part, bytes: Uint8Array): void {
  if (command === 'none') return;
  if (command === 'text') return head.text(bytes.subarray(from, to));
  if (command === 'unknown') {
    const name = `${LEADS[bytes[from] ?? 0]} ${hex(bytes[from + 1])}`;
    return head.leaveOut(`${name}, which is no command that platen knows`);
  }
  if (to > bytes.length) head.leaveOut(`${command.title}, of which the document has only the beginning`);
  if (command.effect === 'not drawn') head.leaveOut(command.title);
  else command.effect?.(head, bytes.subarray(from, to));
}

function* partsOf(bytes: Uint8Array, language: ReceiptLanguage): Iterable<Part> {
  const reader = new CommandReader(language);
  for (let at = 0; at < bytes.length;) {
    const part = reader.next(bytes, at);
    at = part.to;
    yield part;
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
    if (command === 'text' || command === 'none') continue;
    if (command === 'unknown') signs.unknown++;
    else if (command.isOwn) signs.own++;
    else if (SHARED.test(command.name)) signs.shared++;
  }
  return signs;
}

const DELETE = 0x7f;

function hex(value = 0): string {
  return value > BLANK && value < DELETE
    ? String.fromCharCode(value)
    : value.toString(16).padStart(2, '0').toUpperCase();
}
