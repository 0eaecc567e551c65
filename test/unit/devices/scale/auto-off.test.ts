import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { AutoOff, type SelfOff } from '../../../../src/devices/scale/auto-off.ts';
import { CountingClock } from '../../../support/counting-clock.ts';

class Lamp implements SelfOff {
  readonly #clock: VirtualClock;
  offAtMs: number;
  wentOffAtMs: number | undefined;

  constructor(clock: VirtualClock, inMs: number) {
    this.#clock = clock;
    this.offAtMs = clock.now() + inMs;
  }

  switchOff(): void {
    this.wentOffAtMs = this.#clock.now();
  }
}

describe('auto-off', () => {
  it('switches each device off when it is due, whatever the order they came in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 }), async (delays) => {
        const clock = new VirtualClock();
        const autoOff = new AutoOff(clock);
        const lamps = delays.map((delayMs) => new Lamp(clock, delayMs));
        for (const lamp of lamps) autoOff.add(lamp);
        await clock.advance('1m');
        expect(lamps.map((lamp) => lamp.wentOffAtMs)).toEqual(lamps.map((lamp) => lamp.offAtMs));
      }),
      { numRuns: 20 },
    );
  });

  it('waits for a device whose time has moved', async () => {
    const clock = new VirtualClock();
    const autoOff = new AutoOff(clock);
    const lamp = new Lamp(clock, 1_000);
    autoOff.add(lamp);
    lamp.offAtMs += 500;
    await clock.advance(1_400);
    expect(lamp.wentOffAtMs).toBeUndefined();
    await clock.advance(100);
    expect(lamp.wentOffAtMs).toBe(lamp.offAtMs);
  });

  it('leaves alone what was taken out, and has one timer for all the others', async () => {
    const clock = new CountingClock();
    const autoOff = new AutoOff(clock);
    const lamps = [new Lamp(clock, 3_000), new Lamp(clock, 2_000), new Lamp(clock, 1_000)];
    for (const lamp of lamps) autoOff.add(lamp);
    expect(clock.timers).toBe(1);
    for (const lamp of lamps) autoOff.remove(lamp);
    expect(clock.timers).toBe(0);
    await clock.advance('1m');
    expect(lamps.map((lamp) => lamp.wentOffAtMs)).toEqual([undefined, undefined, undefined]);
  });
});
