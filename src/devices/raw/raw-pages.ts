/**
 * Raw pages: counters for languages that print pages: PCL 5, plain text and ESC/P, each perhaps in a PJL wrapper that
 * asks for copies.
 */

import { copiesOf, counted, type RawCount, type RawCounter } from './raw-count.ts';

const LINES_A_PAGE = 66;
/** After ESC: a parameterised character, a group, then values each ended by a letter; a capital is the last. */
const PCL_SEQUENCE = /([!-/])([`-~]?)/y;
const PCL_VALUE = /([+-]?\d{0,9})(?:\.\d{0,9})?([@-~])/y;

/** A form feed ends a page; what stands after the last one is a page of its own. */
export const countPcl: RawCounter = (text) => {
  let pages = 0;
  let copies = 1;
  let isDirty = false;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\x1b') {
      const sequence = readPclSequence(text, at);
      copies = sequence.copies ?? copies;
      isDirty ||= sequence.draws;
      const isReset = text.charAt(at + 1) === 'E';
      if (isReset && isDirty) pages += copies;
      if (isReset) [copies, isDirty] = [1, false];
      at += sequence.length;
      continue;
    }
    if (character === '\f') [pages, isDirty] = [pages + copies, false];
    else if (character > ' ') isDirty = true;
    at++;
  }
  return counted('pages', isDirty ? pages + copies : pages, 'pages are counted by form feeds and resets');
};

interface PclSequence {
  readonly length: number;
  readonly copies?: number | undefined;
  readonly draws: boolean;
}

function readPclSequence(text: string, at: number): PclSequence {
  PCL_SEQUENCE.lastIndex = at + 1;
  const start = PCL_SEQUENCE.exec(text);
  if (!start) return { length: 2, draws: false };
  const group = `${start[1]}${start[2]}`;
  let end = at + 1 + start[0].length;
  let copies: number | undefined;
  let draws = false;
  for (;;) {
    PCL_VALUE.lastIndex = end;
    const value = PCL_VALUE.exec(text);
    if (!value) break;
    const [whole, digits = '', letter = ''] = value;
    end += whole.length;
    if (group === '&l' && letter.toUpperCase() === 'X') copies = copiesOf(digits.replace('-', ''));
    if (isFollowedByBytes(group, letter)) end += Math.max(0, Number(digits));
    draws ||= group === '*b' && letter.toUpperCase() === 'W';
    if (letter < '`') break;
  }
  return { length: Math.max(2, end - at), draws, copies };
}

function isFollowedByBytes(group: string, letter: string): boolean {
  return letter === 'W' || (group === '&p' && letter === 'X');
}

/** 66 lines a page; a form feed begins a new one, unless nothing follows. */
export const countText: RawCounter = (text) => {
  let pages = 0;
  let lines = 0;
  let isInLine = false;
  const endPage = (): void => {
    pages += Math.max(1, Math.ceil((lines + Number(isInLine)) / LINES_A_PAGE));
    [lines, isInLine] = [0, false];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\f') endPage();
    else if (character === '\n') [lines, isInLine] = [lines + 1, false];
    else isInLine = true;
  }
  if (!text.endsWith('\f')) endPage();
  const isHtml = /^\s{0,99}<(?:!doctype html|html)/i.test(text);
  return counted('pages', pages, isHtml ? 'it looks like an HTML page' : null);
};

/** Text with commands of a dot matrix printer; commands alone print nothing. */
export const countEscP: RawCounter = (text) =>
  text.split('\x1b').some((part, index) => /[!-~\x80-\xff]/.test(index === 0 ? part : part.slice(1)))
    ? countText(text)
    : counted('pages', 0);

/** Multiplies by what the PJL wrapper asks for. */
export function withPjlCopies(count: RawCount, text: string): RawCount {
  if (count.counted === null || count.count === null) return count;
  const copies = /@PJL SET (?:COPIES|QTY)[ \t]{0,9}=[ \t]{0,9}(\d{1,9})/i.exec(text)?.[1];
  return counted(count.counted, count.count * copiesOf(copies), count.note);
}
