import { expect, it } from 'vitest';

import { namedSides } from '../../../../src/dashboard/jobs/named-sides.ts';
import type { PrintoutView, SheetView } from '../../../../src/record/control-types.ts';

const NO_OPTIONS = { asked: {}, applied: {}, ignored: {} };

it('names each side in the order of the pictures', () => {
  const sheets = [
    sheet(1, [
      ['front', [1]],
      ['back', [2]],
    ]),
    sheet(2, [
      ['front', [3, 4]],
      ['back', []],
    ]),
  ];
  expect(namedSides([printout(1, sheets)])).toEqual([
    { side: 1, name: 'sheet 1 front · page 1' },
    { side: 2, name: 'sheet 1 back · page 2' },
    { side: 3, name: 'sheet 2 front · page 3, 4' },
    { side: 4, name: 'sheet 2 back · blank' },
  ]);
});

it('counts on through submissions, and says which one it is', () => {
  const names = namedSides([printout(1, [sheet(1, [['front', [1]]])]), printout(2, [sheet(1, [['front', [1]]])])]);
  expect(names.map(({ side }) => side)).toEqual([1, 2]);
  expect(names[1]?.name).toBe('sheet 1 · page 1 · submission 2');
});

it('names receipts that are drawn, in whichever language', () => {
  const raw = { bytes: 9, language: 'star', summary: '1 receipt', events: [], notDrawn: null };
  const drawn: PrintoutView = { ...printout(1, []), kind: 'raw', sides: 1, raw };
  expect(namedSides([drawn]).map(({ name }) => name)).toEqual(['receipt 1']);
});

it('names labels that are drawn, as many as have a picture', () => {
  const raw = { bytes: 9, language: 'zpl', summary: '3 labels', events: [], notDrawn: null };
  const drawn: PrintoutView = { ...printout(1, []), kind: 'raw', sides: 2, raw };
  expect(namedSides([drawn]).map(({ name }) => name)).toEqual(['label 1', 'label 2']);
  const both = namedSides([drawn, { ...drawn, submission: 2 }]);
  expect(both.at(-1)).toEqual({ side: 4, name: 'label 2 · submission 2' });
});

function sheet(number: number, sides: readonly ['front' | 'back', readonly number[]][]): SheetView {
  return {
    number,
    copy: 1,
    sides: sides.map(([face, pages]) => ({ face, pages })),
    paper: 'A4',
    tray: null,
    color: 'color',
  };
}

function printout(submission: number, sheetList: readonly SheetView[]): PrintoutView {
  return {
    submission,
    kind: 'sheets',
    sides: sheetList.flatMap(({ sides }) => sides).length,
    sheets: sheetList.length,
    sheetsDue: 0,
    paper: 'A4',
    sheetList,
    options: NO_OPTIONS,
    documentSha256: '',
    complete: true,
    sheetsLost: 0,
  };
}
