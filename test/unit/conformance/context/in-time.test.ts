import { expect, it } from 'vitest';

import { inTime } from '../../../../src/conformance/context/in-time.ts';
import { MovedClock } from '../../../../src/targets/moved-clock.ts';

/** What is waited for comes at this time; returns the moves of the clock until it is found, or given up. */
async function movesUntil(comesMs: number, dueMs?: number): Promise<readonly number[]> {
  const moves: number[] = [];
  let passedMs = 0;
  const { timekeeper } = new MovedClock((ms) => {
    moves.push(ms);
    passedMs += ms;
    return Promise.resolve();
  });
  const probe = (): true | undefined => (passedMs >= comesMs ? true : undefined);
  const poll = { description: 'a request', limit: '6s', timekeeper, probe };
  await inTime(poll, dueMs === undefined ? undefined : timekeeper.now() + dueMs);
  return moves;
}

it('moves a clock in small steps while something may come', async () => {
  expect(await movesUntil(600)).toEqual([200, 200, 200]);
});

it('moves a clock at once to where something is due first, and then in small steps', async () => {
  expect(await movesUntil(5_000, 4_900)).toEqual([4_900, 200]);
});

it('finds what came before it was due', async () => {
  expect(await movesUntil(3_000, 4_900)).toEqual([4_900]);
});

it('waits no longer for what is due after the limit', async () => {
  expect(await movesUntil(20_000, 10_000)).toEqual([6_000]);
});
