import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { sleep, systemClock } from '../../../../src/common/clock.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { PressQueue, type Engine } from '../../../../src/devices/press/press-queue.ts';

/** Works as long as it is told to, on the timers of the test. */
class FakeEngine implements Engine {
  readonly ready = Promise.resolve();
  isEnded = false;
  readonly #ending = new AbortController();

  async end(): Promise<void> {
    this.isEnded = true;
    this.#ending.abort(new Error('ended'));
  }

  work(ms: number): Promise<void> {
    return sleep(systemClock, ms, this.#ending.signal);
  }
}

const engines: FakeEngine[] = [];
const done: string[] = [];

function queueOn(clock: Pick<typeof systemClock, 'isVirtual'>): PressQueue<FakeEngine> {
  return new PressQueue({
    clock: { ...systemClock, isVirtual: clock.isVirtual },
    start: () => {
      const engine = new FakeEngine();
      engines.push(engine);
      return engine;
    },
  });
}

/** What became of it stands in `done`. */
function add(queue: PressQueue<FakeEngine>, name: string, ms: number): void {
  queue
    .add(name.charAt(0), (engine) => engine.work(ms))
    .then(
      () => done.push(name),
      (error: Error) => done.push(`${name} ${error.message}`),
    );
}

beforeEach(() => {
  vi.useFakeTimers();
  engines.length = 0;
  done.length = 0;
});
afterEach(() => vi.useRealTimers());

describe('a press queue', () => {
  it('does what one owner asks for in order, and lets owners take turns', async () => {
    const queue = queueOn(systemClock);
    for (const name of ['a1', 'a2', 'a3', 'b1']) add(queue, name, 10);
    await vi.advanceTimersByTimeAsync(100);
    expect(done).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(engines).toHaveLength(1);
  });

  it('lets others in after half a second, but not what the same owner asked for next', async () => {
    const queue = queueOn(systemClock);
    add(queue, 'a1', 20_000);
    add(queue, 'a2', 10);
    add(queue, 'b1', 10);
    await vi.advanceTimersByTimeAsync(600);
    expect(done).toEqual(['b1']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('puts off what is slow when two others are, and begins it again', async () => {
    const queue = queueOn(systemClock);
    for (const name of ['a1', 'b1', 'c1']) add(queue, name, 10_000);
    add(queue, 'd1', 10);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(done).toEqual(['d1']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(done).toEqual(['d1', 'a1', 'b1', 'c1']);
  });

  it('leaves what is slow alone as long as nobody else waits', async () => {
    const queue = queueOn(systemClock);
    for (const name of ['a1', 'b1', 'c1']) add(queue, name, 5_000);
    await vi.advanceTimersByTimeAsync(6_100);
    expect(done).toEqual(['a1', 'b1', 'c1']);
  });

  it('keeps one engine for what comes next', async () => {
    const queue = queueOn(systemClock);
    add(queue, 'a1', 2_000);
    add(queue, 'b1', 600);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(engines.filter(({ isEnded }) => !isEnded)).toHaveLength(1);
  });

  it('has nothing overtaken while time stands still', async () => {
    const queue = queueOn(new VirtualClock());
    add(queue, 'a1', 3_000);
    add(queue, 'b1', 10);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(done).toEqual(['a1', 'b1']);
    expect(engines).toHaveLength(1);
  });

  it('tells all who wait when it is closed', async () => {
    const queue = queueOn(systemClock);
    for (const name of ['a1', 'b1', 'c1', 'c2']) add(queue, name, 10_000);
    await vi.advanceTimersByTimeAsync(1_200);
    await queue.close(new Error('closed'));
    await vi.advanceTimersByTimeAsync(0);
    expect(done.toSorted()).toEqual(['a1 ended', 'b1 ended', 'c1 ended', 'c2 closed']);
    expect(engines.every(({ isEnded }) => isEnded)).toBe(true);
  });
});
