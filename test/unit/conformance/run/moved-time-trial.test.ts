import { expect, it } from 'vitest';

import { tryMovedTime } from '../../../../src/conformance/run/moved-time-trial.ts';
import { unfollowedBy } from '../../../../src/conformance/run/needs.ts';
import { start } from '../../../../src/index.ts';
import { webSocketLink } from '../../../../src/link/websocket-link.ts';
import { MovedClock, type Advance } from '../../../../src/targets/moved-clock.ts';
import { remoteTarget } from '../../../../src/targets/remote.ts';
import type { Target } from '../../../../src/targets/target.ts';

/** The reference service on a virtual clock, of which only a part follows when its time is moved. */
async function serviceMovedBy(
  advance: (platen: Awaited<ReturnType<typeof start>>, ms: number) => ReturnType<Advance>,
): Promise<Target> {
  const platen = await start({ port: 0, clock: 'virtual', room: 'none' });
  const moved = new MovedClock((ms) => advance(platen, ms));
  const { clock, timekeeper } = moved;
  const target = await remoteTarget({ url: platen.url, apiKey: platen.apiKey, link: webSocketLink({ clock }) });
  const close = async (): Promise<void> => {
    moved.close();
    await platen.close();
  };
  return { ...target, clock, timekeeper, close };
}

it('finds nothing to say of a service that follows', async () => {
  const target = await serviceMovedBy((platen, ms) => platen.clock.advance(`${ms}ms`));
  expect(await tryMovedTime(target, 'trial')).toEqual({ whyNot: undefined, remarks: [] });
  expect(target.timekeeper.moved).toMatchObject({ lagMs: 75, unfollowed: new Set() });
  await target.close();
});

it('says of a service that does not follow at all that it cannot be moved', async () => {
  const target = await serviceMovedBy(() => Promise.resolve());
  const { whyNot } = await tryMovedTime(target, 'trial');
  expect(whyNot).toBe('libfaketime has no effect on it, as on static programs and most in Go');
  await target.close();
});

it('does not judge what only timers show that do not follow', () => {
  const moved = new MovedClock(() => Promise.resolve());
  moved.unfollowed.add('retries');
  const target = { timekeeper: moved.timekeeper } as Target;
  expect(unfollowedBy('event-delivery/again', target)?.verdict).toBe('inconclusive');
  expect(unfollowedBy('event-delivery/again', { ...target, waitsMs: 60_000 })?.verdict).toBe('too-long');
  expect(unfollowedBy('expiry/default', target)).toBeUndefined();
});
