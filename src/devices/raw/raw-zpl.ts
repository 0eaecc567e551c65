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
const DRAWS = new Set(['GB', 'GC', 'GD', 'GE', 'GF', 'GS', 'XG', 'IM', 'IL', 'XF', 'FV', 'FN']);
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
  /** The data of its fields, in the order in which they stand. */
  readonly fields: readonly string[];
}

/** Those who draw labels read no further: a label has some dozens. */
const MOST_COMMANDS = 100_000;

/** The first labels of a document, `most` of them, as far as they are within the first 100,000 commands. */
export function zplLabels(text: string, most: number): readonly ZplLabel[] {
  const labels: ZplLabel[] = [];
  let fields: string[] = [];
  const count = new LabelCount((copies, end) => {
    if (labels.length < most) labels.push({ copies, end, fields });
  });
  let commands = 0;
  walkZpl(text, ({ command, at, prefix, isControl }) => {
    const isOver = ++commands > MOST_COMMANDS || labels.length >= most;
    if (isControl || isOver) return isOver;
    if (command === 'XA') fields = [];
    if (command === 'FD' || command === 'FV') fields.push(fieldData(text, at, prefix));
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

/** The commands that a document has, in capitals: `B0`. */
export function zplCommands(text: string): ReadonlySet<string> {
  const commands = new Set<string>();
  walkZpl(text, ({ command, isControl }) => {
    if (!isControl) commands.add(command);
  });
  return commands;
}

interface ZplCommand {
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
function walkZpl(text: string, meet: (command: ZplCommand) => boolean | void): void {
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
