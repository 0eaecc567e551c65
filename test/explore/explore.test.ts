/**
 * Days on the reference service: none of them may find anything. `platen explore` tries others.
 */

import { expect, it } from 'vitest';

import { explore, playerOn } from '../../src/explore/explore.ts';
import { embeddedStage } from '../../src/explore/embedded-stage.ts';

const SEED = 1;
const DRAW = { without: [], room: undefined, expect: 'strict' } as const;

it('finds nothing on the reference service', { timeout: 180_000 }, async () => {
  await using stage = embeddedStage();
  const again = `npx platen explore --seed ${SEED} --seeds 200`;
  const { findings, unplayed, unplayedBecause, days, coverage } = await explore({
    ...DRAW,
    seed: SEED,
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
