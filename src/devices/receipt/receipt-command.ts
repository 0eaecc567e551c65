/**
 * Receipt commands: how a printer language is written down as a table, and how its commands are found among bytes.
 *
 *   'GS ( k'  ─► 1d 28 6b │ parameters, skipped by their length │ what it does to the print head
 *
 * The longest name that fits counts: `ESC c 0` before `ESC`. Pictures and parameters may hold any byte, so that a
 * document can only be read command by command.
 */

import type { ReceiptHead } from './receipt-head.ts';

/** What a command does; null where it changes nothing on paper, and `not drawn` where it would. */
type Effect = ((head: ReceiptHead, parameters: Uint8Array) => void) | 'not drawn' | null;

/** How many bytes of parameters there are; `at` is where they begin. */
type Measure = (bytes: Uint8Array, at: number) => number;
type Length = number | Measure;

type Row = readonly [about: string, length: Length, effect: Effect];
export type CommandRows = Readonly<Record<string, Row>>;

export interface ReceiptCommand {
  readonly name: string;
  /** For people: `ESC & (characters of its own)`. */
  readonly title: string;
  readonly bytes: readonly number[];
  readonly length: Length;
  readonly effect: Effect;
  /** A sign of the language: no other has a command of this name. */
  readonly isOwn: boolean;
}

/** The commands of a language by their first byte, the longest first. */
export type CommandTable = ReadonlyMap<number, readonly ReceiptCommand[]>;

const CONTROLS =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP'.split(
    ' ',
  );

/** @param own - names of commands, or how they begin, that no other language has */
export function commandTable(rows: CommandRows, own: RegExp): CommandTable {
  const table = new Map<number, ReceiptCommand[]>();
  for (const [name, [about, length, effect]] of Object.entries(rows)) {
    const bytes = name.split(' ').map(codeOf);
    const command = { name, title: `${name} (${about})`, bytes, length, effect, isOwn: own.test(name) };
    const [first = 0] = bytes;
    table.set(first, [...(table.get(first) ?? []), command]);
  }
  for (const commands of table.values()) commands.sort((a, b) => b.bytes.length - a.bytes.length);
  return table;
}

function codeOf(part: string): number {
  const control = CONTROLS.indexOf(part);
  return control >= 0 ? control : (part.codePointAt(0) ?? 0);
}

/** The command that stands at this place; undefined for text and for what the language has not. */
export function commandAt(table: CommandTable, bytes: Uint8Array, at: number): ReceiptCommand | undefined {
  const commands = table.get(bytes[at] ?? -1);
  return commands?.find((command) => command.bytes.every((byte, index) => bytes[at + index] === byte));
}

/** 0 past the end. */
export function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function word(bytes: Uint8Array, at: number): number {
  return byte(bytes, at) + 256 * byte(bytes, at + 1);
}

/** Two bytes that say how many follow. @param before - bytes that stand before them */
export function counted(before = 0): Measure {
  return (bytes, at) => before + 2 + word(bytes, at + before);
}

/** Up to a byte, and with it; at most 512 bytes, since one that is missing would take the rest of the document. */
export function until(end: number): Measure {
  return (bytes, at) => {
    const found = bytes.subarray(at, at + 512).indexOf(end);
    return found < 0 ? 0 : found + 1;
  };
}

export const isOn = (value = 0): boolean => (value & 1) === 1;

export const cut = (head: ReceiptHead): void => head.cut();
export const buzz = (head: ReceiptHead): void => head.happen('buzzer');
