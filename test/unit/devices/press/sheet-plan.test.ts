import { array, assert, boolean, constantFrom, integer, property, record, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { planSheets, type Sheet } from '../../../../src/devices/press/sheet-plan.ts';
import { NUP_GRIDS } from '../../../../src/devices/press/side-layout.ts';
import type { PrintSettings } from '../../../../src/devices/press/print-settings.ts';
import { A4, PLAIN } from '../../../support/print-settings.ts';

const PAGE = { widthPt: 200, heightPt: 300 };
const SEED = { seed: 2_026 };

interface Job {
  readonly pages: number;
  readonly settings: PrintSettings;
}

const job: Arbitrary<Job> = record({
  pages: integer({ min: 1, max: 40 }),
  settings: record({
    copies: integer({ min: 1, max: 5 }),
    collate: boolean(),
    duplex: constantFrom('one-sided', 'long-edge', 'short-edge'),
    nup: constantFrom(...NUP_GRIDS.keys()),
    paper: constantFrom(null, A4),
  }).map((settings) => ({ ...PLAIN, ...settings })),
});

function plan({ pages, settings }: Job): Sheet[] {
  const planned = planSheets(
    Array.from({ length: pages }, () => PAGE),
    settings,
  );
  if (!planned.ok) throw new Error(planned.error);
  return planned.value;
}

/** Sheets as text, `1+2|3+4` for four pages 2-up on both sides of one. */
function faces(sheets: readonly Sheet[]): string[] {
  return sheets.map(({ sides }) => sides.map(({ sourcePages }) => sourcePages.join('+')).join('|'));
}

/**
 * A printer as a clerk with a pen: takes page after page, and a new side or sheet when the one in hand
 * is full or the copy is over.
 */
function byHand({ pages, settings: { copies, collate, duplex, nup } }: Job): string[] {
  const copy: string[] = [];
  let sheet = '';
  let onSide = 0;
  let side = 1;
  for (let page = 1; page <= pages; page++) {
    if (onSide === nup && duplex !== 'one-sided' && side === 1) {
      sheet += '|';
      side = 2;
      onSide = 0;
    } else if (onSide === nup) {
      copy.push(sheet);
      [sheet, side, onSide] = ['', 1, 0];
    }
    sheet += `${onSide === 0 ? '' : '+'}${page}`;
    onSide++;
  }
  copy.push(duplex !== 'one-sided' && side === 1 ? `${sheet}|` : sheet);
  const pile: string[] = [];
  if (collate) for (let made = 0; made < copies; made++) pile.push(...copy);
  else for (const each of copy) for (let made = 0; made < copies; made++) pile.push(each);
  return pile;
}

describe('planSheets', () => {
  it('O1–O3: puts the pages on the sheets that a clerk would', () => {
    assert(
      property(job, (one) => {
        expect(faces(plan(one))).toEqual(byHand(one));
      }),
      { ...SEED, numRuns: 1_000 },
    );
  });

  it('O1: makes ceil(S/D)·c sheets, S·c printed sides, and a blank back a copy where S is odd', () => {
    assert(
      property(job, (one) => {
        const { copies, nup, duplex } = one.settings;
        const sidesOfCopy = Math.ceil(one.pages / nup);
        const perSheet = duplex === 'one-sided' ? 1 : 2;
        const sides = plan(one).flatMap((sheet) => sheet.sides);
        const blank = sides.filter(({ sourcePages }) => sourcePages.length === 0);
        expect(plan(one)).toHaveLength(Math.ceil(sidesOfCopy / perSheet) * copies);
        expect(sides.length - blank.length).toBe(sidesOfCopy * copies);
        expect(blank).toHaveLength(perSheet === 2 && sidesOfCopy % 2 === 1 ? copies : 0);
        expect(blank.every(({ face }) => face === 'back')).toBe(true);
      }),
      SEED,
    );
  });

  it('O3: collation changes the order of the sheets and nothing else', () => {
    assert(
      property(job, (one) => {
        const [yes, no] = [true, false].map((collate) =>
          faces(plan({ ...one, settings: { ...one.settings, collate } })),
        );
        expect(no?.toSorted()).toEqual(yes?.toSorted());
      }),
      SEED,
    );
  });

  it('O3: collation is not seen where a copy is one sheet', () => {
    assert(
      property(integer({ min: 1, max: 4 }), integer({ min: 1, max: 5 }), (pages, copies) => {
        const settings = { ...PLAIN, nup: 4, copies };
        const uncollated = { ...settings, collate: false };
        expect(faces(plan({ pages, settings: uncollated }))).toEqual(faces(plan({ pages, settings })));
      }),
      SEED,
    );
  });

  it('numbers sheets from 1, and copies as they are collated', () => {
    const settings = { ...PLAIN, copies: 2 };
    const numbers = (collate: boolean): unknown =>
      plan({ pages: 2, settings: { ...settings, collate } }).map(({ number, copy }) => [number, copy]);
    expect(numbers(true)).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    expect(numbers(false)).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
      [4, 2],
    ]);
  });

  it('O7: selects document pages before it puts several on a side', () => {
    const settings: PrintSettings = { ...PLAIN, pages: '2,4-6', nup: 2, duplex: 'long-edge' };
    expect(faces(plan({ pages: 9, settings }))).toEqual(['2+4|5+6']);
  });

  it('O8: takes a page set as a set, so that order and repetition change nothing', () => {
    const numbers = array(integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 });
    assert(
      property(numbers, job, (pages, one) => {
        const sheets = (set: readonly number[]): Sheet[] =>
          plan({ pages: 20, settings: { ...one.settings, pages: set.join(',') } });
        expect(sheets(pages.toReversed())).toEqual(sheets([...new Set(pages)].toSorted((a, b) => a - b)));
      }),
      SEED,
    );
  });

  it.each(['5-3', '0', '', 'a', '1,,2', '--', '7', '7-', '1-7'])('O10: refuses the page set %j of 6', (pages) => {
    const planned = planSheets(
      Array.from({ length: 6 }, () => PAGE),
      { ...PLAIN, pages },
    );
    expect(planned).toMatchObject({
      ok: false,
      error: expect.stringContaining(`pages = ${JSON.stringify(pages)}`),
    });
  });

  it('O11: gives every sheet the size of the chosen paper, and without one that of its first page', () => {
    const [chosen] = plan({ pages: 1, settings: { ...PLAIN, paper: A4 } });
    expect(chosen?.paper.widthPt).toBeCloseTo(595.2756, 3);
    expect(chosen?.paper.heightPt).toBeCloseTo(841.8898, 3);
    const own = planSheets([PAGE, { widthPt: 10, heightPt: 20 }], { ...PLAIN, duplex: 'long-edge' });
    expect(own.ok && own.value.map(({ paper }) => paper)).toEqual([{ name: null, ...PAGE }]);
  });

  it('O15: says how to turn a two-sided sheet, and calls its sides front and back', () => {
    const [sheet] = plan({ pages: 3, settings: { ...PLAIN, duplex: 'short-edge' } });
    expect(sheet?.flip).toBe('short-edge');
    expect(sheet?.sides.map(({ face }) => face)).toEqual(['front', 'back']);
    expect(plan({ pages: 1, settings: PLAIN })[0]).toMatchObject({ flip: null, sides: [{ face: 'front' }] });
  });

  it('O17, O18: records colour, dpi, tray and medium, which move nothing', () => {
    assert(
      property(job, (one) => {
        const facts = { tray: 'Tray 2', media: 'Bond', dpi: '600x600' };
        const marked = plan({ ...one, settings: { ...one.settings, ...facts, gray: true } });
        const bare = plan(one);
        expect(marked).toEqual(bare.map((sheet) => ({ ...sheet, ...facts, color: 'gray' })));
      }),
      SEED,
    );
  });

  it('O23: puts every selected page on paper exactly once a copy', () => {
    assert(
      property(job, (one) => {
        const seen = plan(one).flatMap(({ sides }) => sides.flatMap(({ sourcePages }) => sourcePages));
        for (let page = 1; page <= one.pages; page++) {
          expect(seen.filter((found) => found === page)).toHaveLength(one.settings.copies);
        }
        expect(seen).toHaveLength(one.pages * one.settings.copies);
      }),
      SEED,
    );
  });

  it('copies share no sheet, collated or not', () => {
    assert(
      property(job, (one) => {
        const single = faces(plan({ ...one, settings: { ...one.settings, copies: 1 } }));
        const sheets = plan(one);
        for (let copy = 1; copy <= one.settings.copies; copy++) {
          expect(faces(sheets.filter((sheet) => sheet.copy === copy))).toEqual(single);
        }
      }),
      SEED,
    );
  });

  it('refuses a submission of more sides than any real one', () => {
    expect(planSheets([PAGE], { ...PLAIN, copies: 1_000_000 }).ok).toBe(false);
    expect(planSheets([PAGE], { ...PLAIN, copies: 10_001, duplex: 'long-edge' }).ok).toBe(false);
  });
});
