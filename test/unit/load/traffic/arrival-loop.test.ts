import { describe, expect, it } from 'vitest';

import { runArrivals, type Scheduled } from '../../../../src/load/traffic/arrival-loop.ts';

/** A loop whose time and ticks are in the hands of the test. */
class HandLoop {
  nowUs = 0;
  readonly taken: (readonly [intendedMs: number, takenMs: number])[] = [];
  tick: () => void = () => undefined;
  onTake: () => void = () => undefined;
  isCancelled = false;
  readonly done: Promise<number>;

  constructor(timesMs: Iterable<number>, signal?: AbortSignal) {
    const arrivals = (function* (): Iterable<Scheduled> {
      for (const intendedMs of timesMs) yield { intendedMs };
    })();
    this.done = runArrivals(
      {
        arrivals,
        sinceStartUs: () => this.nowUs,
        take: ({ intendedMs }) => {
          this.taken.push([intendedMs, this.nowUs / 1_000]);
          this.onTake();
        },
        ticker: (tick) => {
          this.tick = tick;
          return { cancel: () => (this.isCancelled = true) };
        },
      },
      signal,
    );
  }

  at(ms: number): void {
    this.nowUs = ms * 1_000;
    this.tick();
  }
}

describe('arrival loop', () => {
  it('hands out what is due at a tick, and nothing before its time', () => {
    const loop = new HandLoop([0, 0.4, 1.2, 5]);
    loop.at(1);
    expect(loop.taken.map(([intended]) => intended)).toEqual([0, 0.4]);
    loop.at(1.1);
    expect(loop.taken).toHaveLength(2);
    loop.at(2);
    expect(loop.taken).toHaveLength(3);
  });

  it('waits for a start that lies ahead', () => {
    const loop = new HandLoop([0]);
    loop.at(-3);
    expect(loop.taken).toEqual([]);
    loop.at(0);
    expect(loop.taken).toHaveLength(1);
  });

  it('hands out everything that fell due during a stall, and is punctual again after it', () => {
    const everyMs = Array.from({ length: 2_000 }, (_, index) => index);
    const loop = new HandLoop(everyMs);
    loop.at(3);
    loop.at(1_003);
    expect(loop.taken).toHaveLength(1_004);
    loop.at(1_004);
    expect(loop.taken.at(-1)).toEqual([1_004, 1_004]);
  });

  it('returns how many it handed out, and stops its ticker', async () => {
    const loop = new HandLoop([0, 1, 2]);
    loop.at(10);
    expect(await loop.done).toBe(3);
    expect(loop.isCancelled).toBe(true);
  });

  it('stops before the next arrival when its signal aborts', async () => {
    const controller = new AbortController();
    const loop = new HandLoop([0, 1, 2], controller.signal);
    loop.at(1);
    controller.abort();
    loop.at(2);
    expect(await loop.done).toBe(2);
  });

  it('hands out each once when taking one causes a tick', async () => {
    const loop = new HandLoop([0, 1, 2]);
    loop.onTake = () => loop.tick();
    loop.at(10);
    expect(loop.taken.map(([intended]) => intended)).toEqual([0, 1, 2]);
    expect(await loop.done).toBe(3);
  });

  it('ends with an error that is thrown while taking an arrival', async () => {
    const done = runArrivals({
      arrivals: [{ intendedMs: 0 }],
      sinceStartUs: () => 0,
      take: () => {
        throw new Error('cannot');
      },
      ticker: (tick) => {
        setImmediate(tick);
        return { cancel: () => undefined };
      },
    });
    await expect(done).rejects.toThrow('cannot');
  });
});
