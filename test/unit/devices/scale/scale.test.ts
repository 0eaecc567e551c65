import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRandom, type Random } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { AutoOff } from '../../../../src/devices/scale/auto-off.ts';
import { decodeWeighingReport } from '../../../../src/devices/scale/hid-report.ts';
import { SCALE_PROFILES } from '../../../../src/devices/scale/scale-profile.ts';
import { VirtualScale, type ScaleDescription, type ScaleHost } from '../../../../src/devices/scale/scale.ts';
import type { WeighingReading } from '../../../../src/devices/scale/weighing-reading.ts';

const KG = 1_000_000_000;
const OUNCE = 28_349_523;

/** A rig with one scale, which records all that the scale says. */
class ScaleRig implements ScaleHost {
  readonly clock = new VirtualClock();
  readonly readings: (WeighingReading & { atMs: number })[] = [];
  readonly hex: string[] = [];
  listChanges = 0;
  readonly scale: VirtualScale;
  readonly random: Random;
  readonly #startMs = this.clock.now();

  constructor(profile: string, more: Partial<ScaleDescription> = {}, seed = 1) {
    const description = { profile: SCALE_PROFILES.load(profile), ...more };
    this.random = createRandom(seed);
    const options = { clock: this.clock, autoOff: new AutoOff(this.clock) };
    this.scale = new VirtualScale(1, description, options, this);
  }

  scalesChanged(): void {
    this.listChanges++;
  }

  scaleReported(scale: VirtualScale, report: Uint8Array): void {
    const reading = scale.reading(report);
    if (!reading) throw new Error('the scale sent bytes that are not a report');
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
  const rig = new ScaleRig('radioshack-5lb', {}, seed);
  rig.scale.load(OUNCE * 10 + 1_417_476);
  await rig.clock.advance('1m');
  return rig.hex;
}

describe('a virtual scale', () => {
  it('is heard by another listener beside its computer, until that one stops', async () => {
    const rig = new ScaleRig('dymo-m10');
    const heard: string[] = [];
    const stop = rig.scale.listen({
      scalesChanged: () => heard.push(rig.scale.attached ? 'plugged' : 'unplugged'),
      scaleReported: (_, report) => heard.push(Buffer.from(report).toString('hex')),
    });
    rig.scale.load(KG);
    await rig.clock.advance('1s');
    expect(heard).toEqual(rig.hex);
    rig.scale.unplug();
    expect(heard.at(-1)).toBe('unplugged');
    stop();
    rig.scale.plug();
    expect(heard.at(-1)).toBe('unplugged');
  });

  it('swings for half a second around a new weight, then reports it stable, then again each second', async () => {
    const rig = new ScaleRig('service-test-scale');
    rig.scale.load(779_000_000);
    await rig.clock.advance('3s');
    const moving = ['in-motion', 'in-motion', 'in-motion', 'in-motion'];
    expect(rig.statuses).toEqual([...moving, 'stable', 'stable', 'stable']);
    expect(rig.readings.map(({ atMs }) => atMs)).toEqual([0, 125, 250, 375, 500, 1_500, 2_500]);
    expect(rig.last).toMatchObject({ mass: [779_000_000, null], measurement: { g: 779_000_000_000 } });
    const [under, over] = rig.readings.map(({ mass }) => mass[0] ?? 0);
    expect(under).toBeLessThan(779_000_000);
    expect(over).toBeGreaterThan(779_000_000 * 1.019);
    expect(over).toBeLessThan(779_000_000 * 1.081);
  });

  it('reports zero once when it is cleared, and then is silent', async () => {
    const rig = new ScaleRig('mettler-ps60');
    rig.scale.load(KG);
    await rig.clock.advance('1s');
    rig.scale.load(0);
    await rig.clock.advance('1s');
    const said = rig.readings.length;
    expect(rig.last).toMatchObject({ status: 'stable-at-zero', mass: [0, 22_679_619] });
    await rig.clock.advance('14d');
    expect(rig.readings).toHaveLength(said);
  });

  it('reports what lies on it from the beginning, as often as described, until it goes off', async () => {
    const rig = new ScaleRig('mettler-ps60', {
      loadMicrograms: KG,
      republishMs: 30_000,
      autoOffMs: 100_000,
    });
    expect(rig.scale.reading()).toMatchObject({ status: 'stable', measurement: { lb: 2_200_000_000 } });
    await rig.clock.advance('1h');
    expect(rig.readings.map(({ atMs }) => atMs)).toEqual([30_000, 60_000, 90_000]);
    expect(rig.scale.attached).toBe(false);
  });

  it('refuses to begin with an invalid load', () => {
    expect(() => new ScaleRig('mettler-ps60', { loadMicrograms: -1 })).toThrow('not -1');
  });

  it('sends the same bytes for the same seed, and swings differently for another', async () => {
    expect(await wobble(7)).toEqual(await wobble(7));
    expect(await wobble(8)).not.toEqual(await wobble(7));
  });

  it('repeats itself as often as described', async () => {
    const rig = new ScaleRig('service-test-scale', { republishMs: 44_900 });
    rig.scale.load(KG);
    await rig.clock.advance('91s');
    expect(rig.readings.slice(4).map(({ atMs }) => atMs)).toEqual([500, 45_400, 90_300]);
  });

  it('flickers between two steps on their boundary, and nowhere else', async () => {
    const rig = new ScaleRig('dymo-m25');
    rig.scale.press('unit');
    rig.scale.load(102_500_000);
    await rig.clock.advance('1m');
    const shown = new Set(rig.readings.filter(({ status }) => status === 'stable').map(({ mass }) => mass[0]));
    expect(shown).toEqual(new Set([100_000_000, 105_000_000]));
    rig.scale.load(105_000_000);
    await rig.clock.advance('1s');
    const before = rig.readings.length;
    await rig.clock.advance('1m');
    const later = new Set(rig.readings.slice(before).map(({ mass }) => mass[0]));
    expect(later).toEqual(new Set([105_000_000]));
  });

  it('takes the nearer step near a boundary, where it does not flicker', async () => {
    const rig = new ScaleRig('mettler-ariva');
    rig.scale.press('unit');
    rig.scale.load(52_350_000);
    await rig.clock.advance('1s');
    expect(rig.last?.mass).toEqual([50_000_000, 5_000_000]);
  });

  it('says once that it moves, where nothing changes', async () => {
    const rig = new ScaleRig('mettler-ariva');
    rig.scale.load(0);
    await rig.clock.advance('1s');
    expect(rig.statuses).toEqual(['in-motion', 'stable-at-zero']);
  });

  it('begins with its first unit whenever it is plugged in', async () => {
    const rig = new ScaleRig('mettler-ariva');
    rig.scale.press('unit');
    rig.scale.unplug();
    rig.scale.plug();
    expect(rig.last?.measurement).toEqual({ lb: 0 });
  });

  it('has no mass below zero, after what it was zeroed with is taken away', async () => {
    const rig = new ScaleRig('mettler-ps60');
    rig.scale.load(KG);
    await rig.clock.advance('1s');
    rig.scale.press('zero');
    expect(rig.last?.mass[0]).toBe(0);
    rig.scale.load(0);
    await rig.clock.advance('1s');
    expect(rig.last).toMatchObject({ status: 'under-zero', mass: [null, 22_679_619], measurement: {} });
  });

  it('weighs nine steps more than its capacity, and no more', async () => {
    const rig = new ScaleRig('mettler-ps60');
    rig.scale.press('unit');
    rig.scale.load(60_180_000_000);
    await rig.clock.advance('1s');
    expect(rig.last).toMatchObject({ status: 'stable', measurement: { kg: 60_180_000_000 } });
    rig.scale.load(60_180_000_001);
    await rig.clock.advance('1s');
    expect(rig.last).toMatchObject({ status: 'over-limit', mass: [null, 20_000_000] });
  });

  it('shows the same load in another unit, half a step off at most', async () => {
    const rig = new ScaleRig('dymo-m10');
    rig.scale.load(500_000_000);
    await rig.clock.advance('1s');
    expect(rig.last?.measurement).toEqual({ lb: 1_000_000_000, oz: 1_600_000_000 });
    rig.scale.press('unit');
    expect(rig.last).toMatchObject({
      measurement: { g: 500_000_000_000 },
      mass: [500_000_000, 2_000_000],
    });
    rig.scale.press('unit');
    expect(rig.last?.measurement).toHaveProperty('lb');
  });

  it('shows ounces, then pounds and ounces, where both are modes of one unit', () => {
    const profile = SCALE_PROFILES.load('sanford-10lb');
    const modes = [false, true].flatMap((twoPart) => profile.modes.map((mode) => ({ ...mode, twoPart })));
    const rig = new ScaleRig('sanford-10lb', { profile: { ...profile, modes } });
    rig.scale.load(OUNCE * 20);
    rig.scale.press('zero');
    rig.scale.press('unit');
    expect(rig.last?.measurement).toEqual({ lb: 0, oz: 0 });
    rig.scale.press('unit');
    expect(rig.last?.measurement).toEqual({ oz: 0 });
  });

  it('carries 15.96 oz at a step of 0.1 oz to 1 lb 0.0 oz', async () => {
    const rig = new ScaleRig('dymo-m10');
    rig.scale.load(452_458_389);
    await rig.clock.advance('1s');
    expect(rig.last).toMatchObject({
      measurement: { lb: 1_000_000_000, oz: 0 },
      mass: [453_592_370, 2_834_952],
    });
  });

  it('is gone when it is unplugged, and back at zero, whatever lies on it, when it is plugged in', async () => {
    const rig = new ScaleRig('mettler-ariva');
    rig.scale.load(KG);
    await rig.clock.advance('1s');
    rig.scale.unplug();
    const said = rig.readings.length;
    rig.scale.load(2 * KG);
    await rig.clock.advance('1h');
    expect(rig.scale.attached).toBe(false);
    expect(rig.readings).toHaveLength(said);
    rig.scale.plug();
    expect(rig.last?.status).toBe('stable-at-zero');
    rig.scale.load(0);
    await rig.clock.advance('1s');
    expect(rig.last?.status).toBe('under-zero');
    expect(rig.listChanges).toBe(2);
  });

  it('switches itself off three minutes after the last change, and comes back with its power key', async () => {
    const rig = new ScaleRig('dymo-m10');
    rig.scale.load(OUNCE);
    await rig.clock.advance('179s');
    expect(rig.scale.attached).toBe(true);
    rig.scale.press('unit');
    await rig.clock.advance('179s');
    expect(rig.scale.attached).toBe(true);
    await rig.clock.advance('1s');
    expect(rig.scale.attached).toBe(false);
    rig.scale.press('unit');
    rig.scale.press('power');
    expect(rig.scale.attached).toBe(true);
  });

  it('begins with the last reading of the time before, where it is stale first', async () => {
    const rig = new ScaleRig('dymo-s250');
    rig.scale.load(10 * KG);
    await rig.clock.advance('1s');
    const before = rig.last?.mass;
    rig.scale.unplug();
    rig.scale.plug();
    expect(rig.last?.mass).toEqual(before);
    await rig.clock.advance('1s');
    expect(rig.last?.status).toBe('stable-at-zero');
  });

  it('stays at zero after its zero key until it is plugged in again, where it gets stuck', async () => {
    const rig = new ScaleRig('postal-550');
    rig.scale.press('zero');
    rig.scale.load(OUNCE);
    await rig.clock.advance('1s');
    expect(new Set(rig.statuses)).toEqual(new Set(['stable-at-zero']));
    rig.scale.load(0);
    rig.scale.unplug();
    rig.scale.plug();
    rig.scale.load(OUNCE);
    await rig.clock.advance('1s');
    expect(rig.last?.measurement).toEqual({ oz: 1_000_000_000 });
  });

  it('does nothing at its zero key, where it has none that works', async () => {
    const rig = new ScaleRig('pitney-bowes-397b');
    rig.scale.load(OUNCE);
    await rig.clock.advance('1s');
    rig.scale.press('zero');
    expect(rig.last?.measurement).toEqual({ oz: 1_000_000_000 });
  });

  it('says stable while it moves and below zero, where only its weight bytes change', async () => {
    const rig = new ScaleRig('postal-510');
    rig.scale.load(OUNCE);
    await rig.clock.advance('1s');
    rig.scale.press('zero');
    rig.scale.load(0);
    await rig.clock.advance('1s');
    expect(new Set(rig.statuses)).toEqual(new Set(['stable']));
    expect(new Set(rig.hex.map((hex) => hex.slice(0, 8)))).toEqual(new Set(['03040bff']));
    expect(rig.last?.mass[0]).toBe(0);
  });

  it.each(['fault', 'needs-calibration', 'needs-re-zeroing'] as const)(
    'complains of %s until it is repaired',
    async (complaint) => {
      const rig = new ScaleRig('elane-uparcel');
      rig.scale.load(OUNCE);
      rig.scale.complain(complaint);
      await rig.clock.advance('2s');
      expect(rig.last).toMatchObject({ status: complaint, mass: [null, 2_834_952] });
      rig.scale.complain(undefined);
      expect(rig.last?.measurement).toEqual({ lb: 0, oz: 1_000_000_000 });
    },
  );

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses a load of %s micrograms', (load) => {
    expect(() => new ScaleRig('dymo-m10').scale.load(load)).toThrow('a load is an integer of micrograms');
  });

  it.each([0, -1, Number.NaN])('cannot repeat itself every %s ms', (republishMs) => {
    expect(() => new ScaleRig('dymo-m10', { republishMs })).toThrow('a scale cannot repeat its reading');
  });

  it('is called by vendor and product, or by the name it is given', () => {
    expect(new ScaleRig('fairbanks-scb-r9000').scale.deviceName).toBe('Fairbanks Scales - Fairbanks Scales SCB-R9000');
    expect(new ScaleRig('postal-550').scale.deviceName).toBe('Stamps.com Stainless Steel 5 lb Digital Scale');
    expect(new ScaleRig('dymo-m10', { name: 'Counter' }).scale.deviceName).toBe('Counter');
  });

  it('shows a multiple of its division, whatever lies on it', () => {
    const cases = fc.record({
      name: fc.constantFrom(...SCALE_PROFILES.names()),
      units: fc.nat(2),
      micrograms: fc.nat(200 * KG),
    });
    fc.assert(
      fc.property(cases, ({ name, units, micrograms }) => {
        const rig = new ScaleRig(name);
        for (let press = 0; press < units; press++) rig.scale.press('unit');
        rig.scale.load(micrograms);
        const { modes } = SCALE_PROFILES.load(name);
        const report = decodeWeighingReport(rig.scale.report);
        if (!report.ok) throw new Error(report.error);
        const mode = modes[units % modes.length];
        const steps = report.value.weight / Number(mode?.division) / 10 ** -report.value.exponent;
        expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
        expect(report.value.unit).toBe(mode?.unit);
      }),
    );
  });
});
