/**
 * Raw labels: counters for label languages whose commands stand on lines of their own.
 *
 *   EPL   P2,3          sets × copies           TSPL  PRINT 2,3      sets × copies
 *   CPCL  ! 0 200 200 210 4 … PRINT             DPL   STX L … Q0003 … E
 *   SBPL  ESC A … ESC Q 3 … ESC Z
 */

import { copiesOf, counted, walkLines, type RawCounter } from './raw-count.ts';

export const countEpl: RawCounter = (text) => {
  let labels = 0;
  walkLines(text, [
    {
      pattern: /P(\d{1,9})(?:,(\d{1,9}))?(?=[\r\n]|$)/y,
      meet: ([, sets, copies]) => {
        labels += copiesOf(sets) * copiesOf(copies);
      },
    },
    { pattern: /GW\d{1,5},\d{1,5},(\d{1,5}),(\d{1,5})[,\r\n]/y, meet: graphics },
  ]);
  return counted('labels', labels);
};

export const countTspl: RawCounter = (text) => {
  let labels = 0;
  walkLines(text, [
    {
      pattern: /PRINT[ \t]{1,9}(\d{1,9})(?:[ \t]{0,9},[ \t]{0,9}(\d{1,9}))?/iy,
      meet: ([, sets, copies]) => {
        labels += copiesOf(sets) * copiesOf(copies);
      },
    },
    { pattern: /BITMAP[ \t]{1,9}\d{1,5},\d{1,5},(\d{1,5}),(\d{1,5}),\d,/iy, meet: graphics },
  ]);
  return counted('labels', labels);
};

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
