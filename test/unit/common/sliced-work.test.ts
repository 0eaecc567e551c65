import { setImmediate } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { atOnce, inSlices, type SlicedWork } from '../../../src/common/sliced-work.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';

/** Takes this many milliseconds, a place to pause after each. */
function* busy(ms: number, onStep: () => void = () => undefined): SlicedWork<string> {
  for (let passed = 0; passed < ms; passed++) {
    const elapsedMs = startStopwatch();
    while (elapsedMs() < 1);
    onStep();
    yield;
  }
  return 'done';
}

function* failing(): SlicedWork<never> {
  yield;
  throw new Error('no');
}

it('gives the result of the work, at once or in slices', async () => {
  expect([atOnce(busy(3)), await inSlices(busy(3))]).toEqual(['done', 'done']);
});

it('lets others run in between, and never slices of two works in one turn', async () => {
  const ran = new Set<string>();
  const works = ['a', 'b', 'c'].map((name) => inSlices(busy(50, () => ran.add(name))));
  const turns: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    ran.clear();
    await setImmediate();
    turns.push(ran.size);
  }
  expect(Math.max(...turns)).toBe(1);
  expect(await Promise.all(works)).toEqual(['done', 'done', 'done']);
});

it('ends with what the work throws', async () => {
  await expect(inSlices(failing())).rejects.toThrow('no');
});
