import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeWeighingReport } from '../../../../src/devices/scale/hid-report.ts';
import { readingOf, type ScaleDisplay, type WeighingReading } from '../../../../src/devices/scale/weighing-reading.ts';
import type { WeighingUnit } from '../../../../src/devices/scale/weighing-units.ts';
import { weighingReports } from '../../../support/weighing-reports.ts';

const PLAIN: ScaleDisplay = { division: null, twoPart: false };
const TWO_PART: ScaleDisplay = { division: null, twoPart: true };

function read(hex: string, display = PLAIN): WeighingReading {
  const report = decodeWeighingReport(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  if (!report.ok) throw new Error(report.error);
  return readingOf(report.value, display);
}

describe('a reading', () => {
  it.each([
    ['an empty platform', '03 02 0b ff 00 00', { oz: 0 }, 0],
    ['20 g', '03 04 02 00 14 00', { g: 20_000_000_000 }, 20_000_000],
    ['125 g', '03 04 02 00 7d 00', { g: 125_000_000_000 }, 125_000_000],
    ['645.2 oz', '03 04 0b ff 34 19', { oz: 645_200_000_000 }, 18_291_112_320],
    ['28.3 oz', '03 04 0b ff 1b 01', { oz: 28_300_000_000 }, 802_291_504],
    ['55.9 oz', '03 04 0b ff 2f 02', { oz: 55_900_000_000 }, 1_584_738_343],
    ['0.8 oz, a tie', '03 04 0b ff 08 00', { oz: 800_000_000 }, 22_679_619],
    ['2.05 lb, a tie that floats miss', '03 04 0c fe cd 00', { lb: 2_050_000_000 }, 929_864_359],
    ['150.0 lb', '03 04 0c ff dc 05', { lb: 150_000_000_000 }, 68_038_855_500],
    ['1.200 kg', '03 04 03 fd b0 04', { kg: 1_200_000_000 }, 1_200_000_000],
    ['60.00 kg', '03 04 03 fe 70 17', { kg: 60_000_000_000 }, 60_000_000_000],
    ['16.0 oz under report id 4', '04 04 0b ff a0 00', { oz: 16_000_000_000 }, 453_592_370],
    ['15.9 oz', '03 04 0b ff 9f 00', { oz: 15_900_000_000 }, 450_757_418],
    ['6553.5 oz, the most there is', '03 04 0b ff ff ff', { oz: 6_553_500_000_000 }, 185_788_599_800],
    ['131 g in motion', '03 03 02 00 83 00', { g: 131_000_000_000 }, 131_000_000],
    ['-50 g', '03 05 02 00 32 00', {}, null],
    ['over the limit', '03 06 0c fe 00 00', {}, null],
    ['a fault', '03 01 0b ff 08 00', {}, null],
    ['a wish for calibration', '03 07 0b ff 08 00', {}, null],
    ['a wish for re-zeroing', '03 08 0b ff 08 00', {}, null],
    ['5000 mg, a unit the service has no name for', '03 04 01 00 88 13', {}, 5_000_000],
    ['3 tael, which weigh differently everywhere', '03 04 05 00 03 00', {}, null],
    ['20 t in grams, more than JSON carries in billionths', '03 04 02 04 d0 07', {}, 20_000_000_000_000],
    ['more than JSON carries at all', '03 04 0c 7f ff ff', {}, null],
  ])('reads %s', (_, hex, measurement, micrograms) => {
    expect(read(hex)).toMatchObject({ measurement, mass: [micrograms, null] });
    expect(Object.keys(read(hex).measurement)).toEqual(Object.keys(measurement));
  });

  it.each([
    ['40 lb 5.2 oz', '03 04 0b ff 34 19', { lb: 40_000_000_000, oz: 5_200_000_000 }],
    ['0 lb 15.9 oz', '03 04 0b ff 9f 00', { lb: 0, oz: 15_900_000_000 }],
    ['1 lb 0.0 oz, not 0 lb 16.0 oz', '04 04 0b ff a0 00', { lb: 1_000_000_000, oz: 0 }],
    ['2 lb 0.8 oz out of 2.05 lb', '03 04 0c fe cd 00', { lb: 2_000_000_000, oz: 800_000_000 }],
    ['grams in one part', '03 04 02 00 14 00', { g: 20_000_000_000 }],
  ])('reads %s on a display of two parts', (_, hex, measurement) => {
    expect(read(hex, TWO_PART).measurement).toEqual(measurement);
  });

  it.each([
    ['5 g', '03 04 02 00 7d 00', '5', 5_000_000],
    ['0.1 oz', '03 04 0b ff 1b 01', '0.1', 2_834_952],
    ['0.2 oz', '03 06 0b ff 1b 01', '0.2', 5_669_905],
    ['0.05 lb, a tie', '03 04 0c fe cd 00', '0.05', 22_679_619],
  ])('has the resolution of %s in micrograms', (_, hex, division, micrograms) => {
    expect(read(hex, { division, twoPart: false }).mass[1]).toBe(micrograms);
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const report = decodeWeighingReport(bytes);
        const mass = report.ok ? readingOf(report.value, TWO_PART).mass : [null, null];
        expect(mass).toHaveLength(2);
      }),
    );
  });
});

describe('the laws of readings', () => {
  const sane = weighingReports.map((report) => ({ ...report, exponent: (report.exponent % 5) - 4 }));

  it('measurement and mass give the same weight to half a microgram', () => {
    fc.assert(
      fc.property(sane, fc.boolean(), (report, twoPart) => {
        const { mass, measurement } = readingOf(report, { division: null, twoPart });
        fc.pre(mass[0] !== null && Object.keys(measurement).length > 0);
        expect(distanceInHalfMicrograms(BigInt(mass[0] ?? 0), measurement) <= 1n).toBe(true);
      }),
    );
  });

  it('two parts are whole pounds and less than 16 ounces', () => {
    fc.assert(
      fc.property(sane, (report) => {
        const { lb, oz } = readingOf(report, TWO_PART).measurement;
        if (lb === undefined || oz === undefined) return;
        expect(lb % 1e9).toBe(0);
        expect(oz).toBeGreaterThanOrEqual(0);
        expect(oz).toBeLessThan(16e9);
      }),
    );
  });

  it('there is a mass exactly where the status is stable, stable at zero or in motion', () => {
    fc.assert(
      fc.property(sane, (report) => {
        fc.pre(!['tael', 'metric-ton', 'avoirdupois-ton'].includes(report.unit));
        const weighed = ['stable', 'stable-at-zero', 'in-motion'].includes(report.status);
        expect(readingOf(report, PLAIN).mass[0] !== null).toBe(weighed);
      }),
    );
  });
});

/** Ratios in whole numbers: 16 units of `measurement` in halves of a microgram, rounded up. */
function distanceInHalfMicrograms(micrograms: bigint, measurement: Record<string, number>): bigint {
  const per16: Record<string, bigint> = {
    g: 16_000_000n,
    kg: 16_000_000_000n,
    lb: 7_257_477_920n,
    oz: 453_592_370n,
  };
  const told = Object.entries(measurement).map(([key, value]) => BigInt(value) * (per16[key] ?? 0n));
  const distance = told.reduce((sum, part) => sum + part, 0n) - micrograms * 16_000_000_000n;
  const half = 8_000_000_000n;
  return ((distance < 0n ? -distance : distance) + half - 1n) / half;
}

describe('all 65,536 weights', () => {
  /** 800 units in micrograms: whole numbers for all of them. */
  const units: readonly (readonly [WeighingUnit, string | undefined, bigint])[] = [
    ['gram', 'g', 800_000_000n],
    ['kilogram', 'kg', 800_000_000_000n],
    ['ounce', 'oz', 22_679_618_500n],
    ['pound', 'lb', 362_873_896_000n],
    ['milligram', undefined, 800_000n],
    ['carat', undefined, 160_000_000n],
    ['grain', undefined, 51_839_128n],
    ['pennyweight', undefined, 1_244_139_072n],
    ['troy-ounce', undefined, 24_882_781_440n],
  ];
  const allExponents = Array.from({ length: 12 }, (_, index) => index - 9);

  // Units that the service has no name for have a mass only: three exponents of theirs will do.
  it.each(units)('in %s agree with counting up, at exponents from -9 to 2', (unit, key, of800) => {
    const exponents = key === undefined ? [-3, 0, 2] : allExponents;
    const wrong: string[] = [];
    for (const exponent of exponents) wrong.push(...disagreements(unit, key, of800, exponent));
    expect(wrong).toEqual([]);
  });
});

/** Adds one step a weight, instead of multiplying, and compares remainders, instead of dividing. */
function disagreements(
  unit: WeighingUnit,
  key: string | undefined,
  microgramsOf800: bigint,
  exponent: number,
): string[] {
  const one = 800_000_000_000;
  const step = microgramsOf800 * 10n ** BigInt(exponent + 9);
  const [wholeStep, partStep] = [Number(step / BigInt(one)), Number(step % BigInt(one))];
  const billionthsStep = 10 ** (exponent + 9);
  const wrong: string[] = [];
  let [whole, part] = [0, 0];
  for (let weight = 0; weight <= 0xffff; weight++) {
    const { mass, measurement } = readingOf({ reportId: 3, status: 'stable', unit, exponent, weight }, PLAIN);
    const expected = whole + (2 * part >= one ? 1 : 0);
    const isToldRight = key === undefined || measurement[key] === weight * billionthsStep;
    if (mass[0] !== expected || !isToldRight) wrong.push(`${weight}e${exponent} ${unit}`);
    part += partStep;
    whole += wholeStep + (part >= one ? 1 : 0);
    part %= one;
  }
  return wrong.slice(0, 5);
}
