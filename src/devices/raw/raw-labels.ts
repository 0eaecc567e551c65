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
  let form: string | undefined;
  /** Labels that come out of themselves when a form is called. */
  const automatic = new Map<string, number>();
  walkLines(text, [
    {
      pattern: /FS"([^"\r\n]{0,40})"/y,
      meet: ([, name]) => {
        form = name;
      },
    },
    {
      pattern: /FE(?=[\r\n]|$)/y,
      meet: () => {
        form = undefined;
      },
    },
    {
      pattern: /FR"([^"\r\n]{0,40})"/y,
      meet: ([, name]) => {
        labels += automatic.get(name ?? '') ?? 0;
      },
    },
    {
      pattern: /P(A?)(\d{1,9})(?:,(\d{1,9}))?(?=[\r\n]|$)/y,
      meet: ([, isAutomatic, sets, copies]) => {
        const asked = copiesOf(sets) * copiesOf(copies);
        if (form === undefined) labels += asked;
        else if (isAutomatic) automatic.set(form, asked);
      },
    },
    { pattern: /GW\d{1,5},\d{1,5},(\d{1,5}),(\d{1,5})[,\r\n]/y, meet: graphics },
  ]);
  return counted('labels', labels, 'labels are counted by P, and by FR of forms that print of themselves');
};

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
  let copies = 0;
  let isUtility = false;
  let hasLines = false;
  walkLines(text, [
    {
      pattern: /![ \t]{1,9}(?:\d{1,9}[ \t]{1,9}){4}(\d{1,9})/y,
      meet: ([, quantity]) => {
        copies = copiesOf(quantity);
      },
    },
    {
      pattern: /![ \t]{1,9}U(?:TILITIES)?[ \t]{0,9}(?=[\r\n]|$)/iy,
      meet: () => {
        isUtility = true;
      },
    },
    { pattern: /!/y, meet: () => undefined },
    {
      pattern: /(?:(?:PO)?PRINT|END|ABORT)(?=[\r\n]|$)/iy,
      meet: ([command]) => {
        if (/PRINT/i.test(command)) labels += copies;
        [copies, isUtility] = [0, false];
      },
    },
    { pattern: /V?CG[ \t]{1,9}(\d{1,5})[ \t]{1,9}(\d{1,5})(?:[ \t]{1,9}\d{1,5}){2}[ \t]/iy, meet: graphics },
    {
      pattern: /(?=[\0- ]{0,99}[^\0- ])/y,
      meet: () => {
        hasLines ||= copies === 0 && !isUtility;
      },
    },
  ]);
  const note = hasLines
    ? 'labels are counted by PRINT, and lines outside of labels as one'
    : 'labels are counted by PRINT';
  return counted('labels', labels + Number(hasLines), note);
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
