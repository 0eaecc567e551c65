import { expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import { virtualTimekeeper } from '../../../../src/common/timekeeper.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { Room } from '../../../../src/devices/room.ts';
import type { LinkFailure } from '../../../../src/link/device-link.ts';
import { connectRoom } from '../../../../src/scenario/play/connect-room.ts';
import { InMemoryLink } from '../../../support/in-memory-link.ts';

const LIMITED: LinkFailure = {
  reason: 'refused',
  message: 'the service refused the link with 429',
  retryAfterMs: 3_000,
};

function roomAt(link: InMemoryLink, clock: VirtualClock): Room {
  return new Room(
    { computers: [{ name: 'DESK', printers: [] }] },
    { clock, random: createRandom(1), link, serviceUrl: 'http://a', credential: { kind: 'api-key', key: 'k' } },
  );
}

it('connects as soon as a service that limits connections takes the next one', async () => {
  const [clock, link] = [new VirtualClock(), new InMemoryLink()];
  const room = roomAt(link, clock);
  const beganMs = clock.now();
  link.refusal = LIMITED;
  clock.schedule(5_000, () => (link.refusal = undefined));
  await connectRoom(room, virtualTimekeeper(clock));
  expect(room.computers.map(({ connected }) => connected)).toEqual([true]);
  expect([clock.now() - beganMs, link.attempts]).toEqual([6_000, 3]);
  await room.close();
});

it('says which limit is in the way where that takes too long, and waits for nothing else', async () => {
  const [clock, link] = [new VirtualClock(), new InMemoryLink()];
  const room = roomAt(link, clock);
  link.refusal = { ...LIMITED, retryAfterMs: 3_600_000 };
  await expect(connectRoom(room, virtualTimekeeper(clock))).rejects.toThrow(
    'the service limits how often computers connect: the service refused the link with 429, and asked to wait 1h more',
  );
  link.refusal = { reason: 'unauthorized', message: 'not you' };
  await expect(connectRoom(room, virtualTimekeeper(clock))).rejects.toThrow('not you');
  expect(link.attempts).toBe(2);
  await room.close();
});
