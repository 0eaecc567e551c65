import { expect, it } from 'vitest';

import { buildExploreRecord } from '../../../src/explore/build-record.ts';
import { DayProcesses } from '../../../src/explore/day-processes.ts';
import { explore, playerOn, type ExploreOptions, type Player } from '../../../src/explore/explore.ts';
import { embeddedStage, stageOn } from '../../../src/explore/embedded-stage.ts';
import { drawDay } from '../../../src/explore/draw/draw-day.ts';
import { NO_END, playText, textOf, type PlayedDay } from '../../../src/explore/play-day.ts';
import { viewOfExplore } from '../../../src/report/view/explore-view.ts';
import { embeddedTarget } from '../../../src/targets/embedded.ts';

const DRAW = { without: [], room: undefined, expect: 'sound' } as const;

const PASSED: PlayedDay = { verdict: 'pass', message: '', broken: [], breaks: [], elapsedMs: 10, events: 2 };
const failed = (...broken: readonly string[]): PlayedDay => ({
  ...PASSED,
  verdict: 'fail',
  message: 'broken',
  broken,
  breaks: broken.map((clause) => ({ clause, at: `${clause}: somewhere`, expected: 'one', actual: 'two', jobs: [] })),
});

async function exploreWith(
  players: readonly Player[],
  options: Partial<ExploreOptions> = {},
): Promise<Awaited<ReturnType<typeof explore>>> {
  await using stage = embeddedStage();
  return explore({
    seed: 1,
    seeds: 10,
    ...DRAW,
    mostShrinkPlays: 0,
    stage,
    players,
    ...options,
  });
}

it('reports each broken clause once, with the number of days on which it was met', async () => {
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

it('finds the same with several players, whichever is quicker', async () => {
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

const ON_REAL_TIME = {
  dialect: {},
  isOnRealTime: true,
  hasSecondAccount: false,
  isIntegrator: true,
  reach: 'own-link',
  isRestartable: false,
} as const;

it('tells on real time what it met at once, and plays on while the day is shortened', async () => {
  const released = Promise.withResolvers<void>();
  await using made = stageOn(async ({ seed }) => {
    await released.promise;
    return embeddedTarget({ seed });
  });
  const told: string[] = [];
  const player: Player = (seed) => {
    if (seed === 5) released.resolve();
    return Promise.resolve(seed === 1 ? failed('states/done') : PASSED);
  };
  const { days, findings } = await exploreWith([player], {
    seeds: 5,
    elsewhere: ON_REAL_TIME,
    stage: made,
    mostShrinkPlays: 1,
    onDay: ({ days: number }) => told.push(`day ${number}`),
    onMet: ({ signature, day }) => told.push(`met ${signature} in ${day.steps.length} steps`),
    onFinding: ({ signature }) => told.push(`found ${signature}`),
  });
  const { steps } = drawDay(1, { ...DRAW, elsewhere: ON_REAL_TIME });
  expect(told).toEqual([
    `met states/done in ${steps.length} steps`,
    ...[1, 2, 3, 4, 5].map((day) => `day ${day}`),
    'found states/done',
  ]);
  expect([days, findings.length]).toEqual([5, 1]);
});

it('counts on real time each day as it comes', async () => {
  const later = Promise.withResolvers<PlayedDay>();
  const days: number[] = [];
  const players: readonly Player[] = [
    (seed) => (seed === 1 ? later.promise : Promise.resolve(PASSED)),
    (seed) => {
      if (seed === 6) later.resolve(failed('states/done'));
      return Promise.resolve(PASSED);
    },
  ];
  const { findings } = await exploreWith(players, {
    seeds: 8,
    elsewhere: ON_REAL_TIME,
    onDay: (so) => days.push(so.findings.length),
  });
  expect(days.indexOf(1)).toBeGreaterThan(3);
  expect(findings.map(({ seed }) => seed)).toEqual([1]);
});

it('leaves out days that were interrupted', async () => {
  const controller = new AbortController();
  const interrupted: PlayedDay = { ...PASSED, verdict: 'inconclusive', message: 'it was interrupted' };
  const { days, unplayed } = await exploreWith(
    [
      (seed) => {
        if (seed === 3) controller.abort();
        return Promise.resolve(seed === 3 ? interrupted : PASSED);
      },
    ],
    { signal: controller.signal, elsewhere: ON_REAL_TIME },
  );
  expect([days, unplayed]).toEqual([2, 0]);
});

it('counts what is known and does not tell it', async () => {
  const { findings, known } = await exploreWith([() => Promise.resolve(failed('states/done'))], {
    known: ['states/done'],
  });
  expect(findings).toEqual([]);
  expect([...known]).toEqual([['states/done', 10]]);
});

it('plays no more days on a service that is gone, and says so', async () => {
  const broken: PlayedDay = { ...PASSED, verdict: 'inconclusive', message: 'connection refused' };
  const explored = await exploreWith([(seed) => Promise.resolve(seed > 3 ? broken : PASSED)], {
    isStillThere: () => Promise.resolve(false),
  });
  expect([explored.days, explored.lostOn]).toEqual([4, 4]);
  const options = { runId: 'explore-1', startedAt: '', target: undefined, given: {}, without: [], folder: '' };
  const record = buildExploreRecord(explored, { ...options, wasInterrupted: false });
  expect(record.summary).toMatchObject({ lostIn: 'day 4', exitCode: 75 });
  expect(viewOfExplore(record)).toMatchObject({
    word: 'CUT SHORT',
    sentence: 'Stopped after 4 days.',
  });
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

const elapse = (): Promise<never> => Promise.withResolvers<never>().promise;

/** A service whose clock never gets anywhere. */
function stageWithStandstill(): ReturnType<typeof stageOn> {
  return stageOn(async ({ seed }) => {
    const target = await embeddedTarget({ seed });
    return { ...target, timekeeper: { ...target.timekeeper, elapse } };
  });
}

it('hands over a day without an end, shortened, and goes on', { timeout: 60_000 }, async () => {
  await using made = stageWithStandstill();
  const stage = { ...made, dayLimit: '3s' };
  const play = playerOn(stage, DRAW);
  const { findings, days } = await exploreWith([(seed) => (seed === 2 ? play(seed) : Promise.resolve(PASSED))], {
    seeds: 3,
    stage,
    mostShrinkPlays: 1,
  });
  expect(days).toBe(3);
  expect(findings).toMatchObject([
    { signature: NO_END, seed: 2, message: `${NO_END}: expected an end within 10s, got none`, count: 1 },
  ]);
  expect(findings[0]?.day).toMatchObject({ seed: 2, title: 'A day that does not end' });
});

it('ends a process that its day keeps busy, and plays on in another', async () => {
  using processes = new DayProcesses({ count: 1, draw: DRAW, limit: '1ms' });
  const [player] = processes.players;
  const stuck = { verdict: 'fail', broken: [NO_END], isStuck: true };
  expect(await player?.(1)).toMatchObject(stuck);
  expect(await player?.(2)).toMatchObject(stuck);
});

/** Days with and without a restart of the service. */
const PLAYED_AGAIN = [55, 56, 57, 58] as const;

it('plays the same day the same way in any number of processes', { timeout: 60_000 }, async () => {
  const results = await Promise.all(
    [1, 2].map(async (count) => {
      using processes = new DayProcesses({ count, draw: { ...DRAW, expect: 'strict' } });
      const { findings, ...rest } = await exploreWith(processes.players, {
        seed: PLAYED_AGAIN[0],
        seeds: PLAYED_AGAIN.length,
      });
      return { ...rest, durationMs: 0, findings: findings.map(({ message }) => message) };
    }),
  );
  expect(results[1]).toEqual(results[0]);
  const texts = PLAYED_AGAIN.map((seed) => textOf(drawDay(seed, { ...DRAW, expect: 'strict' })));
  expect(texts.some((text) => text.includes('restart: service'))).toBe(true);
});

it('names a day on which a step broke by the kind of the step', async () => {
  await using stage = embeddedStage();
  const steps = 'steps: [{ request: { path: /noop, answers: 409 } }]';
  const day = `title: A day\nwhy: It is played by a test.\n${steps}\nexpect: { service: sound }\n`;
  expect(await playText(day, stage)).toMatchObject({ verdict: 'fail', broken: ['step request'] });
  expect(await playText(day.replace('{ request', '{ account-state: active }, { request'), stage)).toBeUndefined();
});
