/**
 * A service on a virtual clock that nothing moves is refused at once, and no other.
 */

import { afterEach, expect, it } from 'vitest';

import { basicAuthorization } from '../../src/common/basic-authorization.ts';
import { systemClock } from '../../src/common/clock.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { realTimekeeper } from '../../src/common/timekeeper.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';
import { MovedClock } from '../../src/targets/moved-clock.ts';
import type { Target } from '../../src/targets/target.ts';

let target: Target | undefined;

afterEach(() => target?.close());

/** A service on such a clock, taken for one on real time at some address, or for one whose clock something moves. */
async function remoteOn(clock: 'real' | 'virtual', moved: Partial<Target> = {}): Promise<Target> {
  target = await embeddedTarget({ clock });
  const onRealTime = { clock: systemClock, timekeeper: realTimekeeper };
  return { ...target, kind: 'remote', name: target.baseUrl, ...onRealTime, ...moved };
}

/** More than are granted at once. */
const BURST_MOST = 40;

const check = (remote: Target, id: string): ReturnType<typeof runConformance> =>
  runConformance({ target: remote, seed: 1, ids: [id] });

it('refuses a service whose clock stands still before the first check, and says what to do', async () => {
  const remote = await remoteOn('virtual');
  const elapsedMs = startStopwatch();
  await expect(check(remote, 'misc/ping')).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/the clock of http:\S+ stands still: .* the time 2026-01-01T00:00:00/),
    nextStep: expect.stringContaining('hooks.advanceClock'),
  });
  expect(elapsedMs()).toBeLessThan(10_000);
});

it('refuses a service that grants no requests any more, since its clock stands still', async () => {
  const remote = await remoteOn('virtual');
  const headers = { Authorization: basicAuthorization(remote.apiKey) };
  for (let sent = 0; sent < BURST_MOST; sent++) await (await fetch(`${remote.baseUrl}/noop`, { headers })).text();
  await expect(check(remote, 'misc/ping')).rejects.toThrow(/seems to stand still: every GET \/noop gets 429/);
});

it('plays no days on a service whose clock stands still', async () => {
  await expect(meetService(await remoteOn('virtual'))).rejects.toThrow(/the clock of http:\S+ stands still/);
});

it('refuses a hook that moves no clock', async () => {
  const { clock, timekeeper } = new MovedClock(() => Promise.resolve());
  const remote = await remoteOn('virtual', { clock, timekeeper });
  await expect(check(remote, 'misc/ping')).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(/does not follow the hook advanceClock: moved by 1m, it went from 2026\S+ to 2026/),
    nextStep: expect.stringContaining('{ms}'),
  });
});

it('checks a service on a real clock', async () => {
  const { outcomes } = await check(await remoteOn('real'), 'expiry/expires');
  expect(outcomes.map(({ verdict, message }) => `${verdict} ${message}`)).toEqual(['pass ']);
});
