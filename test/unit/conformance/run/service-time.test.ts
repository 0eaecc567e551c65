/**
 * What a run finds out about a service whose clock a hook moves, on services that are made up: the real one is tried in
 * test/conformance/reference-service.test.ts.
 */

import { afterEach, expect, it } from 'vitest';

import { sleep, systemClock } from '../../../../src/common/clock.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { startStopwatch } from '../../../../src/common/stopwatch.ts';
import { presentOf } from '../../../../src/common/timekeeper.ts';
import type { CheckContext } from '../../../../src/conformance/context/context.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import { keepingTime, readServiceTime } from '../../../../src/conformance/run/service-time.ts';
import { MovedClock } from '../../../../src/targets/moved-clock.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { targetOf } from '../../../support/odd-servers.ts';

let target: Target | undefined;
let moved: MovedClock | undefined;

afterEach(async () => {
  // One that goes on by itself follows real time also in the tests after it.
  moved?.close();
  await target?.close();
});

interface MadeUp {
  /** The window of the request limit, on the clock that it counts on. */
  readonly windowMs?: number;
  /** Whether limit and Date are those of the clock that is moved. */
  readonly isMoved: boolean;
}

const BURST = 30;

/** What a check sees on a service with a limit of 30 requests in a window. */
async function seenOn({ windowMs = 0, isMoved }: MadeUp, look: (context: CheckContext) => void): Promise<void> {
  let movedMs = 0;
  const realMs = startStopwatch();
  const now = (): number => (isMoved ? movedMs : realMs());
  let [count, sinceMs] = [0, 0];
  target = await targetOf((_, response) => {
    if (now() - sinceMs > windowMs) [count, sinceMs] = [0, now()];
    response.statusCode = windowMs > 0 && ++count > BURST ? 429 : 200;
    response.setHeader('Date', new Date(Date.UTC(2031, 0, 1) + now()).toUTCString());
    response.end('{}');
  });
  moved = new MovedClock((ms) => {
    movedMs += ms;
    return Promise.resolve();
  });
  const { clock, timekeeper } = moved;
  const { outcomes } = await runChecks({
    target: { ...target, clock, timekeeper, requestsPerSecond: 9 },
    checks: [
      {
        id: 'some/check',
        title: 'Something holds',
        clauses: ['misc/ping'],
        needs: [],
        async run(context) {
          look(context);
          for (let sent = 0; sent < 2 * BURST; sent++) {
            const { status } = await context.api.get('/noop');
            context.judge('misc/ping', status === 200 ? undefined : { at: 'GET', expected: '200', actual: '429' });
          }
        },
      },
    ],
    random: createRandom(1),
    runTag: 'tag',
    levelOf: () => 'must',
  });
  expect(outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([['pass', '']]);
}

it('reads the time of a service that shows none but the header Date, and moves the clock below its limit', async () => {
  const elapsedMs = startStopwatch();
  await seenOn({ windowMs: 1_500, isMoved: true }, ({ target: { timekeeper } }) => {
    expect(timekeeper.moved?.limits).toBe('moved');
    expect(new Date(timekeeper.now()).getUTCFullYear()).toBe(2031);
  });
  expect(elapsedMs()).toBeLessThan(5_000);
});

it.each([
  { shown: 'by the second', stepMs: 1_000, isRunning: true },
  { shown: 'by the second', stepMs: 1_000, isRunning: false },
  { shown: 'by the tenth of a second', stepMs: 100, isRunning: true },
])(
  'takes a clock for one that is running=$isRunning where states are shown $shown',
  async ({ stepMs, isRunning }) => {
    const startMs = Date.UTC(2031, 0, 1) + 987;
    const realMs = startStopwatch();
    let movedMs = 0;
    const timeThere = (): number => startMs + movedMs + (isRunning ? realMs() : 0);
    let createTimestamp = '';
    const opened = await targetOf((request, response) => {
      const isSubmission = request.method === 'POST';
      if (isSubmission) createTimestamp = new Date(Math.floor(timeThere() / stepMs) * stepMs).toISOString();
      response.statusCode = isSubmission ? 201 : 200;
      response.end(JSON.stringify(isSubmission ? 1 : [[{ printJobId: 1, state: 'new', createTimestamp, age: 0 }]]));
    });
    target = opened;
    const ownClock = new MovedClock((ms) => {
      movedMs += ms;
      return Promise.resolve();
    });
    moved = ownClock;
    const { outcomes } = await runChecks({
      target,
      checks: [
        {
          id: 'some/check',
          title: 'Something holds',
          clauses: ['misc/ping'],
          needs: [],
          async run(context) {
            const computers = { away: () => Promise.resolve({ printerId: 1 }) } as unknown as CheckContext['computers'];
            const link = {} as NonNullable<Target['link']>;
            const problems = await readServiceTime({ ...context, computers, target: { ...opened, link } }, ownClock);
            expect(problems).toEqual([]);
            await ownClock.timekeeper.elapse('90s');
            const { fromMs, toMs } = presentOf(ownClock.timekeeper);
            const nowMs = timeThere();
            expect(Math.floor(nowMs / stepMs) * stepMs).toBeGreaterThanOrEqual(fromMs);
            expect(nowMs).toBeLessThanOrEqual(toMs);
            const beforeMs = ownClock.timekeeper.now();
            await sleep(systemClock, 50);
            expect(ownClock.timekeeper.now() - beforeMs >= 40).toBe(isRunning);
            context.judge('misc/ping', undefined);
          },
        },
      ],
      random: createRandom(1),
      runTag: 'tag',
      levelOf: () => 'must',
    });
    expect(outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([['pass', '']]);
  },
  20_000,
);

it('keeps below a limit that counts on real time by waiting', async () => {
  await seenOn({ windowMs: 1_500, isMoved: false }, ({ target: { timekeeper } }) => {
    expect(timekeeper.moved?.limits).toBe('real');
  });
}, 30_000);

it('sends as fast as it can where no limit is met', async () => {
  const elapsedMs = startStopwatch();
  await seenOn({ isMoved: false }, ({ target: { timekeeper } }) => {
    expect(timekeeper.moved?.limits).toBe('none');
  });
  expect(elapsedMs()).toBeLessThan(5_000);
});

it('asks for the time again whenever moves have made it half a second less exact', async () => {
  const drifting = new MovedClock(() => Promise.resolve());
  drifting.errorMs = 10;
  const asked: number[] = [];
  const keepTime = keepingTime(drifting, (time) => {
    asked.push(time);
    drifting.errorMs = 20;
    return Promise.resolve();
  });
  for (const errorMs of [10, 509, 510, 519]) {
    drifting.errorMs = errorMs;
    await keepTime();
  }
  expect(asked).toEqual([1]);
  drifting.errorMs = 520;
  await keepTime();
  expect(asked).toEqual([1, 2]);
});
