import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { turnsOfLoop } from '../../../src/common/fair-turns.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';

function work(ms: number): void {
  const elapsedMs = startStopwatch();
  while (elapsedMs() < ms);
}

it('has time for what is short, and puts off what would hold up others', async () => {
  expect(turnsOfLoop.hasTime).toBe(true);
  work(30);
  expect(turnsOfLoop.hasTime).toBe(false);
  await nextTurn();
  expect(turnsOfLoop.hasTime).toBe(true);
  await nextTurn();
});

it('does what was put off in order, a little in each turn', async () => {
  const done: number[] = [];
  for (const one of [1, 2, 3])
    turnsOfLoop.add(() => {
      work(30);
      done.push(one);
    });
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await nextTurn();
    expect(done).toEqual(expected);
  }
});
