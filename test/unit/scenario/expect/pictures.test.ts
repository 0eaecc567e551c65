import { PNG } from 'pngjs';
import { expect, it } from 'vitest';

import { sheets } from '../../../../src/scenario/expect/sheets.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';

/** A picture of 10 × 10 pixels, the first of them black. */
function picture(black: number, size = 10): Buffer {
  const png = new PNG({ width: size, height: size });
  png.data.fill(255);
  for (let place = 0; place < black; place++) png.data.fill(0, place * 4, place * 4 + 3);
  return PNG.sync.write(png);
}

/** The same picture, in other bytes. */
const unpacked = PNG.sync.write(PNG.sync.read(picture(1)), { deflateLevel: 0 });

const pdf = async (): Promise<Buffer> => Buffer.alloc(1);
const png = async (side: number): Promise<Buffer> => picture(side);
const paper = { widthPt: 595, heightPt: 842 };
const duplex = { kind: 'sheets', submission: 1, sheets: [{ paper, sides: [{}, {}] }], pdf, png };
const receipt = { kind: 'raw', submission: 2, drawn: { sides: 1, pdf, png: async () => picture(3) } };
const undrawn = { kind: 'raw', submission: 3, drawn: null };

const PICTURES = new Map<string, Buffer | undefined>([
  ['one.png', picture(1)],
  ['unpacked.png', unpacked],
  ['two.png', picture(2)],
  ['three.png', picture(3)],
  ['large.png', picture(1, 20)],
  ['text.png', Buffer.from('text')],
  ['none.png', undefined],
]);

const printed = (printouts: readonly object[]): ToldSetup => ({
  jobsNamed: () => [{ name: 'my letter', id: 5 }],
  printouts: () => printouts,
  files: { pictures: PICTURES },
});

const KEPT = 'the run keeps my-letter-5-1-side-1.png: copy it there if it is right';

it.each<[string, unknown, readonly object[], readonly string[]]>([
  ['the first side', 'one.png', [duplex], []],
  ['a picture that was packed otherwise', 'unpacked.png', [duplex], []],
  ['all sides of sheets and a receipt', ['one.png', 'two.png', 'three.png'], [duplex, receipt], []],
  [
    'another picture',
    'three.png',
    [duplex],
    [`picture of side 1 of my letter | as in three.png | 2 of 100 pixels differ (2 %); ${KEPT}`],
  ],
  [
    'a picture of another size',
    'large.png',
    [duplex],
    [`picture of side 1 of my letter | as in large.png | it is 10 × 10 pixels, not 20 × 20; ${KEPT}`],
  ],
  [
    'a file that is no picture',
    'text.png',
    [duplex],
    [`picture of side 1 of my letter | as in text.png | it is not a PNG; ${KEPT}`],
  ],
  [
    'no picture yet',
    'none.png',
    [duplex],
    [`picture of side 1 of my letter | as in none.png | there is no such file; ${KEPT}`],
  ],
  ['fewer sides than came out', ['one.png'], [duplex], ['sides of my letter | 1 | 2']],
  [
    'what is not drawn',
    'one.png',
    [undrawn],
    ['picture of side 1 of my letter | as in one.png | no such side came out'],
  ],
])('compares %s', async (_, wanted, printouts, lines) => {
  expect(await linesOf(sheets, { 'my letter': { picture: wanted } }, printed(printouts))).toEqual(lines);
});

it('names the job whose pictures differ', async () => {
  const breaks = await breaksOf(sheets, { 'my letter': { picture: ['three.png'] } }, printed([duplex]));
  expect(breaks.map(({ jobs }) => jobs)).toEqual([['my letter'], ['my letter']]);
});

it('shows what differs beside what was expected, where the sizes allow it', async () => {
  const job = { 'my letter': { picture: ['three.png', 'large.png'] } };
  const breaks = await breaksOf(sheets, job, printed([duplex]));
  const shown = breaks.map(({ pictures = [] }) => pictures.map(({ jobId, name, caption }) => [jobId, name, caption]));
  expect(shown).toEqual([
    [
      [5, 'my-letter-5-1-side-1-expected.png', 'side 1 of my letter as in three.png'],
      [5, 'my-letter-5-1-side-1-difference.png', 'side 1 of my letter: what differs, in red'],
    ],
    [],
  ]);
  const difference = PNG.sync.read(Buffer.from(breaks[0]?.pictures?.[1]?.png ?? new Uint8Array()));
  const red = [0, 1, 2, 3].map((place) => difference.data.readUInt32BE(place * 4) >>> 8 === 0xff0000);
  expect(red).toEqual([false, true, true, false]);
});
