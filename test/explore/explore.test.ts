/**
 * Days on the reference service, other ones each time: none of them may find anything.
 */

import { expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { explore, playerOn } from '../../src/explore/explore.ts';
import { embeddedStage } from '../../src/explore/embedded-stage.ts';

const DRAW = { without: [], room: undefined, expect: 'strict', isOnRealTime: false } as const;

it('finds nothing on the reference service', { timeout: 180_000 }, async () => {
  await using stage = embeddedStage();
  const seed = createRandom(systemClock.now()).integer(1, 999_999);
  const again = `npx platen explore --seed ${seed} --seeds 200`;
  process.stdout.write(`The same days again: ${again}\n`);
  const { findings, unplayed, unplayedBecause, days, coverage } = await explore({
    ...DRAW,
    seed,
    seeds: 200,
    limitMs: 60_000,
    stage,
    players: [playerOn(stage, DRAW)],
  });
  expect(findings.map(({ message }) => `${message} (${again})`)).toEqual([]);
  expect({ unplayed, unplayedBecause }).toEqual({ unplayed: 0, unplayedBecause: undefined });
  expect(days).toBeGreaterThan(0);
  // The floor under what is tried: a kind of moves that is drawn no more shows here.
  expect(coverage.size).toBeGreaterThan(days);
});
