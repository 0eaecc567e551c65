import { expect, it } from 'vitest';

import { explore, type ExploreOptions, type Player } from '../../../src/explore/explore.ts';
import { embeddedStage } from '../../../src/explore/embedded-stage.ts';
import type { PlayedDay } from '../../../src/explore/play-day.ts';

const PASSED: PlayedDay = { verdict: 'pass', message: '', broken: [], breaks: [], elapsedMs: 10, events: 2 };
const failed = (...broken: readonly string[]): PlayedDay => ({
  ...PASSED,
  verdict: 'fail',
  message: 'broken',
  broken,
  breaks: broken.map((clause) => ({ at: `${clause}: somewhere`, expected: 'one', actual: 'two', jobs: [] })),
});

async function exploreWith(
  players: readonly Player[],
  options: Partial<ExploreOptions> = {},
): Promise<Awaited<ReturnType<typeof explore>>> {
  await using stage = embeddedStage();
  return explore({
    seed: 1,
    seeds: 10,
    without: [],
    room: undefined,
    expect: 'sound',
    isOnRealTime: false,
    mostShrinkPlays: 0,
    stage,
    players,
    ...options,
  });
}

it('tells each thing that is broken once, with the number of days on which it was met', async () => {
  const { findings, days, events, elapsedMs } = await exploreWith([
    (seed) =>
      Promise.resolve(seed % 3 === 0 ? failed('states/done') : seed === 5 ? failed('events/body-array') : PASSED),
  ]);
  expect(findings.map(({ signature, seed, count }) => [signature, seed, count])).toEqual([
    ['states/done', 3, 3],
    ['events/body-array', 5, 1],
  ]);
  expect([days, events, elapsedMs]).toEqual([10, 20, 100]);
});

it('comes to the same with several players, whichever is quicker', async () => {
  const later = Promise.withResolvers<PlayedDay>();
  const players: readonly Player[] = [
    (seed) => (seed === 1 ? later.promise : Promise.resolve(failed('states/done'))),
    (seed) => {
      if (seed === 6) later.resolve(failed('states/error', 'states/done'));
      return Promise.resolve(failed('states/done'));
    },
  ];
  const { findings } = await exploreWith(players, { seeds: 8 });
  expect(findings.map(({ signature, seed }) => [signature, seed])).toEqual([['states/error', 1]]);
});

it('counts what is known and does not tell it', async () => {
  const { findings, known } = await exploreWith([() => Promise.resolve(failed('states/done'))], {
    known: ['states/done'],
  });
  expect(findings).toEqual([]);
  expect([...known]).toEqual([['states/done', 10]]);
});

it('says how many days could not be played, and why the first could not', async () => {
  const broken: PlayedDay = { ...PASSED, verdict: 'harness-error', message: 'no such printer' };
  const { unplayed, unplayedBecause } = await exploreWith([(seed) => Promise.resolve(seed > 7 ? broken : PASSED)]);
  expect([unplayed, unplayedBecause]).toEqual([3, 'day 8: no such printer']);
});

it('ends with what it has when it is interrupted', async () => {
  const controller = new AbortController();
  const { days } = await exploreWith(
    [
      (seed) => {
        if (seed === 4) controller.abort();
        return Promise.resolve(PASSED);
      },
    ],
    { signal: controller.signal },
  );
  expect(days).toBe(4);
});
