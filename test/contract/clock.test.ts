/**
 * What every Clock promises, whichever it is. Delays are short, and only order and lower bounds are
 * judged, so that a busy machine proves nothing wrong.
 */

import { describe, expect, it } from 'vitest';

import { holding, sleep, systemClock } from '../../src/common/clock.ts';
import { realTimekeeper, virtualTimekeeper } from '../../src/common/timekeeper.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';

const virtualClock = new VirtualClock();

describe.each([
  { name: 'the system clock', clock: systemClock, timekeeper: realTimekeeper },
  { name: 'a virtual clock', clock: virtualClock, timekeeper: virtualTimekeeper(virtualClock) },
])('$name', ({ clock, timekeeper }) => {
  it('is kept by a timekeeper of the same kind and time', () => {
    expect(timekeeper.isVirtual).toBe(clock.isVirtual);
    expect(Math.abs(timekeeper.now() - clock.now())).toBeLessThan(1_000);
  });

  it('fires a task once, not before its time', async () => {
    const startedMs = clock.now();
    const firedAt: number[] = [];
    clock.schedule(20, () => firedAt.push(clock.now() - startedMs));
    await timekeeper.elapse(80);
    expect(firedAt).toHaveLength(1);
    expect(firedAt[0]).toBeGreaterThanOrEqual(19);
  });

  it('fires tasks in order of due time', async () => {
    const fired: string[] = [];
    clock.schedule(60, () => fired.push('late'));
    clock.schedule(20, () => fired.push('early'));
    clock.schedule(-5, () => fired.push('overdue'));
    await timekeeper.elapse(120);
    expect(fired).toEqual(['overdue', 'early', 'late']);
  });

  it('never fires a task while it is being scheduled', async () => {
    let fired = false;
    clock.schedule(0, () => {
      fired = true;
    });
    expect(fired).toBe(false);
    await timekeeper.elapse(20);
    expect(fired).toBe(true);
  });

  it('does not fire a cancelled task, and ignores a second cancel', async () => {
    let fired = false;
    const timer = clock.schedule(10, () => {
      fired = true;
    });
    timer.cancel();
    timer.cancel();
    await timekeeper.elapse(40);
    expect(fired).toBe(false);
  });

  it('beats until it is cancelled', async () => {
    let beats = 0;
    const beat = clock.beat(10, () => beats++);
    await timekeeper.elapse(60);
    beat.cancel();
    const counted = beats;
    await timekeeper.elapse(40);
    expect(counted).toBeGreaterThanOrEqual(1);
    expect(beats).toBe(counted);
  });

  it('waits beyond the longest delay of a bare timer instead of firing at once', async () => {
    let fired = false;
    const timer = clock.schedule(30 * 86_400_000, () => {
      fired = true;
    });
    await timekeeper.elapse(20);
    timer.cancel();
    expect(fired).toBe(false);
  });

  it('lets sleepers sleep, and wakes them with the reason of an abort', async () => {
    const abort = new AbortController();
    const slept = sleep(clock, 20).then(() => 'slept');
    const aborted = sleep(clock, 60_000, abort.signal).catch((error: unknown) => error);
    abort.abort(new Error('shut down'));
    await timekeeper.elapse(40);
    await expect(slept).resolves.toBe('slept');
    expect(await aborted).toEqual(new Error('shut down'));
    await expect(sleep(clock, 20, abort.signal)).rejects.toThrow('shut down');
  });

  it('gives back what held work gives, and its error', async () => {
    await expect(holding(clock, 'work', () => Promise.resolve(7))).resolves.toBe(7);
    const failing = holding(clock, 'work', () => Promise.reject(new Error('broke')));
    await expect(failing).rejects.toThrow('broke');
  });
});
