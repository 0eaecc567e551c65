import { expect, it } from 'vitest';

import { sleep } from '../../../src/common/clock.ts';
import { virtualTimekeeper } from '../../../src/common/timekeeper.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { eventually, leftAfter, WaitExpired, within } from '../../../src/common/waiter.ts';

it('gives the value of work that ends within the limit, and leaves no timer', async () => {
  const clock = new VirtualClock(0);
  const work = sleep(clock, 40).then(() => 'acknowledged');
  const bounded = within(work, { description: 'the acknowledgement', limit: '1s', clock });
  await clock.advance(100);
  await expect(bounded).resolves.toBe('acknowledged');
});

it('passes on the error of work that fails within the limit', async () => {
  const failed = Promise.reject(new Error('refused'));
  await expect(within(failed, { description: 'an answer', limit: '1s' })).rejects.toThrow('refused');
});

it('gives up at the limit and says what it waited for', async () => {
  const clock = new VirtualClock(0);
  const bounded = within(new Promise(() => undefined), {
    description: 'the acknowledgement of job 7',
    limit: '5s',
    clock,
  }).catch((error: unknown) => error);
  await clock.advance('5s');
  expect(await bounded).toEqual(new WaitExpired('the acknowledgement of job 7', 5_000));
});

it('does not count the time in which the process was stopped', async () => {
  const limit = '200ms';
  const arrived = Promise.withResolvers<string>();
  const bounded = within(arrived.promise, { description: 'an answer that is on its way', limit });
  stopProcess(400);
  setImmediate(() => arrived.resolve('the answer'));
  await expect(bounded).resolves.toBe('the answer');
});

it('never waits past the limit, however rarely it looks', async () => {
  const clock = new VirtualClock(0);
  const wait = eventually({
    description: 'a job that is done',
    limit: '120ms',
    every: '100ms',
    timekeeper: virtualTimekeeper(clock),
    probe: () => undefined,
  });
  await expect(wait).rejects.toThrow(WaitExpired);
  expect(clock.now()).toBe(120);
});

it('looks again and again until it finds the value', async () => {
  const clock = new VirtualClock(0);
  clock.schedule(1_010, () => (state = 'done'));
  let state = 'new';
  const found = await eventually({
    description: 'a job that is done',
    limit: '5s',
    every: '100ms',
    timekeeper: virtualTimekeeper(clock),
    probe: () => (state === 'done' ? clock.now() : undefined),
  });
  expect(found).toBe(1_100);
});

it('does not wait when the value is there already', async () => {
  const clock = new VirtualClock(0);
  const keeper = virtualTimekeeper(clock);
  await eventually({ description: 'nothing', limit: 0, timekeeper: keeper, probe: () => true });
  expect(clock.now()).toBe(0);
});

it('says at the limit what it last saw', async () => {
  const clock = new VirtualClock(0);
  const wait = eventually({
    description: 'a job that is done',
    limit: '2s',
    timekeeper: virtualTimekeeper(clock),
    probe: () => undefined,
    lastSeen: () => 'job 7 is sent_to_client',
  });
  await expect(wait).rejects.toThrow('waited 2s for a job that is done; last seen: job 7 is sent_to_client');
  expect(clock.now()).toBe(2_000);
});

it('passes on what a probe throws', async () => {
  const wait = eventually({
    description: 'anything',
    limit: '1s',
    timekeeper: virtualTimekeeper(new VirtualClock()),
    probe: () => Promise.reject(new Error('the probe broke')),
  });
  await expect(wait).rejects.toThrow('the probe broke');
});

/** Nothing happens in it, as under SIGSTOP, or while the machine sleeps. */
function stopProcess(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

it('leaves work a while after a signal, and takes what it comes to before', async () => {
  const never = new Promise<string>(() => undefined);
  const leaving = { signal: AbortSignal.abort(), afterMs: 30, instead: 'left' };
  expect(await leftAfter(never, leaving)).toBe('left');
  expect(await leftAfter(Promise.resolve('done'), leaving)).toBe('done');
  const { signal } = new AbortController();
  expect(await leftAfter(Promise.resolve('done'), { ...leaving, signal })).toBe('done');
  await expect(leftAfter(Promise.reject(new Error('lost')), leaving)).rejects.toThrow('lost');
});
