import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createRandom, type Random } from '../../../src/common/random.ts';

it('gives the same values for the same seed, numbers and text alike', () => {
  expect(sample(createRandom(42))).toEqual(sample(createRandom('42')));
  expect(sample(createRandom(42))).not.toEqual(sample(createRandom(43)));
});

it('gives the same stream for the same name, from its beginning', () => {
  const random = createRandom('seed');
  expect(sample(random.stream('arrivals'))).toEqual(sample(random.stream('arrivals')));
});

it('keeps streams apart: what one consumes changes nothing in another', () => {
  const undisturbed = sample(createRandom('seed').stream('faults'));
  const random = createRandom('seed');
  sample(random);
  sample(random.stream('arrivals'));
  expect(sample(random.stream('faults'))).toEqual(undisturbed);
});

it('gives other values for another name or another level', () => {
  const random = createRandom('seed');
  const all = [random, random.stream('a'), random.stream('b'), random.stream('a').stream('b')].map(sample);
  expect(new Set(all.map(String)).size).toBe(all.length);
});

it('keeps integers within both ends, both reachable', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -1_000, max: 1_000 }), fc.nat(1_000), (seed, min, span) => {
      const value = createRandom(seed).integer(min, min + span);
      expect(Number.isInteger(value) && value >= min && value <= min + span).toBe(true);
    }),
  );
  const random = createRandom('dice');
  const thrown = new Set(Array.from({ length: 200 }, () => random.integer(1, 6)));
  expect(thrown).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});

it('spreads fractions evenly from 0 up to, but not, 1', () => {
  const random = createRandom('fractions');
  const values = Array.from({ length: 20_000 }, () => random.fraction());
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  const tenths = Array.from({ length: 10 }, (_, tenth) => values.filter((v) => Math.floor(v * 10) === tenth));
  for (const tenth of tenths) expect(Math.abs(tenth.length - 2_000)).toBeLessThan(200);
});

it('takes chances as often as their probability says', () => {
  const random = createRandom('chances');
  const hits = Array.from({ length: 10_000 }, () => random.chance(0.25)).filter(Boolean).length;
  expect(Math.abs(hits - 2_500)).toBeLessThan(150);
  expect(random.chance(0)).toBe(false);
  expect(random.chance(1)).toBe(true);
});

it('picks any of the items and refuses to pick from none', () => {
  const random = createRandom('picks');
  const picked = new Set(Array.from({ length: 100 }, () => random.pick(['tray', 'toner', 'jam'])));
  expect(picked).toEqual(new Set(['tray', 'toner', 'jam']));
  expect(() => random.pick([])).toThrow(new RangeError('there is nothing to pick from'));
});

it('writes hexadecimal digits and version 4 UUIDs', () => {
  const random = createRandom('names');
  expect(random.hex(40)).toMatch(/^[0-9a-f]{40}$/);
  expect(random.hex(0)).toBe('');
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

function sample(random: Random): number[] {
  return Array.from({ length: 20 }, () => random.integer(0, 1_000_000));
}

it('gives neighbours, whose names differ in a digit, first values that have nothing to do with each other', () => {
  const random = createRandom(1);
  const firsts = Array.from({ length: 5_000 }, (_, index) => random.stream(`computer/${index}`).fraction());
  expect(Math.abs(serialCorrelation(firsts))).toBeLessThan(0.05);
});

/** How much each value says of the next: 0 nothing, 1 everything. */
function serialCorrelation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const off = values.map((value) => value - mean);
  const product = (step: number): number =>
    off.reduce((sum, value, index) => sum + value * (off[index + step] ?? 0), 0);
  return product(1) / product(0);
}
