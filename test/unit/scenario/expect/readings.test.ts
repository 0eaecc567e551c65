import { expect, it } from 'vitest';

import { readings } from '../../../../src/scenario/expect/readings.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';

const computer = { name: 'DESK' };
const DATA = { mass: [250, 1], measurement: { g: 250, oz: 9 }, vendor: 'DYMO' };

/** What the service answers about the scale called Bench. */
function setup(value: unknown, status = 200, path = '/computer/4/scale/My%20scale/0'): ToldSetup {
  return {
    cast: {
      scale: (name: string) => (name === 'Bench' ? { scale: { deviceName: 'My scale' }, computer } : undefined),
      computerId: (one: unknown) => (one === computer ? 4 : 0),
    },
    api: { lookFor: async (asked: string) => (asked === path ? { status, value } : { status: 500, value: asked }) },
  };
}

it.each<readonly [string, unknown, ToldSetup, readonly string[]]>([
  ['a reading', {}, setup(DATA), []],
  ['its mass', { mass: [250, 1] }, setup(DATA), []],
  ['another mass', { mass: [251, 1] }, setup(DATA), ['reading of Bench.mass[0] | 251 | 250']],
  ['no mass', { mass: [null, null] }, setup({ ...DATA, mass: [null, null] }), []],
  ['its measurement', { measurement: { oz: 9, g: 250 } }, setup(DATA), []],
  [
    'another measurement',
    { measurement: { g: 251, oz: 9 } },
    setup(DATA),
    ['measurement of Bench | {"g":251,"oz":9} | {"g":250,"oz":9}'],
  ],
  [
    'less of its measurement',
    { measurement: { g: 250 } },
    setup(DATA),
    ['measurement of Bench | {"g":250} | {"g":250,"oz":9}'],
  ],
  [
    'more than its measurement',
    { measurement: { g: 250, oz: 9, lb: 1 } },
    setup(DATA),
    ['measurement of Bench | {"g":250,"oz":9,"lb":1} | {"g":250,"oz":9}'],
  ],
  ['a measurement of no object', { measurement: { g: 250 } }, setup('text'), ['reading of Bench | {} | "text"']],
  ['a measurement of nothing', { measurement: { g: 250 } }, setup(null), ['reading of Bench | {} | null']],
  [
    'a measurement of a reading without one',
    { measurement: { g: 250 } },
    setup({ mass: [1, 1] }),
    ['measurement of Bench | {"g":250} | nothing'],
  ],
  ['another field', { has: { vendor: 'DYMO' } }, setup(DATA), []],
  ['another field that differs', { has: { vendor: 'X' } }, setup(DATA), ['reading of Bench.vendor | "X" | "DYMO"']],
  ['its number', { deviceNum: 2 }, setup(DATA, 200, '/computer/4/scale/My%20scale/2'), []],
  ['one where there is none', {}, setup({ code: 'x' }, 404), ['reading of Bench | a reading | 404 {"code":"x"}']],
  ['none', 'none', setup({}, 404), []],
  [
    'none where there is one',
    'none',
    setup(DATA),
    ['reading of Bench | none | {"mass":[250,1],"measurement":{"g":250,"oz":9},"vendor":"DYMO"}'],
  ],
])('expects of a scale %s', async (_, wanted, told, expected) => {
  expect(await linesOf(readings, { Bench: wanted }, told)).toEqual(expected);
});

it('is about no job', async () => {
  expect(await breaksOf(readings, { Bench: 'none' }, setup(DATA))).toMatchObject([{ jobs: [] }]);
  expect(await breaksOf(readings, { Bench: { mass: [1, 1] } }, setup(DATA))).toMatchObject([{ jobs: [] }]);
});

it.each(['some', { mass: [1] }, { mass: [1.5, 1] }, { deviceNum: -1 }, { other: 1 }])('refuses %j', (given) => {
  expect(readings.safeParse({ Bench: given }).success).toBe(false);
});
