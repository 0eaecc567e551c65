import { createServer, get } from 'node:http';
import { expect, it } from 'vitest';

import { holding, sleep } from '../../../src/common/clock.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';

it('stands still until it is advanced', async () => {
  const clock = new VirtualClock(1_000);
  expect(clock.now()).toBe(1_000);
  await clock.advance('45s');
  expect(clock.now()).toBe(46_000);
});

it('fires what is due in order of due time, each at its own time', async () => {
  const clock = new VirtualClock(0);
  const fired: [string, number][] = [];
  for (const [name, delayMs] of [
    ['late', 300],
    ['early', 100],
    ['middle', 200],
  ] as const) {
    clock.schedule(delayMs, () => fired.push([name, clock.now()]));
  }
  await clock.advance(1_000);
  expect(fired).toEqual([
    ['early', 100],
    ['middle', 200],
    ['late', 300],
  ]);
});

it('fires tasks of one due time in the order in which they were scheduled', async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  for (let index = 0; index < 50; index++) clock.schedule(10, () => fired.push(index));
  await clock.advance(10);
  expect(fired).toEqual([...Array(50).keys()]);
});

it('includes what is due exactly at the end and nothing after it', async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.schedule(100, () => fired.push('at the end'));
  clock.schedule(101, () => fired.push('after the end'));
  await clock.advance(100);
  expect(fired).toEqual(['at the end']);
});

it('takes a delay that is not positive for now', async () => {
  const clock = new VirtualClock(5_000);
  const fired: number[] = [];
  clock.schedule(-1_000, () => fired.push(clock.now()));
  clock.schedule(0, () => fired.push(clock.now()));
  await clock.settle();
  expect(fired).toEqual([5_000, 5_000]);
});

it('fires what a task schedules, when it falls into the same advance', async () => {
  const clock = new VirtualClock(0);
  const fired: number[] = [];
  const again = (): void => {
    fired.push(clock.now());
    if (fired.length < 4) clock.schedule(50, again);
  };
  clock.schedule(50, again);
  await clock.advance(150);
  expect(fired).toEqual([50, 100, 150]);
});

it('lets awaited work settle between two tasks', async () => {
  const clock = new VirtualClock(0);
  const seen: string[] = [];
  const worker = async (): Promise<void> => {
    await sleep(clock, 100);
    seen.push(`woke at ${clock.now()}`);
    await sleep(clock, 100);
    seen.push(`woke again at ${clock.now()}`);
  };
  const work = worker();
  clock.schedule(150, () => seen.push(`task at ${clock.now()}`));
  await clock.advance(500);
  await work;
  expect(seen).toEqual(['woke at 100', 'task at 150', 'woke again at 200']);
});

it('does not fire a task that was cancelled, even by one of the same due time', async () => {
  const clock = new VirtualClock();
  let fired = false;
  clock.schedule(10, () => second.cancel());
  const second = clock.schedule(10, () => {
    fired = true;
  });
  await clock.advance(100);
  expect(fired).toBe(false);
});

it('fires a beat twice however many intervals a jump passes over, for what asks at one and decides at the next', async () => {
  const clock = new VirtualClock(0);
  const beats: number[] = [];
  clock.beat(1_000, () => beats.push(clock.now()));
  await clock.advance('14d');
  await clock.advance(999);
  await clock.advance(1);
  expect(beats).toEqual([1_209_600_000, 1_209_600_000, 1_209_601_000]);
});

it('stops a beat that was cancelled', async () => {
  const clock = new VirtualClock();
  let beats = 0;
  const beat = clock.beat(10, () => beats++);
  await clock.advance(10);
  beat.cancel();
  await clock.advance(100);
  expect(beats).toBe(1);
});

it('fires what a beat made due before it is done', async () => {
  const clock = new VirtualClock(0);
  const fired: number[] = [];
  clock.beat(1_000, () => clock.schedule(0, () => fired.push(clock.now())));
  await clock.advance(1_000);
  expect(fired).toEqual([1_000]);
});

it('waits for work that is held, such as a request on a socket', async () => {
  const clock = new VirtualClock(0);
  const server = createServer((_request, response) => response.end('answer'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  const answeredAt: number[] = [];
  clock.schedule(100, () => {
    void holding(clock, 'a request', () => request(port), 5_000).then(() => answeredAt.push(clock.now()));
  });
  await clock.advance('1d');
  server.close();
  expect(answeredAt).toEqual([100]);
});

it('goes on without a hold that makes no progress for its patience', async () => {
  const clock = new VirtualClock(0);
  const hold = clock.hold('a receiver that hangs', 20);
  let timedOut = false;
  clock.schedule(10_000, () => {
    timedOut = true;
  });
  await clock.advance('1m');
  expect(timedOut).toBe(true);
  expect(clock.heldBy).toEqual(['a receiver that hangs']);
  hold.release();
  hold.release();
  expect(clock.heldBy).toEqual([]);
});

it('goes on sooner without a hold whose peer stalls, for as long as it does', async () => {
  const [stalling, other] = [new VirtualClock(0), new VirtualClock(0)];
  /** Side by side: what stops the process stops both. */
  const firstToGoOn = async (): Promise<string> => {
    const holds = [
      stalling.hold('an answer', 250, '127.0.0.1:80'),
      // Between the two kinds of patience: a machine that stands still for a while does not change the order.
      other.hold('an answer', 125, '127.0.0.1:80'),
    ];
    const ends: string[] = [];
    await Promise.all([
      other.advance('1m').then(() => ends.push('other')),
      stalling.advance('1m').then(() => ends.push('stalling')),
    ]);
    for (const hold of holds) hold.release();
    return ends[0] ?? 'none';
  };
  const stalls = [stalling.stall('127.0.0.1:80'), stalling.stall('127.0.0.1:80')];
  other.stall('127.0.0.1:81');
  expect(await firstToGoOn()).toBe('stalling');
  stalls[0]?.release();
  stalls[0]?.release();
  expect(await firstToGoOn()).toBe('stalling');
  stalls[1]?.release();
  expect(await firstToGoOn()).toBe('other');
});

it('goes on at once where the peer stalls as often as it is waited for, and later where more may be under way', async () => {
  const peer = '127.0.0.1:80';
  const [arrived, underWay] = [new VirtualClock(0), new VirtualClock(0)];
  const ends: string[] = [];
  arrived.hold('an answer', 250, peer);
  underWay.hold('an answer', 250, peer);
  underWay.hold('another answer', 250, peer);
  for (const clock of [underWay, arrived]) clock.stall(peer);
  await Promise.all([
    underWay.advance('1m').then(() => ends.push('under way')),
    arrived.advance('1m').then(() => ends.push('arrived')),
  ]);
  expect(ends).toEqual(['arrived', 'under way']);
});

it('lets advances queue up, each beginning where the one before it ended', async () => {
  const clock = new VirtualClock(0);
  const ends: number[] = [];
  const first = clock.advance(100).then(() => ends.push(clock.now()));
  const second = clock.advance(100).then(() => ends.push(clock.now()));
  await Promise.all([first, second]);
  expect(ends).toEqual([100, 200]);
});

it('goes on after a task that threw, and reports it to the caller of advance', async () => {
  const clock = new VirtualClock(0);
  clock.schedule(10, () => {
    throw new Error('the task failed');
  });
  await expect(clock.advance(100)).rejects.toThrow('the task failed');
  await clock.advance(90);
  expect(clock.now()).toBe(100);
});

it('refuses to go back', () => {
  const clock = new VirtualClock();
  expect(() => clock.advance(-1)).toThrow(RangeError);
});

it('refuses to go where timestamps end, and stays as it was', async () => {
  const clock = new VirtualClock(Date.UTC(9999, 11, 1));
  await clock.advance('30d');
  await expect(clock.advance('1d')).rejects.toThrow('a virtual clock ends with the year 9999');
  await expect(clock.advance('99999999d')).rejects.toThrow('a virtual clock ends with the year 9999');
  await clock.advance('23h');
  expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:00:00.000Z');
});

it('passes fourteen days of hourly work in well under a second', async () => {
  const clock = new VirtualClock(0);
  let hours = 0;
  const hourly = (): void => {
    hours++;
    clock.schedule(3_600_000, hourly);
  };
  clock.schedule(3_600_000, hourly);
  await clock.advance('14d');
  expect(hours).toBe(14 * 24);
});

function request(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
  });
}
