import { expect, it } from 'vitest';

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { monotonicMs } from '../../../src/common/stopwatch.ts';
import { MovedClock } from '../../../src/targets/moved-clock.ts';

const START_MS = Date.UTC(2030, 0, 1);

/** A clock at a known time, what it was moved by, and what was said while it was. */
function clockFrom(said: string[], during?: () => void): MovedClock {
  const moved = new MovedClock((ms) => {
    said.push(`service moved by ${ms}`);
    during?.();
    return Promise.resolve();
  });
  moved.timekeeper.moved?.setTo(START_MS);
  return moved;
}

it('lets what is due here and what is due at the service come in one order', async () => {
  const said: string[] = [];
  const { clock, timekeeper } = clockFrom(said);
  clock.schedule(3_000, () => said.push(`due here at ${timekeeper.now() - START_MS}`));
  await timekeeper.elapse('10s');
  expect(said).toEqual(['service moved by 3000', 'due here at 3000', 'service moved by 7000']);
  expect(timekeeper.now()).toBe(START_MS + 10_000);
});

it('lets the service finish what it has begun before a far move, and not for each step of it', async () => {
  const said: string[] = [];
  const rest = (): Promise<void> => Promise.resolve(void said.push('at rest'));
  const advance = (ms: number): Promise<number> => Promise.resolve(said.push(`by ${ms}`) && ms);
  const moved = new MovedClock(advance, START_MS, rest);
  await moved.timekeeper.elapse('10s');
  await moved.timekeeper.elapse('1s');
  moved.close();
  expect(said.map((line) => line.replace(/\d+$/, 'some'))).toEqual(['at rest', 'by some', 'by some', 'by some']);
});

it('places what arrives during a move between its ends, and what arrives long after it at one time', async () => {
  const arrivals: number[] = [];
  const { timekeeper } = clockFrom([], () => arrivals.push(monotonicMs()));
  await timekeeper.elapse('90s');
  const place = (instantMs: number) => {
    const { fromMs, toMs } = timekeeper.moved?.placeOf(instantMs) ?? { fromMs: Number.NaN, toMs: Number.NaN };
    return [fromMs - START_MS, toMs - START_MS];
  };
  expect(arrivals.map(place)).toEqual([[0, 90_000]]);
  expect(place(monotonicMs())).toEqual([0, 90_000]);
  expect(place(monotonicMs() + 1_000)).toEqual([90_000, 90_000]);
});

it('places what arrived before its time was asked for again, or before the first move', async () => {
  const { timekeeper } = clockFrom([]);
  const firstMs = monotonicMs();
  await timekeeper.elapse('5s');
  await sleep(systemClock, 300);
  const secondMs = monotonicMs();
  await timekeeper.elapse('5s');
  timekeeper.moved?.setTo(START_MS + 10_040);
  await timekeeper.elapse('5s');
  const place = (instantMs: number) => (timekeeper.moved?.placeOf(instantMs).fromMs ?? Number.NaN) - START_MS;
  expect([firstMs, secondMs].map(place)).toEqual([40, 5_040]);
});

it('follows a clock that goes on by itself between two moves', async () => {
  const moved = clockFrom([]);
  const { clock, timekeeper } = moved;
  let isDue = false;
  clock.schedule(40, () => (isDue = true));
  timekeeper.moved?.runFreely();
  await sleep(systemClock, 120);
  expect(timekeeper.now() - START_MS).toBeGreaterThanOrEqual(115);
  expect(isDue).toBe(true);
  await timekeeper.elapse('1h');
  expect(timekeeper.now() - START_MS).toBeGreaterThanOrEqual(3_600_115);
  moved.close();
});

it('follows no clock once it is closed, whoever asks late', async () => {
  const moved = clockFrom([]);
  moved.close();
  moved.runFreely();
  await sleep(systemClock, 30);
  expect(moved.timekeeper.now()).toBe(START_MS);
});

it.each([
  ['less exactly by as long as a move takes', 'goes on by itself', true, 20],
  ['exactly', 'stands still', false, 0],
] as const)('knows the time %s on a clock that %s between two moves', async (_how, _does, isRunning, leastMs) => {
  const moved = new MovedClock(() => sleep(systemClock, 25));
  if (isRunning) moved.runFreely();
  await moved.timekeeper.elapse('500ms');
  await moved.timekeeper.elapse('500ms');
  expect(moved.errorMs).toBeGreaterThanOrEqual(2 * leastMs);
  expect(moved.errorMs > 0).toBe(isRunning);
  moved.close();
});

it.each([
  ['longer', 'slow', 25, 14, Infinity],
  ['shorter', 'quick', 0, 0, 12],
] as const)('leaves %s for what is under way where the hook is %s', async (_how, _is, tookMs, leastMs, mostMs) => {
  const { timekeeper } = new MovedClock(() => (tookMs > 0 ? sleep(systemClock, tookMs) : Promise.resolve()));
  const waitsMs: number[] = [];
  for (let wait = 0; wait < 10; wait++) {
    for (let call = 0; call < 4; call++) await timekeeper.elapse(1);
    const beganMs = monotonicMs();
    await timekeeper.elapse(0);
    waitsMs.push(monotonicMs() - beganMs);
  }
  expect(Math.min(...waitsMs)).toBeGreaterThanOrEqual(leastMs);
  expect(Math.min(...waitsMs)).toBeLessThan(mostMs);
});

it('moves once after the other when two waits begin at the same time', async () => {
  const said: string[] = [];
  const { timekeeper } = clockFrom(said);
  await Promise.all([timekeeper.elapse(100), timekeeper.elapse(50)]);
  expect(said).toEqual(['service moved by 100', 'service moved by 50']);
});

it('moves by whole milliseconds, whatever is due here', async () => {
  const said: string[] = [];
  const { clock, timekeeper } = clockFrom(said);
  clock.schedule(3.5, () => said.push('due here'));
  await timekeeper.elapse(10);
  expect(said).toEqual(['service moved by 4', 'due here', 'service moved by 6']);
});

it('moves no more once the hook has failed, since the time of the service is not known then', async () => {
  let calls = 0;
  const { timekeeper } = new MovedClock(() => {
    calls++;
    return Promise.reject(new Error('the hook failed'));
  });
  await expect(timekeeper.elapse('1h')).rejects.toThrow('the hook failed');
  await expect(timekeeper.elapse('1s')).rejects.toThrow('the hook failed');
  expect(calls).toBe(1);
});

it('goes through a wait in steps where its time is known, short enough for heartbeats to be answered', async () => {
  const steps: number[] = [];
  const moved = new MovedClock((ms) => {
    steps.push(ms);
    return Promise.resolve(ms);
  }, START_MS);
  const { timekeeper } = moved;
  await timekeeper.elapse('12s');
  await timekeeper.elapse('24h');
  moved.close();
  expect(Math.max(...steps.slice(0, -1))).toBe(5_000);
  expect(steps.at(-1)).toBeGreaterThan(86_000_000);
  expect(timekeeper.now() - START_MS).toBeGreaterThanOrEqual(12_000 + 86_400_000);
  expect(timekeeper.now() - START_MS).toBeLessThan(12_000 + 86_400_000 + 5_000);
});
