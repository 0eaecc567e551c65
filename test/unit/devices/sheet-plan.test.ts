import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { tenthsMmToPoints } from '../../../src/devices/paper.ts';
import { planSheets } from '../../../src/devices/sheet-plan.ts';

const PAGE = { widthPt: 200, heightPt: 300 };

describe('planSheets', () => {
  it('makes as many one-sided sheets as pages times copies, each page equally often, collated', () => {
    assert(
      property(integer({ min: 1, max: 40 }), integer({ min: 1, max: 9 }), (pages, copies) => {
        const plan = planSheets(
          Array.from({ length: pages }, () => PAGE),
          { copies },
        );
        const sides = plan.ok ? plan.value.flatMap((sheet) => sheet.sides) : [];
        const expected = Array.from({ length: copies * pages }, (_, index) => [(index % pages) + 1]);
        expect(sides.map((side) => side.sourcePages)).toEqual(expected);
        expect(plan.ok && plan.value.every((sheet) => sheet.sides.length === 1)).toBe(true);
      }),
    );
  });

  it('gives every side the size of the chosen paper', () => {
    const paper = { name: 'A4', widthPt: tenthsMmToPoints(2100), heightPt: tenthsMmToPoints(2970) };
    const plan = planSheets([PAGE], { copies: 1, paper });
    expect(plan.ok && plan.value[0]?.sides[0]?.paper.widthPt).toBeCloseTo(595.2756, 3);
    expect(plan.ok && plan.value[0]?.sides[0]?.paper.heightPt).toBeCloseTo(841.8898, 3);
  });

  it('refuses a submission of more sides than any real one', () => {
    const plan = planSheets([PAGE], { copies: 1_000_000 });
    expect(plan.ok).toBe(false);
  });
});
