import { expect, it } from 'vitest';

import { sheets } from '../../../../src/scenario/expect/sheets.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';

const POINTS_PER_MM = 72 / 25.4;

interface ToldSheet {
  readonly pages?: readonly (readonly number[])[];
  readonly rotation?: number;
  readonly paper?: string | null;
  readonly mm?: readonly [number, number];
}

const sheet = ({ pages = [[1]], rotation = 0, paper = 'A4', mm = [210, 297] }: ToldSheet, index: number): object => ({
  number: index + 1,
  sides: pages.map((sourcePages) => ({
    sourcePages,
    placements: sourcePages.map((page) => ({ page, rotation })),
  })),
  paper: { name: paper, widthPt: mm[0] * POINTS_PER_MM, heightPt: mm[1] * POINTS_PER_MM },
});

/** A printout of these sheets; the text of each side is given. */
const printed = (all: readonly ToldSheet[], ...texts: readonly string[]): object => ({
  kind: 'sheets',
  sheets: all.map(sheet),
  text: async (side: number) => texts[side - 1] ?? '',
});
const raw = (bytes: readonly number[], pieces = 1, texts: readonly string[] = []): object => ({
  kind: 'raw',
  drawn: { texts: () => texts },
  bytes: Uint8Array.from(bytes),
  length: bytes.length,
  pieces,
});

function setup(printouts: readonly object[], content?: readonly number[]): ToldSetup {
  const job = { name: 'letter', id: 5, content: content && Uint8Array.from(content) };
  return { jobsNamed: (name: string) => (name === 'letter' ? [job] : []), printouts: () => printouts };
}

const A4 = [210, 297] as const;
const long = 'word '.repeat(60);

it.each<[string, unknown, readonly object[], readonly string[], (readonly number[])?]>([
  ['two sheets', 2, [printed([{}, {}])], []],
  ['sheets of two printouts', 2, [printed([{}]), printed([{}])], []],
  ['other sheets', 3, [printed([{}])], ['sheets of letter | 3 | 1']],
  ['labels or receipts as sheets', 5, [raw([1], 3), printed([{}, {}])], []],
  ['other receipts', 2, [raw([1], 3)], ['sheets of letter | 2 | 3']],
  ['printouts', { printouts: 2 }, [printed([{}]), raw([1])], []],
  ['other printouts', { printouts: 1 }, [printed([{}]), raw([1])], ['printouts of letter | 1 | 2']],
  ['raw bytes', { rawBytes: 5 }, [raw([1, 2]), printed([{}]), raw([1, 2, 3])], []],
  ['other raw bytes', { rawBytes: 1 }, [raw([1, 2])], ['raw bytes of letter | 1 | 2']],
  ['pieces', { pieces: 5 }, [raw([1], 2), printed([{}]), raw([1], 3)], []],
  ['other pieces', { pieces: 1 }, [raw([1], 2)], ['pieces of letter | 1 | 2']],
  ['its bytes', { unaltered: true }, [raw([1, 2]), raw([1, 2])], [], [1, 2]],
  [
    'its bytes, and one is another',
    { unaltered: true },
    [raw([1, 2]), raw([1, 3])],
    ['bytes of letter | those that were submitted | others'],
    [1, 2],
  ],
  [
    'its bytes, drawn',
    { unaltered: true },
    [printed([{}])],
    ['bytes of letter | those that were submitted | others'],
    [1, 2],
  ],
  [
    'its bytes, of an address',
    { unaltered: true },
    [raw([1, 2])],
    ['bytes of letter | those that were submitted | others'],
  ],
  [
    'its bytes, not printed',
    { unaltered: true },
    [],
    ['bytes of letter | those that were submitted | nothing was printed'],
    [1],
  ],
  ['other bytes, unasked', { printouts: 1 }, [raw([3])], [], [1]],
  ['pages', { pages: [1, 2] }, [printed([{ pages: [[1], [2]] }])], []],
  ['pages of two sheets', { pages: [1, 2] }, [printed([{ pages: [[1]] }, { pages: [[2]] }])], []],
  ['pages on one side and a blank one', { pages: [[1, 2], []] }, [printed([{ pages: [[1, 2], []] }])], []],
  [
    'other pages',
    { pages: [1, [2, 3], []] },
    [printed([{ pages: [[1], [3]] }])],
    ['pages (first difference on side 2) of letter | 1, 2+3, blank | 1, 3'],
  ],
  [
    'more pages',
    { pages: [1, 2] },
    [printed([{ pages: [[1]] }])],
    ['pages (first difference on side 2) of letter | 1, 2 | 1'],
  ],
  [
    'fewer pages',
    { pages: [1] },
    [printed([{ pages: [[1], [2]] }])],
    ['pages (first difference on side 2) of letter | 1 | 1, 2'],
  ],
  ['no pages', { pages: [] }, [printed([{}])], ['pages (first difference on side 1) of letter | no side | 1']],
  ['pages of nothing', { pages: [1] }, [], ['pages (first difference on side 1) of letter | 1 | no side']],
  ['a turn', { turned: 90 }, [printed([{ rotation: 90 }, { rotation: 90 }])], []],
  [
    'another turn',
    { turned: 90 },
    [printed([{ rotation: 90 }, { rotation: 180, pages: [[4]] }])],
    ['turn of page 4 of letter | 90° | 180°'],
  ],
  ['a half turn', { turned: 180 }, [printed([{ rotation: 180 }])], []],
  ['a turn to the left', { turned: 270 }, [printed([{ rotation: 270 }])], []],
  [
    'two other turns',
    { turned: 90 },
    [
      printed([
        { rotation: 180, pages: [[4]] },
        { rotation: 0, pages: [[5]] },
      ]),
    ],
    ['turn of page 4 of letter | 90° | 180°'],
  ],
  ['no turn', { turned: 0 }, [printed([{ rotation: 0 }])], []],
  [
    'a turn of a blank side',
    { turned: 0 },
    [printed([{ pages: [[]] }])],
    ['turn of letter | 0° | no page was printed'],
  ],
  ['a turn, unasked', {}, [printed([{ rotation: 90 }])], []],
  ['its paper', { paper: 'A4' }, [printed([{}, {}])], []],
  ['another paper', { paper: 'A4' }, [printed([{}, { paper: 'A5' }])], ['paper of sheet 2 of letter | A4 | A5']],
  [
    'two other papers',
    { paper: 'A4' },
    [printed([{ paper: 'A5' }, { paper: 'A6' }])],
    ['paper of sheet 1 of letter | A4 | A5'],
  ],
  [
    'paper without a name',
    { paper: 'A4' },
    [printed([{ paper: null }])],
    ['paper of sheet 1 of letter | A4 | paper without a name'],
  ],
  ['paper of no sheet', { paper: 'A4' }, [], ['paper of letter | a sheet | none was printed']],
  ['a size of no sheet', { sizeMm: A4 }, [], ['paper of letter | a sheet | none was printed']],
  ['nothing of no sheet', {}, [], []],
  ['a size', { sizeMm: A4 }, [printed([{}])], []],
  ['a size within half a millimetre', { sizeMm: A4 }, [printed([{ mm: [210.499, 296.501] }])], []],
  [
    'another width',
    { sizeMm: A4 },
    [printed([{ mm: [210.6, 297] }])],
    ['size of sheet 1 of letter | 210 × 297 mm | 210.6 × 297.0 mm'],
  ],
  [
    'two other widths',
    { sizeMm: A4 },
    [printed([{ mm: [211, 297] }, { mm: [212, 297] }])],
    ['size of sheet 1 of letter | 210 × 297 mm | 211.0 × 297.0 mm'],
  ],
  [
    'another height',
    { sizeMm: A4 },
    [printed([{}, { mm: [210, 296.4] }])],
    ['size of sheet 2 of letter | 210 × 297 mm | 210.0 × 296.4 mm'],
  ],
  ['a text', { text: 'two' }, [printed([{ pages: [[1], [2]] }], 'one', 'page two')], []],
  ['a text in columns', { text: 'Sum 10' }, [printed([{}], 'Sum       10\nPaid')], []],
  ['a text of the second printout', { text: 'two' }, [printed([{}], 'one'), raw([1]), printed([{}], 'two')], []],
  [
    'another text',
    { text: 'x' },
    [printed([{ pages: [[1], [2]] }], 'one\n  line', 'two')],
    ["text of letter | 'x' on a side | one line | two"],
  ],
  ['a text of nothing', { text: 'x' }, [], ["text of letter | 'x' on a side | no text"]],
  [
    'a text among much',
    { text: 'x' },
    [printed([{}], long)],
    [`text of letter | 'x' on a side | ${long.slice(0, 200)}…`],
  ],
  [
    'a text among as much as is shown',
    { text: 'x' },
    [printed([{}], 'w'.repeat(200))],
    [`text of letter | 'x' on a side | ${'w'.repeat(200)}`],
  ],
  ['a text on each side', { text: ['one', 'two'] }, [printed([{ pages: [[1], [2]] }], 'page one', 'page two')], []],
  ['a letter on a side', { text: ['x'] }, [printed([{}], 'x')], []],
  [
    'texts in another order',
    { text: ['two', 'one'] },
    [printed([{ pages: [[1], [2]] }], 'one', 'two')],
    ["text of side 1 of letter | 'two' | one"],
  ],
  [
    'a text of a further side',
    { text: ['one', 'two'] },
    [printed([{}], 'one')],
    ["text of side 2 of letter | 'two' | no such side"],
  ],
  [
    'texts of fewer sides',
    { text: ['one'] },
    [printed([{ pages: [[1], [2]] }], 'one', 'two')],
    ['sides of letter | 1 | 2'],
  ],
])('expects of the sheets of a job %s', async (_, wanted, printouts, expected, content) => {
  expect(await linesOf(sheets, { letter: wanted }, setup(printouts, content))).toEqual(expected);
});

it('judges each of several jobs of a name', async () => {
  const job = { name: 'letter', id: 5 };
  const several = {
    jobsNamed: () => [job, { ...job, id: 6 }],
    printouts: ({ id }: typeof job) => (id === 5 ? [printed([{}])] : []),
  };
  expect(await breaksOf(sheets, { letter: 1 }, several)).toEqual([
    { at: 'sheets of letter', expected: '1', actual: '0', jobs: ['letter'] },
  ]);
});

it.each([
  -1,
  1.5,
  { pages: [0] },
  { pages: [1.5] },
  { pages: [[0]] },
  { text: '' },
  { text: [''] },
  { turned: 45 },
  { unaltered: false },
  { sizeMm: [1] },
])('refuses %j', (given) => {
  expect(sheets.safeParse({ letter: given }).success).toBe(false);
});

it('finds text on labels and receipts', async () => {
  const told = setup([raw([1], 2, ['Total € 5', 'Copy'])]);
  expect(await breaksOf(sheets, { letter: { text: '€ 5' } }, told)).toEqual([]);
  expect(await breaksOf(sheets, { letter: { text: ['Total', 'Copy'] } }, told)).toEqual([]);
  expect(await linesOf(sheets, { letter: { text: '$ 5' } }, told)).not.toEqual([]);
});
