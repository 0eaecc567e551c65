import { expect, it } from 'vitest';

import { JobIndex } from '../../../src/oracle/job-index.ts';

/** An index with ids in rows 0, 1, 2 …; it may only ask for rows that it was given. */
function indexOf(ids: readonly number[]): JobIndex {
  const index = new JobIndex((row) => {
    const id = ids[row];
    if (id === undefined) throw new RangeError(`there is no row ${row}`);
    return id;
  });
  for (const [row, id] of ids.entries()) index.put(id, row);
  return index;
}

function countedFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

it('finds the row of an id, and none of an id that it was not given', () => {
  const index = indexOf([7, 0, 1_022]);
  expect([7, 0, 1_022, 1_023, 8].map((id) => index.rowOf(id))).toEqual([0, 1, 2, undefined, undefined]);
});

it.each([
  ['at the end', [1_022, 2_045, 3_068]],
  ['at the beginning', [1_023, 2_046, 0]],
])('finds ids that fall into the same cell %s', (_, ids) => {
  const index = indexOf(ids);
  expect(ids.map((id) => index.rowOf(id))).toEqual([0, 1, 2]);
  expect(index.rowOf(4_091)).toBeUndefined();
});

it('keeps the last row of an id that it was given twice', () => {
  expect(indexOf([5, 6, 5]).rowOf(5)).toBe(2);
});

it.each([
  [768, 1_023],
  [769, 1_535],
  [1_152, 1_535],
  [1_153, 2_303],
])('takes four bytes a cell, a third of them free: for %i ids %i cells', (count, cells) => {
  const ids = countedFrom(1_000, count);
  const index = indexOf(ids);
  expect(index.bytes).toBe(4 * cells);
  expect(ids.map((id) => index.rowOf(id))).toEqual(countedFrom(0, count));
});

it('does not grow when an id comes again', () => {
  const index = indexOf([7]);
  for (let time = 0; time < 2_000; time++) index.put(7, 0);
  expect(index.bytes).toBe(4 * 1_023);
});
