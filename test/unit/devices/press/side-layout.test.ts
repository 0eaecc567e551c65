import { assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { layOutSide, NUP_GRIDS, type PageSize, type Placement } from '../../../../src/devices/press/side-layout.ts';
import { A4, A4_LANDSCAPE, PLAIN } from '../../../support/print-settings.ts';

const SEED = { seed: 2_026, numRuns: 500 };
const size = record({
  widthPt: integer({ min: 20, max: 2_000 }),
  heightPt: integer({ min: 20, max: 2_000 }),
});
const rotate = constantFrom(null, 0, 90, 180, 270);

function pages(count: number, page: PageSize): (PageSize & { page: number })[] {
  return Array.from({ length: count }, (_, index) => ({ page: index + 1, ...page }));
}

function one(page: PageSize, paper: PageSize, settings: Partial<typeof PLAIN>): Placement {
  const [placement] = layOutSide(pages(1, page), paper, { ...PLAIN, ...settings });
  if (!placement) throw new Error('nothing was placed');
  return placement;
}

function distinct(values: readonly number[]): number {
  return new Set(values.map(Math.round)).size;
}

/** Distance of a placement's middle from the middle of the paper. */
function offCentre({ leftPt, bottomPt, widthPt, heightPt }: Placement, paper: PageSize): number {
  return Math.hypot(leftPt + widthPt / 2 - paper.widthPt / 2, bottomPt + heightPt / 2 - paper.heightPt / 2);
}

describe('layOutSide', () => {
  it('O12: keeps the size of a single page that is not to fit, in the middle of the paper', () => {
    assert(
      property(size, size, rotate, (page, paper, turn) => {
        const placed = one(page, paper, { rotate: turn });
        expect(placed.scale).toBe(1);
        expect(new Set([placed.widthPt, placed.heightPt])).toEqual(new Set(Object.values(page)));
        expect(offCentre(placed, paper)).toBeCloseTo(0, 6);
      }),
      SEED,
    );
  });

  it('O12: fits up or down to the paper, centred, as large as goes, aspect kept', () => {
    assert(
      property(size, size, rotate, (page, paper, turn) => {
        const placed = one(page, paper, { fitToPage: true, rotate: turn });
        const spare = [paper.widthPt - placed.widthPt, paper.heightPt - placed.heightPt];
        expect(Math.min(...spare)).toBeCloseTo(0, 6);
        expect(offCentre(placed, paper)).toBeCloseTo(0, 6);
        const upright = (placed.rotation - (turn ?? 0) + 360) % 180 === 0;
        const [width, height] = upright ? [page.widthPt, page.heightPt] : [page.heightPt, page.widthPt];
        expect(placed.widthPt).toBeCloseTo(width * placed.scale, 6);
        expect(placed.heightPt).toBeCloseTo(height * placed.scale, 6);
      }),
      SEED,
    );
  });

  it('O12: leaves a page that fits already as it is', () => {
    const placed = one(A4, A4, { fitToPage: true });
    expect(placed).toMatchObject({ rotation: 0, scale: 1, leftPt: 0, bottomPt: 0 });
  });

  it('turns a landscape page on portrait paper a quarter, unless a rotation was asked for', () => {
    expect(one(A4_LANDSCAPE, A4, {})).toMatchObject({ rotation: 270, leftPt: 0, bottomPt: 0 });
    expect(one(A4_LANDSCAPE, A4, { rotate: 0 }).rotation).toBe(0);
    expect(one({ widthPt: 100, heightPt: 100 }, A4, {}).rotation).toBe(0);
  });

  it('O14: turns exactly as far as asked, whatever the page and the paper', () => {
    assert(
      property(size, size, constantFrom(0, 90, 180, 270), boolean(), (page, paper, turn, fitToPage) => {
        expect(one(page, paper, { rotate: turn, fitToPage }).rotation).toBe(turn);
      }),
      SEED,
    );
  });

  it('O5: runs cells from left to right and from top to bottom, of one size, inside the paper', () => {
    assert(
      property(constantFrom(...NUP_GRIDS.keys()), size, size, (nup, page, paper) => {
        const placed = layOutSide(pages(nup, page), paper, { ...PLAIN, nup, fitToPage: true });
        expect(placed.map(({ cell }) => cell)).toEqual(Array.from({ length: nup }, (_, index) => index + 1));
        expect(new Set(placed.map(({ scale, rotation }) => `${scale} ${rotation}`)).size).toBe(1);
        for (const { leftPt, bottomPt, widthPt, heightPt } of placed) {
          expect(Math.min(leftPt, bottomPt)).toBeGreaterThan(-1e-6);
          expect(leftPt + widthPt).toBeLessThan(paper.widthPt + 1e-6);
          expect(bottomPt + heightPt).toBeLessThan(paper.heightPt + 1e-6);
        }
      }),
      SEED,
    );
  });

  it.each([
    [2, 2, 1],
    [4, 2, 2],
    [6, 3, 2],
    [9, 3, 3],
    [16, 4, 4],
  ])('O5: puts %i pages on landscape paper in %i columns and %i rows', (nup, columns, rows) => {
    const placed = layOutSide(pages(nup, A4), A4_LANDSCAPE, { ...PLAIN, nup, rotate: 0 });
    expect(distinct(placed.map(({ leftPt }) => leftPt))).toBe(columns);
    expect(distinct(placed.map(({ bottomPt }) => bottomPt))).toBe(rows);
    expect(placed[1]?.leftPt).toBeGreaterThan(placed[0]?.leftPt ?? 0);
    expect(placed.at(-1)?.bottomPt).toBeLessThanOrEqual(placed[0]?.bottomPt ?? 0);
  });

  it('O6: stacks two pages on portrait paper, the first on top, turned a quarter clockwise', () => {
    const [first, second] = layOutSide(pages(2, A4), A4, { ...PLAIN, nup: 2 });
    expect([first?.rotation, second?.rotation]).toEqual([90, 90]);
    expect(first?.bottomPt).toBeCloseTo(A4.heightPt / 2, 1);
    expect(second?.bottomPt).toBeCloseTo(0, 1);
    expect(first?.scale).toBeCloseTo(Math.SQRT1_2, 2);
  });

  it('O6: keeps two landscape pages upright, one above the other', () => {
    const [first, second] = layOutSide(pages(2, A4_LANDSCAPE), A4, { ...PLAIN, nup: 2 });
    expect([first?.rotation, second?.rotation]).toEqual([0, 0]);
    expect(first?.bottomPt).toBeGreaterThan(second?.bottomPt ?? Number.NaN);
  });

  it('O5: leaves the cells after the last page empty', () => {
    const full = layOutSide(pages(4, A4), A4, { ...PLAIN, nup: 4 });
    expect(layOutSide(pages(3, A4), A4, { ...PLAIN, nup: 4 })).toEqual(full.slice(0, 3));
  });
});
