/**
 * What a run finds out about a service whose clock a hook moves, on services that are made up: the real one is tried in
 * test/conformance/moved-clock.test.ts.
 */

import { afterEach, expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import { startStopwatch } from '../../../../src/common/stopwatch.ts';
import type { CheckContext } from '../../../../src/conformance/context/context.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import { MovedClock } from '../../../../src/target/moved-clock.ts';
import type { Target } from '../../../../src/target/target.ts';
import { targetOf } from '../../../support/odd-servers.ts';

let target: Target | undefined;

afterEach(() => target?.close());

interface MadeUp {
  /** Of the request limit, on the clock that it counts on. */
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
  const { clock, timekeeper } = new MovedClock((ms) => {
    movedMs += ms;
    return Promise.resolve();
  });
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
