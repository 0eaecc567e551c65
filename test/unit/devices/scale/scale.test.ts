import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRandom, type Random } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { AutoOff } from '../../../../src/devices/scale/auto-off.ts';
import { decodeWeighingReport } from '../../../../src/devices/scale/hid-report.ts';
import { loadScaleProfile, scaleProfileNames } from '../../../../src/devices/scale/scale-profile.ts';
import { VirtualScale, type ScaleDescription, type ScaleHost } from '../../../../src/devices/scale/scale.ts';
import type { WeighingReading } from '../../../../src/devices/scale/weighing-reading.ts';

const KG = 1_000_000_000;
const OUNCE = 28_349_523;

/** A workbench with one scale, which writes down all that the scale says. */
class Workbench implements ScaleHost {
  readonly clock = new VirtualClock();
  readonly readings: (WeighingReading & { atMs: number })[] = [];
  readonly hex: string[] = [];
  listChanges = 0;
  readonly scale: VirtualScale;
  readonly random: Random;
  readonly #startMs = this.clock.now();

  constructor(profile: string, more: Partial<ScaleDescription> = {}, seed = 1) {
    const description = { profile: loadScaleProfile(profile), ...more };
    this.random = createRandom(seed);
    const parts = { clock: this.clock, autoOff: new AutoOff(this.clock) };
    this.scale = new VirtualScale(1, description, parts, this);
  }

  scalesChanged(): void {
    this.listChanges++;
  }

  scaleReported(scale: VirtualScale, report: Uint8Array): void {
    const reading = scale.reading(report);
    if (!reading) throw new Error('the scale sent bytes that are no report');
    this.hex.push(Buffer.from(report).toString('hex'));
    this.readings.push({ ...reading, atMs: this.clock.now() - this.#startMs });
  }

  get last(): WeighingReading | undefined {
    return this.readings.at(-1);
  }

  get statuses(): string[] {
    return this.readings.map(({ status }) => status);
  }
}

/** What a wobbly scale says with a weight on a boundary of two steps. */
async function wobble(seed: number): Promise<string[]> {
  const workbench = new Workbench('radioshack-5lb', {}, seed);
  workbench.scale.load(OUNCE * 10 + 1_417_476);
  await workbench.clock.advance('1m');
  return workbench.hex;
}

describe('a virtual scale', () => {
  it('swings for half a second around a new weight, then tells it stable, then again each second', async () => {
    const workbench = new Workbench('service-test-scale');
    workbench.scale.load(779_000_000);
    await workbench.clock.advance('3s');
    const moving = ['in-motion', 'in-motion', 'in-motion', 'in-motion'];
    expect(workbench.statuses).toEqual([...moving, 'stable', 'stable', 'stable']);
    expect(workbench.readings.map(({ atMs }) => atMs)).toEqual([0, 125, 250, 375, 500, 1_500, 2_500]);
    expect(workbench.last).toMatchObject({ mass: [779_000_000, null], measurement: { g: 779_000_000_000 } });
    const [under, over] = workbench.readings.map(({ mass }) => mass[0] ?? 0);
    expect(under).toBeLessThan(779_000_000);
    expect(over).toBeGreaterThan(779_000_000 * 1.019);
    expect(over).toBeLessThan(779_000_000 * 1.081);
  });

  it('tells zero once when it is cleared, and is silent then', async () => {
    const workbench = new Workbench('mettler-ps60');
    workbench.scale.load(KG);
    await workbench.clock.advance('1s');
    workbench.scale.load(0);
    await workbench.clock.advance('1s');
    const said = workbench.readings.length;
    expect(workbench.last).toMatchObject({ status: 'stable-at-zero', mass: [0, 22_679_619] });
    await workbench.clock.advance('14d');
    expect(workbench.readings).toHaveLength(said);
  });

  it('tells what lies on it from the beginning, as often as it is told to and until it goes off', async () => {
    const workbench = new Workbench('mettler-ps60', {
      loadMicrograms: KG,
      republishMs: 30_000,
      autoOffMs: 100_000,
    });
    expect(workbench.scale.reading()).toMatchObject({ status: 'stable', measurement: { lb: 2_200_000_000 } });
    await workbench.clock.advance('1h');
    expect(workbench.readings.map(({ atMs }) => atMs)).toEqual([30_000, 60_000, 90_000]);
    expect(workbench.scale.attached).toBe(false);
  });

  it('refuses to begin with a load that is none', () => {
    expect(() => new Workbench('mettler-ps60', { loadMicrograms: -1 })).toThrow('not -1');
  });

  it('says the same to the byte for the same seed, and swings otherwise for another', async () => {
    expect(await wobble(7)).toEqual(await wobble(7));
    expect(await wobble(8)).not.toEqual(await wobble(7));
  });

  it('repeats itself as often as it is told to', async () => {
    const workbench = new Workbench('service-test-scale', { republishMs: 44_900 });
    workbench.scale.load(KG);
    await workbench.clock.advance('91s');
    expect(workbench.readings.slice(4).map(({ atMs }) => atMs)).toEqual([500, 45_400, 90_300]);
  });

  it('flickers between two steps on their boundary, and nowhere else', async () => {
    const workbench = new Workbench('dymo-m25');
    workbench.scale.press('unit');
    workbench.scale.load(102_500_000);
    await workbench.clock.advance('1m');
    const shown = new Set(
      workbench.readings.filter(({ status }) => status === 'stable').map(({ mass }) => mass[0]),
    );
    expect(shown).toEqual(new Set([100_000_000, 105_000_000]));
    workbench.scale.load(105_000_000);
    await workbench.clock.advance('1s');
    const before = workbench.readings.length;
    await workbench.clock.advance('1m');
    const later = new Set(workbench.readings.slice(before).map(({ mass }) => mass[0]));
    expect(later).toEqual(new Set([105_000_000]));
  });

  it('takes the nearer step near a boundary, where it does not flicker', async () => {
    const workbench = new Workbench('mettler-ariva');
    workbench.scale.press('unit');
    workbench.scale.load(52_350_000);
    await workbench.clock.advance('1s');
    expect(workbench.last?.mass).toEqual([50_000_000, 5_000_000]);
  });

  it('says once that it moves, where nothing changes', async () => {
    const workbench = new Workbench('mettler-ariva');
    workbench.scale.load(0);
    await workbench.clock.advance('1s');
    expect(workbench.statuses).toEqual(['in-motion', 'stable-at-zero']);
  });

  it('begins with its first unit whenever it is plugged in', async () => {
    const workbench = new Workbench('mettler-ariva');
    workbench.scale.press('unit');
    workbench.scale.unplug();
    workbench.scale.plug();
    expect(workbench.last?.measurement).toEqual({ lb: 0 });
  });

  it('has no mass below zero, after what it was zeroed with is taken away', async () => {
    const workbench = new Workbench('mettler-ps60');
    workbench.scale.load(KG);
    await workbench.clock.advance('1s');
    workbench.scale.press('zero');
    expect(workbench.last?.mass[0]).toBe(0);
    workbench.scale.load(0);
    await workbench.clock.advance('1s');
    expect(workbench.last).toMatchObject({ status: 'under-zero', mass: [null, 22_679_619], measurement: {} });
  });

  it('weighs nine steps more than its capacity, and no more', async () => {
    const workbench = new Workbench('mettler-ps60');
    workbench.scale.press('unit');
    workbench.scale.load(60_180_000_000);
    await workbench.clock.advance('1s');
    expect(workbench.last).toMatchObject({ status: 'stable', measurement: { kg: 60_180_000_000 } });
    workbench.scale.load(60_180_000_001);
    await workbench.clock.advance('1s');
    expect(workbench.last).toMatchObject({ status: 'over-limit', mass: [null, 20_000_000] });
  });

  it('shows the same load in another unit, half a step off at most', async () => {
    const workbench = new Workbench('dymo-m10');
    workbench.scale.load(500_000_000);
    await workbench.clock.advance('1s');
    expect(workbench.last?.measurement).toEqual({ lb: 1_000_000_000, oz: 1_600_000_000 });
    workbench.scale.press('unit');
    expect(workbench.last).toMatchObject({
      measurement: { g: 500_000_000_000 },
      mass: [500_000_000, 2_000_000],
    });
    workbench.scale.press('unit');
    expect(workbench.last?.measurement).toHaveProperty('lb');
  });

  it('shows ounces, then pounds and ounces, where both are modes of one unit', () => {
    const profile = loadScaleProfile('sanford-10lb');
    const modes = [false, true].flatMap((twoPart) => profile.modes.map((mode) => ({ ...mode, twoPart })));
    const workbench = new Workbench('sanford-10lb', { profile: { ...profile, modes } });
    workbench.scale.load(OUNCE * 20);
    workbench.scale.press('zero');
    workbench.scale.press('unit');
    expect(workbench.last?.measurement).toEqual({ lb: 0, oz: 0 });
    workbench.scale.press('unit');
    expect(workbench.last?.measurement).toEqual({ oz: 0 });
  });

  it('carries 15.96 oz at a step of 0.1 oz to 1 lb 0.0 oz', async () => {
    const workbench = new Workbench('dymo-m10');
    workbench.scale.load(452_458_389);
    await workbench.clock.advance('1s');
    expect(workbench.last).toMatchObject({
      measurement: { lb: 1_000_000_000, oz: 0 },
      mass: [453_592_370, 2_834_952],
    });
  });

  it('is gone when it is unplugged, and back at zero, whatever lies on it, when it is plugged in', async () => {
    const workbench = new Workbench('mettler-ariva');
    workbench.scale.load(KG);
    await workbench.clock.advance('1s');
    workbench.scale.unplug();
    const said = workbench.readings.length;
    workbench.scale.load(2 * KG);
    await workbench.clock.advance('1h');
    expect(workbench.scale.attached).toBe(false);
    expect(workbench.readings).toHaveLength(said);
    workbench.scale.plug();
    expect(workbench.last?.status).toBe('stable-at-zero');
    workbench.scale.load(0);
    await workbench.clock.advance('1s');
    expect(workbench.last?.status).toBe('under-zero');
    expect(workbench.listChanges).toBe(2);
  });

  it('switches itself off three minutes after the last change, and comes back with its power key', async () => {
    const workbench = new Workbench('dymo-m10');
    workbench.scale.load(OUNCE);
    await workbench.clock.advance('179s');
    expect(workbench.scale.attached).toBe(true);
    workbench.scale.press('unit');
    await workbench.clock.advance('179s');
    expect(workbench.scale.attached).toBe(true);
    await workbench.clock.advance('1s');
    expect(workbench.scale.attached).toBe(false);
    workbench.scale.press('unit');
    workbench.scale.press('power');
    expect(workbench.scale.attached).toBe(true);
  });

  it('begins with the last reading of the time before, where it is stale first', async () => {
    const workbench = new Workbench('dymo-s250');
    workbench.scale.load(10 * KG);
    await workbench.clock.advance('1s');
    const before = workbench.last?.mass;
    workbench.scale.unplug();
    workbench.scale.plug();
    expect(workbench.last?.mass).toEqual(before);
    await workbench.clock.advance('1s');
    expect(workbench.last?.status).toBe('stable-at-zero');
  });

  it('stays at zero after its zero key until it is plugged in again, where it gets stuck', async () => {
    const workbench = new Workbench('postal-550');
    workbench.scale.press('zero');
    workbench.scale.load(OUNCE);
    await workbench.clock.advance('1s');
    expect(new Set(workbench.statuses)).toEqual(new Set(['stable-at-zero']));
    workbench.scale.load(0);
    workbench.scale.unplug();
    workbench.scale.plug();
    workbench.scale.load(OUNCE);
    await workbench.clock.advance('1s');
    expect(workbench.last?.measurement).toEqual({ oz: 1_000_000_000 });
  });

  it('does nothing at its zero key, where it has none that works', async () => {
    const workbench = new Workbench('pitney-bowes-397b');
    workbench.scale.load(OUNCE);
    await workbench.clock.advance('1s');
    workbench.scale.press('zero');
    expect(workbench.last?.measurement).toEqual({ oz: 1_000_000_000 });
  });

  it('says stable while it moves and below zero, where only its weight bytes change', async () => {
    const workbench = new Workbench('postal-510');
    workbench.scale.load(OUNCE);
    await workbench.clock.advance('1s');
    workbench.scale.press('zero');
    workbench.scale.load(0);
    await workbench.clock.advance('1s');
    expect(new Set(workbench.statuses)).toEqual(new Set(['stable']));
    expect(new Set(workbench.hex.map((hex) => hex.slice(0, 8)))).toEqual(new Set(['03040bff']));
    expect(workbench.last?.mass[0]).toBe(0);
  });

  it.each(['fault', 'needs-calibration', 'needs-re-zeroing'] as const)(
    'complains of %s until it is mended',
    async (complaint) => {
      const workbench = new Workbench('elane-uparcel');
      workbench.scale.load(OUNCE);
      workbench.scale.complain(complaint);
      await workbench.clock.advance('2s');
      expect(workbench.last).toMatchObject({ status: complaint, mass: [null, 2_834_952] });
      workbench.scale.complain(undefined);
      expect(workbench.last?.measurement).toEqual({ lb: 0, oz: 1_000_000_000 });
    },
  );

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses a load of %s micrograms', (load) => {
    expect(() => new Workbench('dymo-m10').scale.load(load)).toThrow(
      'a load is a whole number of micrograms',
    );
  });

  it.each([0, -1, Number.NaN])('cannot repeat itself every %s ms', (republishMs) => {
    expect(() => new Workbench('dymo-m10', { republishMs })).toThrow('a scale cannot repeat its reading');
  });

  it('is called by vendor and product, or by the name it is given', () => {
    expect(new Workbench('fairbanks-scb-r9000').scale.deviceName).toBe(
      'Fairbanks Scales - Fairbanks Scales SCB-R9000',
    );
    expect(new Workbench('postal-550').scale.deviceName).toBe(
      'Stamps.com Stainless Steel 5 lb Digital Scale',
    );
    expect(new Workbench('dymo-m10', { name: 'Counter' }).scale.deviceName).toBe('Counter');
  });

  it('shows a whole number of its steps, whatever lies on it', () => {
    const cases = fc.record({
      name: fc.constantFrom(...scaleProfileNames()),
      units: fc.nat(2),
      micrograms: fc.nat(200 * KG),
    });
    fc.assert(
      fc.property(cases, ({ name, units, micrograms }) => {
        const workbench = new Workbench(name);
        for (let press = 0; press < units; press++) workbench.scale.press('unit');
        workbench.scale.load(micrograms);
        const { modes } = loadScaleProfile(name);
        const report = decodeWeighingReport(workbench.scale.report);
        if (!report.ok) throw new Error(report.error);
        const mode = modes[units % modes.length];
        const steps = report.value.weight / Number(mode?.division) / 10 ** -report.value.exponent;
        expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
        expect(report.value.unit).toBe(mode?.unit);
      }),
    );
  });
});
