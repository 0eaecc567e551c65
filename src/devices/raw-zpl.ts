/**
 * Raw ZPL: counts labels. A label is a format (^XA … ^XZ) that draws something and is not only stored,
 * as often as its ^PQ says.
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
  let caret = '^';
  let tilde = '~';
  let at = 0;
  while (at < text.length) {
    const prefix = text.charAt(at++);
    if (prefix !== caret && prefix !== tilde) continue;
    const command = text.slice(at, at + 2).toUpperCase();
    if (command.includes(caret) || command.includes(tilde)) continue;
    if (prefix === caret) labels.meet(command, text.slice(at + 2, at + 14), caret);
    at += 2;
    if (command === 'CC') caret = text.charAt(at++) || caret;
    if (command === 'CT') tilde = text.charAt(at++) || tilde;
    at += binaryLength(command, text, at);
  }
  return labels.result();
}

class LabelCount {
  #labels = 0;
  #open = false;
  #draws = false;
  #stored = false;
  #copies = 1;

  meet(command: string, parameters: string, caret: string): void {
    if (command === 'XA') this.#begin();
    else if (command === 'XZ') this.#end();
    else if (command === 'PQ') this.#copies = copiesOf(/^\d{1,8}/.exec(parameters)?.[0]);
    else if (command === 'DF') this.#stored = true;
    else if (DRAWS.has(command)) this.#draws = true;
    else if (command === 'FD' && !isEmptyField(parameters, caret)) this.#draws = true;
  }

  result(): RawCount {
    return counted(
      'labels',
      this.#labels,
      this.#open && this.#draws ? 'its last label is not ended by ^XZ' : null,
    );
  }

  /** A second ^XA before ^XZ goes on with the format. */
  #begin(): void {
    if (this.#open) return;
    this.#open = true;
    this.#draws = false;
    this.#stored = false;
    this.#copies = 1;
  }

  #end(): void {
    if (this.#open && this.#draws && !this.#stored) this.#labels += this.#copies;
    this.#open = false;
  }
}

function isEmptyField(data: string, caret: string): boolean {
  const start = data.trimStart();
  return start === '' || start.startsWith(caret);
}

function binaryLength(command: string, text: string, at: number): number {
  const pattern = command === 'GF' ? FIELD_GRAPHICS : DOWNLOAD;
  if (command !== 'GF' && command !== 'DY') return 0;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? match[0].length + Number(match[1]) : 0;
}
