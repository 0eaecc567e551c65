/**
 * Raw ZPL: counts labels, and takes them apart for those who draw them. A label is a format (^XA … ^XZ)
 * that draws something and is not only stored, as often as its ^PQ says.
 *
 * Pairs of ^XA and ^XZ alone count too much: settings, deletions and stored templates stand between
 * them too. The characters that begin a command can be changed (^CC, ^CT), and binary graphics, which
 * may hold any character, are skipped.
 */

import { copiesOf, counted, type RawCount } from './raw-count.ts';

/** Commands that put something on the label by themselves. */
const DRAWS = new Set(['GB', 'GC', 'GD', 'GE', 'GF', 'GS', 'XG', 'IM', 'IL', 'XF', 'FV', 'FN', 'SN']);
/** Length of the binary data of ^GFB, ^GFC and ~DY, among the first parameters. */
const FIELD_GRAPHICS = /[BC],(\d{1,8}),\d{1,8},\d{1,8},/iy;
const DOWNLOAD = /[^,]{0,40},[BPE],[^,]{0,9},(\d{1,8}),\d{0,8},/iy;

export function countZpl(text: string): RawCount {
  const labels = new LabelCount();
  walkZpl(text, ({ command, at, prefix, isControl }) => {
    if (!isControl) labels.meet(command, text.slice(at, at + 14), prefix, at);
  });
  return labels.result();
}

export interface ZplLabel {
  /** How often it comes out one after another. */
  readonly copies: number;
  /** Where its format ends in the text. */
  readonly end: number;
  /** What its fields say, in the order in which they stand. */
  readonly fields: readonly string[];
  /** The fields that are printed as letters, without bar codes. */
  readonly texts: readonly { readonly font: string; readonly text: string }[];
  /** Whether it comes out mirrored (^PM). */
  readonly isMirrored: boolean;
}

/** Those who draw labels read no further: a label has some dozens. */
const MOST_COMMANDS = 100_000;

/** The first labels of a document, `most` of them, as far as they are within the first 100,000 commands. */
export function zplLabels(text: string, most: number): readonly ZplLabel[] {
  const labels: ZplLabel[] = [];
  let fields: string[] = [];
  let texts: { font: string; text: string }[] = [];
  let usualFont = 'A';
  let isMirrored = false;
  let reading: FieldReading = {};
  const count = new LabelCount((copies, end) => {
    if (labels.length < most) labels.push({ copies, end, fields, texts, isMirrored });
  });
  let commands = 0;
  walkZpl(text, ({ command, at, prefix, isControl }) => {
    const isOver = ++commands > MOST_COMMANDS || labels.length >= most;
    if (isControl || isOver) return isOver;
    if (command === 'XA') [fields, texts] = [[], []];
    if (command === 'CF') usualFont = text.charAt(at);
    if (command.startsWith('A')) reading = { ...reading, font: command.charAt(1) };
    if (command.startsWith('B') && command !== 'BY') reading = { ...reading, isCode: true };
    if (command === 'FH') reading = { ...reading, escape: /^[^\s^~]/.exec(text.charAt(at))?.[0] ?? '_' };
    if (command === 'FB') reading = { ...reading, isBlock: true };
    if (command === 'FS') reading = {};
    if (command === 'PM') isMirrored = /y/i.test(text.charAt(at));
    if (command === 'FD' || command === 'FV') {
      const said = fieldText(fieldData(text, at, prefix), reading);
      fields.push(said);
      if (!reading.isCode) texts.push({ font: reading.font ?? usualFont, text: said });
    }
    if (command === 'SN') fields.push(fieldData(text, at, prefix).split(',', 1)[0] ?? '');
    count.meet(command, text.slice(at, at + 14), prefix, at);
    return false;
  });
  return labels;
}

const LONGEST_FIELD = 3_072;

function fieldData(text: string, at: number, prefix: string): string {
  const data = text.slice(at, at + LONGEST_FIELD);
  const end = data.indexOf(prefix);
  return (end < 0 ? data : data.slice(0, end)).replaceAll(/[\r\n]/g, '');
}

/** How the data of a field is written. */
interface FieldReading {
  /** Begins two hexadecimal digits (^FH). */
  readonly escape?: string;
  /** In a block `\\&` begins a line (^FB). */
  readonly isBlock?: boolean;
  /** As ^A names it. */
  readonly font?: string;
  readonly isCode?: boolean;
}

/** What stands on the label. */
function fieldText(data: string, { escape, isBlock }: FieldReading): string {
  const parts = escape === undefined ? [data] : data.split(escape);
  const plain = parts.map((part, index) => (index === 0 ? part : byteOf(part, escape ?? ''))).join('');
  return isBlock ? plain.replaceAll('\\&', '\n').replaceAll('\\\\', '\\') : plain;
}

function byteOf(part: string, escape: string): string {
  const digits = /^[0-9a-f]{2}/i.exec(part)?.[0];
  return digits === undefined ? escape + part : String.fromCharCode(Number.parseInt(digits, 16)) + part.slice(2);
}

/**
 * The same labels without bytes that are not text: binary graphics (^GFB) as hexadecimal digits (^GFA),
 * for those who read a document as text.
 */
export function zplAsText(text: string): string {
  const parts: string[] = [];
  let done = 0;
  walkZpl(text, ({ command, at, dataAt, end }) => {
    if (command !== 'GF' || dataAt === end || !/^B/i.test(text.slice(at, at + 1))) return;
    const digits = Buffer.from(text.slice(dataAt, end), 'latin1').toString('hex').toUpperCase();
    parts.push(text.slice(done, at), 'A', text.slice(at + 1, dataAt), digits);
    done = end;
  });
  return [...parts, text.slice(done)].join('');
}

/** The commands that a document has, in capitals, each with the place where it stands first: `B0`. */
export function zplCommands(text: string): ReadonlyMap<string, number> {
  const commands = new Map<string, number>();
  walkZpl(text, ({ command, at }) => {
    if (!commands.has(command)) commands.set(command, at - 3);
  });
  return commands;
}

export interface ZplCommand {
  /** Its two letters, in capitals. */
  readonly command: string;
  /** The character it begins with. */
  readonly prefix: string;
  readonly isControl: boolean;
  /** Where its parameters begin. */
  readonly at: number;
  /** Where binary data among its parameters begins and ends; the same place where there is no such data. */
  readonly dataAt: number;
  readonly end: number;
}

/** @param meet - is called for each command, until it returns true */
export function walkZpl(text: string, meet: (command: ZplCommand) => boolean | void): void {
  let caret = '^';
  let tilde = '~';
  let at = 0;
  while (at < text.length) {
    const prefix = text.charAt(at++);
    if (prefix !== caret && prefix !== tilde) continue;
    const command = text.slice(at, at + 2).toUpperCase();
    if (command.includes(caret) || command.includes(tilde)) continue;
    const parametersAt = at + 2;
    at = parametersAt;
    if (command === 'CC') caret = text.charAt(at++) || caret;
    if (command === 'CT') tilde = text.charAt(at++) || tilde;
    const [dataAt, end] = binaryData(command, text, at);
    at = end;
    if (meet({ command, prefix, isControl: prefix !== caret, at: parametersAt, dataAt, end }) === true) return;
  }
}

class LabelCount {
  readonly #onLabel: ((copies: number, end: number) => void) | undefined;
  #labels = 0;
  #open = false;
  #draws = false;
  #stored = false;
  #copies = 1;

  /** @param onLabel - called for each label when its format ends, with the place in the text */
  constructor(onLabel?: (copies: number, end: number) => void) {
    this.#onLabel = onLabel;
  }

  meet(command: string, parameters: string, caret: string, at: number): void {
    if (command === 'XA') this.#begin();
    else if (command === 'XZ') this.#end(at);
    else if (command === 'PQ') this.#copies = copiesOf(/^\d{1,8}/.exec(parameters)?.[0]);
    else if (command === 'DF') this.#stored = true;
    else if (DRAWS.has(command)) this.#draws = true;
    else if (command === 'FD' && !isEmptyField(parameters, caret)) this.#draws = true;
  }

  result(): RawCount {
    return counted('labels', this.#labels, this.#open && this.#draws ? 'its last label is not ended by ^XZ' : null);
  }

  /** A second ^XA before ^XZ goes on with the format. */
  #begin(): void {
    if (this.#open) return;
    this.#open = true;
    this.#draws = false;
    this.#stored = false;
    this.#copies = 1;
  }

  #end(at: number): void {
    if (this.#open && this.#draws && !this.#stored) {
      this.#labels += this.#copies;
      this.#onLabel?.(this.#copies, at);
    }
    this.#open = false;
  }
}

function isEmptyField(data: string, caret: string): boolean {
  const start = data.trimStart();
  return start === '' || start.startsWith(caret);
}

function binaryData(command: string, text: string, at: number): readonly [at: number, end: number] {
  if (command !== 'GF' && command !== 'DY') return [at, at];
  const pattern = command === 'GF' ? FIELD_GRAPHICS : DOWNLOAD;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return [at, at];
  const dataAt = at + match[0].length;
  return [dataAt, dataAt + Number(match[1])];
}
