/**
 * A service on a virtual clock that nobody moves is refused at once, and no other.
 */

import { afterEach, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { realTimekeeper } from '../../src/common/timekeeper.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { embeddedTarget } from '../../src/target/embedded.ts';
import type { Target } from '../../src/target/target.ts';

let target: Target | undefined;

afterEach(() => target?.close());

/** A service on such a clock, taken for one on real time at some address. */
async function remoteOn(clock: 'real' | 'virtual'): Promise<Target> {
  target = await embeddedTarget({ clock });
  return { ...target, kind: 'remote', name: target.baseUrl, clock: systemClock, timekeeper: realTimekeeper };
}

const WAITING = 'expiry/expires';
const AT_ONCE = 'misc/ping';

it('refuses a service whose clock stands still before the first check, and says what to do', async () => {
  const remote = await remoteOn('virtual');
  const elapsedMs = startStopwatch();
  const run = runConformance({ target: remote, seed: 1, ids: [AT_ONCE, WAITING] });
  await expect(run).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/the clock of http:\S+ stands still: .* at 2026-01-01T00:00:00/),
    nextStep: expect.stringContaining('hooks.advanceClock'),
  });
  expect(elapsedMs()).toBeLessThan(10_000);
});

it('plays no days on a service whose clock stands still', async () => {
  await expect(meetService(await remoteOn('virtual'))).rejects.toThrow(/the clock of http:\S+ stands still/);
});

it.each([
  ['real', WAITING],
  ['virtual', AT_ONCE],
] as const)('checks a service on a %s clock where the check is %s', async (clock, id) => {
  const { outcomes } = await runConformance({ target: await remoteOn(clock), seed: 1, ids: [id] });
  expect(outcomes.map(({ verdict, message }) => `${verdict} ${message}`)).toEqual(['pass ']);
});
