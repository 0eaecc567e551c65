import { expect, it } from 'vitest';

import { CELLS, type CallerCell } from './caller-cells.ts';
import { accusationsOf, isCaught, judgeShop } from './judge-shop.ts';

/** All of them are tried by `npm run prove callers`. */
const SAMPLE: readonly Pick<CallerCell, 'mode' | 'sins' | 'moment'>[] = [
  { mode: 'labels', sins: 'no-key', moment: 'POST /printjobs#kept lost-after' },
  { mode: 'labels', sins: 'ignores-429', moment: 'POST /printjobs#1 busy' },
  { mode: 'labels', sins: 'ignores-500', moment: 'POST /printjobs#1 down' },
  { mode: 'looks', sins: 'takes-late-for-failed', moment: 'room computer-away' },
  { mode: 'parallel', sins: 'key-per-try', moment: 'POST /printjobs#1 error-after' },
  { mode: 'list', sins: 'first-page', moment: 'POST /printjobs#2 crowd' },
  { mode: 'hook', sins: 'takes-unsigned', moment: 'event forged' },
  { mode: 'hook', sins: 'knows-all-types', moment: 'event new-type' },
];

it.each(SAMPLE)('catches a caller with $sins in $moment', { timeout: 60_000 }, async ({ mode, sins, moment }) => {
  const meant = CELLS.filter((cell) => cell.mode === mode && cell.sins === sins && cell.moment === moment);
  const provoked = await judgeShop(mode, sins, moment);
  expect(meant).not.toEqual([]);
  expect(meant.filter((cell) => !isCaught(cell, provoked))).toEqual([]);
});

it.each(SAMPLE)('accuses no sound caller in $moment', { timeout: 60_000 }, async ({ mode, moment }) => {
  expect(accusationsOf(await judgeShop(mode, '', moment))).toEqual([]);
});

it('shows both papers where one is too many', { timeout: 60_000 }, async () => {
  const { moments } = await judgeShop('labels', 'no-key', 'POST /printjobs#1 lost-after');
  const [one, other] = moments[0]?.pictures ?? [];
  expect([one?.caption, other?.caption]).toEqual(['job 1: Label A-1', 'job 2: Label A-1']);
  expect(one?.png).toMatch(/^iVBORw0KGgo/);
  expect(other?.png).toBe(one?.png);
});
