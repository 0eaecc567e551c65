import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { selectPages } from '../../../../src/devices/press/sheet-plan.ts';

const pageCount = integer({ min: 1, max: 60 });

/** A document and an item of a page set that is right for it, with the pages it means. */
const item = pageCount.chain((count) =>
  tuple(integer({ min: 1, max: count }), integer({ min: 1, max: count })).chain(([a, b]) => {
    const [first, last] = a < b ? [a, b] : [b, a];
    return constantFrom(
      { count, text: `${first}`, first, last: first },
      { count, text: `${first}-${last}`, first, last },
      { count, text: `${first}-`, first, last: count },
      { count, text: `-${last}`, first: 1, last },
      { count, text: '-', first: 1, last: count },
    );
  }),
);

describe('selectPages', () => {
  it.each([
    ['1,3', [1, 3]],
    ['-5', [1, 2, 3, 4, 5]],
    ['-', [1, 2, 3, 4, 5, 6]],
    ['1,3-', [1, 3, 4, 5, 6]],
    ['3,1,1', [1, 3]],
    ['2-4,3-5', [2, 3, 4, 5]],
  ])('reads %s of six pages', (text, pages) => {
    expect(selectPages(text, 6)).toEqual({ ok: true, value: pages });
  });

  it.each(['5-3', '0', '0-2', '', 'a', '1,,2', '--', '1-2-3', ',', '1,', '7', '5-7', '7-', '-7', '-0', '1.5', '+1'])(
    'refuses %j of six pages',
    (text) => {
      expect(selectPages(text, 6).ok).toBe(false);
    },
  );

  it('names the page that the document does not have', () => {
    expect(selectPages('2-9', 3)).toEqual({
      ok: false,
      error: 'page 9 is outside the document, which has 3 pages',
    });
  });

  it('gives a range its pages, whatever way it is written', () => {
    assert(
      property(item, ({ count, text, first, last }) => {
        const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index);
        expect(selectPages(text, count)).toEqual({ ok: true, value: pages });
      }),
    );
  });

  it('is a set: order and repetition of items change nothing, the result ascends', () => {
    const numbers = array(integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 });
    assert(
      property(numbers, (pages) => {
        const expected = [...new Set(pages)].toSorted((a, b) => a - b);
        expect(selectPages(pages.join(','), 30)).toEqual({ ok: true, value: expected });
        expect(selectPages(pages.toReversed().join(','), 30)).toEqual({ ok: true, value: expected });
      }),
    );
  });
});
