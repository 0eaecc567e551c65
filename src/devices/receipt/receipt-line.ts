/**
 * Receipt line: what stands beside each other before it comes onto the paper.
 */

import type { Ink } from './receipt-paper.ts';

export interface Run {
  /** From the left of the area that is printed on. */
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly ink: Ink;
  /** A letter that lies on its side. */
  readonly isTurned?: boolean;
}

/** The text of runs, with blanks for what lies between them. */
export function lineText(runs: readonly Run[]): string {
  let text = '';
  for (const { x, width, ink } of runs.toSorted((a, b) => a.x - b.x)) {
    if (ink.kind !== 'text') continue;
    text = text.padEnd(Math.floor((x * ink.text.length) / width)) + ink.text;
  }
  return text;
}

/** Whether anything of it is black. */
export function isInk({ ink }: Run): boolean {
  if (ink.kind === 'bitmap') return ink.bitmap.bits.some((bits) => bits !== 0);
  return ink.isReverse || ink.underline > 0 || /\S/.test(ink.text);
}

export function tallestOf(runs: readonly Run[]): number {
  return runs.reduce((most, { height }) => Math.max(most, height), 0);
}

/** Letters of Chinese, Japanese and Korean take two cells. */
export function isWideLetter(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xd7ff) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xff00 && code <= 0xff60))
  );
}
