import { describe, expect, it } from 'vitest';

import { jobMarks } from '../../../../src/load/plan/job-mark.ts';

const HASH = '3fa9c15500aa00bb';
const marks = jobMarks(HASH, { index: 2 });
const MARK = marks.markOf(1845);

describe('the mark of a job', () => {
  it.each([
    ['as it was sent', MARK],
    ['after other words', `Front desk: ${MARK}`],
    ['before other words', `${MARK} (copy)`],
  ])('names its row %s', (_how, title) => {
    expect(marks.rowIn(title)).toBe(1_845);
  });

  it('names no row once a part of it is cut off, at either end', () => {
    const cuts = Array.from({ length: MARK.length }, (_, at) => [MARK.slice(0, at), MARK.slice(at + 1)]).flat();
    expect(cuts.filter((cut) => marks.rowIn(cut) !== undefined)).toEqual([]);
  });

  it.each([
    ['another shard', jobMarks(HASH, { index: 12 })],
    ['another plan', jobMarks('00a9c15500aa00bb', { index: 2 })],
  ])('is no mark of %s', (_what, others) => {
    expect(others.rowIn(MARK)).toBeUndefined();
  });
});
