/**
 * Raw labels: counters for label languages whose commands stand on lines of their own.
 *
 *   EPL   P2,3          sets × copies           TSPL  PRINT 2,3      sets × copies
 *   CPCL  ! 0 200 200 210 4 … PRINT             DPL   STX L … Q0003 … E
 *   SBPL  ESC A … ESC Q 3 … ESC Z
 */

import { copiesOf, counted, walkLines, type RawCounter } from './raw-count.ts';

export const countEpl = setsOfCopies(
  /P(\d{1,9})(?:,(\d{1,9}))?(?=[\r\n]|$)/y,
  /GW\d{1,5},\d{1,5},(\d{1,5}),(\d{1,5})[,\r\n]/y,
);

export const countTspl = setsOfCopies(
  /PRINT[ \t]{1,9}(\d{1,9})(?:[ \t]{0,9},[ \t]{0,9}(\d{1,9}))?/iy,
  /BITMAP[ \t]{1,9}\d{1,5},\d{1,5},(\d{1,5}),(\d{1,5}),\d,/iy,
);

/** @param print - captures sets and copies. @param picture - captures the size of the graphics that follow */
function setsOfCopies(print: RegExp, picture: RegExp): RawCounter {
  return (text) => {
    let labels = 0;
    const meet = ([, sets, copies]: RegExpExecArray): void => {
      labels += copiesOf(sets) * copiesOf(copies);
    };
    walkLines(text, [
      { pattern: print, meet },
      { pattern: picture, meet: graphics },
    ]);
    return counted('labels', labels);
  };
}

export const countCpcl: RawCounter = (text) => {
  let labels = 0;
  let copies = 1;
  walkLines(text, [
    {
      pattern: /![ \t]{1,9}(?:\d{1,9}[ \t]{1,9}){4}(\d{1,9})/y,
      meet: ([, quantity]) => {
        copies = copiesOf(quantity);
      },
    },
    {
      pattern: /(?:PO)?PRINT(?=[\r\n]|$)/iy,
      meet: () => {
        labels += copies;
      },
    },
  ]);
  return counted('labels', labels);
};

export const countDpl: RawCounter = (text) => {
  let labels = 0;
  let copies = 1;
  let inFormat = false;
  walkLines(text.replaceAll('\x02', ''), [
    {
      pattern: /L(?=[\r\n]|$)/y,
      meet: () => {
        inFormat = true;
        copies = 1;
      },
    },
    {
      pattern: /Q(\d{4,5})(?=[\r\n]|$)/y,
      meet: ([, quantity]) => {
        copies = copiesOf(quantity);
      },
    },
    {
      pattern: /E(?=[\r\n]|$)/y,
      meet: () => {
        if (inFormat) labels += copies;
        inFormat = false;
      },
    },
  ]);
  return counted('labels', labels);
};

export const countSbpl: RawCounter = (text) => {
  let labels = 0;
  let copies = 1;
  for (const command of text.split('\x1b').slice(1)) {
    if (command.startsWith('A')) copies = 1;
    if (command.startsWith('Q')) copies = copiesOf(/^Q(\d{1,9})/.exec(command)?.[1]);
    if (command.startsWith('Z')) labels += copies;
  }
  return counted('labels', labels);
};

/** Width in bytes times rows: binary data, not commands. */
function graphics([, widthBytes, rows]: RegExpExecArray): { skipBytes: number } {
  return { skipBytes: Number(widthBytes) * Number(rows) };
}
