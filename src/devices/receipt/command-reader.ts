/**
 * Command reader: the commands and texts of a receipt printer's language, one after the other, also while they come in.
 */

import { BEMATECH } from './bematech-commands.ts';
import { ESC_POS } from './escpos-commands.ts';
import { commandAt, type CommandTable, type ReceiptCommand } from './receipt-command.ts';
import type { ReceiptLanguage } from './receipt-paper.ts';
import { STAR } from './star-commands.ts';

export interface Part {
  /** Where it begins. */
  readonly at: number;
  /** Its parameters; of text, the text. */
  readonly from: number;
  /** Beyond the bytes where they do not hold all of it. */
  readonly to: number;
  readonly command: ReceiptCommand | 'text' | 'unknown' | 'none';
}

const TABLES: Readonly<Record<ReceiptLanguage, CommandTable>> = { 'esc-pos': ESC_POS, star: STAR };
/** Bytes that begin a command, and what they are called. */
export const LEADS: Readonly<Record<number, string>> = { 0x1b: 'ESC', 0x1d: 'GS', 0x1c: 'FS', 0x10: 'DLE' };
export const BLANK = 0x20;
const RASTER_BEGINS = 'ESC * r A';
const RASTER_ENDS = 'ESC * r B';
/** A command of printers with a language of their own beside ESC/POS. */
const CHOOSES_LANGUAGE = 'GS ù';
const OWN_LANGUAGE = 0x30;
/** No command is looked for its length further than this, but for characters and pictures to keep. */
const LONGEST_SEARCH = 1_024;
/** What may follow: a length that depends on it cannot be told yet. */
const TO_COME = [0, 0xff].map((byte) => new Uint8Array(16).fill(byte));

export class CommandReader {
  #table: CommandTable;
  /** Lines of dots then stand where text would. */
  #isRaster = false;

  constructor(language: ReceiptLanguage) {
    this.#table = TABLES[language];
  }

  next(bytes: Uint8Array, at: number): Part {
    const first = bytes[at] ?? 0;
    if (first >= BLANK && !this.#isRaster) {
      let to = at;
      while (to < bytes.length && (bytes[to] ?? 0) >= BLANK) to++;
      return { at, from: at, to, command: 'text' };
    }
    const command = commandAt(this.#table, bytes, at);
    if (!command) {
      const isUnknown = Object.hasOwn(LEADS, first);
      return { at, from: at, to: at + (isUnknown ? 2 : 1), command: isUnknown ? 'unknown' : 'none' };
    }
    const from = at + command.bytes.length;
    this.#isRaster = command.name === RASTER_BEGINS || (this.#isRaster && command.name !== RASTER_ENDS);
    if (command.name === CHOOSES_LANGUAGE) this.#table = bytes[from + 1] === OWN_LANGUAGE ? BEMATECH : ESC_POS;
    return { at, from, to: from + lengthOf(command, bytes, from), command };
  }

  /** Whether the bytes say what stands at a place, and how long it is, whatever follows them. */
  isTold(bytes: Uint8Array, at: number): boolean {
    const first = bytes[at] ?? 0;
    const there = bytes.length - at;
    if (there > LONGEST_SEARCH || (first >= BLANK && !this.#isRaster)) return true;
    const isBegun = ({ bytes: name }: ReceiptCommand): boolean =>
      name.length > there && name.slice(0, there).every((byte, index) => bytes[at + index] === byte);
    if (this.#table.get(first)?.some(isBegun)) return false;
    const command = commandAt(this.#table, bytes, at);
    if (!command) return !Object.hasOwn(LEADS, first) || there > 1;
    const from = at + command.bytes.length;
    if (typeof command.length === 'number') return from + command.length <= bytes.length;
    const [least, most] = TO_COME.map((more) => lengthOf(command, Buffer.concat([bytes.subarray(from), more]), 0));
    return least === most;
  }
}

function lengthOf({ length }: ReceiptCommand, bytes: Uint8Array, from: number): number {
  return typeof length === 'number' ? length : length(bytes, from);
}
