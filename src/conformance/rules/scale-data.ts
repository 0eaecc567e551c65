/** Checks of the scale data object: its fields, its weights, and the numbers that distinguish scales. */

import * as fc from 'fast-check';

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { TimeInterval } from '../../common/timekeeper.ts';
import { datetimeMs, inAnotherZone } from '../../common/timestamp.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { MEASUREMENT_UNITS, SCALE_FIELDS } from '../../specification/fields.ts';
import type { Rules } from '../check.ts';
import { refuseProgram } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import {
  connectScales,
  massOf,
  namedScalesPath,
  plainScale,
  PLAIN_MICROGRAMS,
  readingsAt,
  scalePath,
  scalesPath,
  simulate,
  SIMULATED,
  type ScaleComputer,
} from '../context/scales.ts';
import { expectField } from '../../oracle/record-fields.ts';
import { expectEqual, expectThat, firstOf } from '../expect/that.ts';
import { TOLERANCES } from '../expect/tolerances.ts';
import { expectFound, expectStatus } from '../expect/answer.ts';

const NAME = 'Check Scale';
/** How late the clock of a computer is that was never set. */
const SLOW_CLOCK_MS = 5_000;
const MOST_MICROGRAMS = 100_000_000_000;
/** Micrograms in a billionth of each unit. */
const MICROGRAMS: Readonly<Record<string, number>> = {
  g: 1e-3,
  kg: 1,
  lb: 0.453_592_37,
  oz: 0.028_349_523_125,
};

/** As descriptors have them, with the blanks that fill them up. */
const VENDOR = ' Wägewerk 秤 \u{1F5A8} ';
/** The least and the greatest ids that there are. */
const USB_EDGES = [
  plainScale('c', { deviceName: 'Least', vendor: VENDOR, vendorId: 0, productId: 0xff_ff }),
  plainScale('d', { deviceName: 'Greatest', vendorId: 0xff_ff, productId: 0 }),
];

/** -5 g */
const NEGATIVE = -5_000_000_000;
/** 16 oz, and 5 lb. */
const ALONE = { oz: 16_000_000_000, lb: 5_000_000_000 };

/** The only scale of a computer as it is shown after a reading. */
async function weighed(
  context: CheckContext,
  withScales: ScaleComputer,
  more: Parameters<ScaleComputer['weigh']>[1],
): Promise<JsonObject> {
  await withScales.weigh('a', more);
  const answer = await context.api.get(scalePath(withScales.computer.computerId, withScales.nameOf('a'), 0));
  context.require(expectFound(answer, 'scale data', isObject));
  return isObject(answer.value) ? answer.value : {};
}

type Mass = readonly [number | null, number | null];

function expectMass(reading: JsonObject, mass: Mass): Mismatch | undefined {
  const actual = reading['mass'];
  const same = JSON.stringify(actual) === JSON.stringify(mass);
  return expectThat(same, 'mass of scale data', JSON.stringify(mass), actual);
}

function expectMeasurement(reading: JsonObject, wanted: Readonly<Record<string, number>>): Mismatch | undefined {
  const actual = reading['measurement'];
  const given = isObject(actual) ? actual : {};
  const same =
    Object.keys(given).length === Object.keys(wanted).length &&
    Object.entries(wanted).every(([unit, value]) => given[unit] === value);
  return expectThat(same, 'measurement of scale data', JSON.stringify(wanted), actual);
}

/** What the scale could not make a mass of may be left out of what it shows; it is no other reading. */
function expectNegative({ measurement }: JsonObject): Mismatch | undefined {
  const shown = isObject(measurement) ? (measurement['g'] ?? null) : null;
  return expectThat(shown === null || shown === NEGATIVE, 'measurement.g of scale data', String(NEGATIVE), shown);
}

/** The number that each scale has, by what lies on it; of one name, where a scale had another one before. */
async function numbersOf(
  context: CheckContext,
  { computer, weigh }: ScaleComputer,
  keys: readonly string[],
  name?: string,
): Promise<JsonObject> {
  for (const key of keys) await weigh(key, { mass: [weightOf(key), null], measurement: { g: weightOf(key) * 1_000 } });
  const { computerId } = computer;
  const path = name === undefined ? scalesPath(computerId) : namedScalesPath(computerId, name);
  const readings = await readingsAt(context, path);
  return Object.fromEntries(
    keys.map((key) => [key, readings.findLast((reading) => massOf(reading) === weightOf(key))?.['deviceNum']]),
  );
}

const NAMESAKES = Array.from({ length: 12 }, (_, index) => `namesake ${index}`);
const KEYS = ['first', 'second', 'third', 'fourth', 'fifth', 'other', ...NAMESAKES];

/** On each scale another weight: 100 g, 101 g … */
function weightOf(key: string): number {
  return (100 + KEYS.indexOf(key)) * 1_000_000;
}

const twin = (key: string): ReturnType<typeof plainScale> => plainScale(key, { port: `port of ${key}` });

function expectNumbers(numbers: JsonObject, wanted: JsonObject): Mismatch | undefined {
  const same = Object.entries(wanted).every(([key, number]) => numbers[key] === number);
  return expectThat(same, 'deviceNum of scales of one name', JSON.stringify(wanted), numbers);
}

/** Which of several new ones takes which of the free numbers is not printed. */
function expectUsed(numbers: readonly unknown[], wanted: readonly number[]): Mismatch | undefined {
  const used = numbers.map(Number).toSorted((left, right) => left - right);
  return expectEqual('deviceNum of the new scales', used, wanted);
}

export const SCALE_DATA_RULES: Rules = {
  'scale-data/object': {
    title: 'Scale data has its thirteen fields, each of the right type and as the computer reported it',
    needs: ['scale'],
    async run(context) {
      const { judge, judgeIfSeen } = context;
      const port = String.raw`\\?\hid#vid_0922&pid_8003#6&1{4d1e55b2}`;
      const withScales = await connectScales(context, [
        plainScale('a', { port }),
        plainScale('b', { deviceName: 'Bare', vendor: null, product: null, port: null }),
        ...(context.target.link?.program ? [] : USB_EDGES),
      ]);
      const vendors: unknown[] = [];
      for (const { key, deviceName, vendorId, productId } of USB_EDGES) {
        if (context.target.link?.program) break;
        await withScales.weigh(key);
        const { value } = await context.api.get(scalePath(withScales.computer.computerId, deviceName, 0));
        const edge = isObject(value) ? value : {};
        judge('scales/field-vendor-id', expectEqual('vendorId of scale data', edge['vendorId'], vendorId));
        judge('scales/field-product-id', expectEqual('productId of scale data', edge['productId'], productId));
        vendors.push(edge['vendor']);
      }
      await judgeIfSeen('service/text-unharmed', () => {
        refuseProgram(context, 'takes a scale with a made-up vendor; a client program has words of its own for it');
        return Promise.resolve(expectEqual('vendor of scale data', vendors[0], VENDOR));
      });
      await withScales.weigh('b', { mass: [null, null], measurement: {} });
      const bare = await context.api.get(scalePath(withScales.computer.computerId, withScales.nameOf('b'), 0));
      const { timekeeper, link } = context.target;
      const fromMs = timekeeper.now();
      const clientReportedCreateTimestamp = inAnotherZone(fromMs);
      const reading = await weighed(context, withScales, link?.program ? {} : { clientReportedCreateTimestamp });
      const weighedMs = { fromMs, toMs: link?.program ? timekeeper.now() : fromMs };
      // A client program finds its own words for what it reads.
      const inWords = link?.program ? {} : { vendor: 'A vendor', port, deviceName: NAME };
      const reported: JsonObject = {
        computerId: withScales.computer.computerId,
        vendorId: 2_338,
        productId: 32_771,
        ...inWords,
      };
      for (const [name, field] of Object.entries(SCALE_FIELDS)) {
        const wanted = reported[name];
        const isAsReported = wanted === undefined || reading[name] === wanted;
        judge(
          field.clause,
          expectField(reading, 'scale data', name, field),
          expectThat(isAsReported, `${name} of scale data`, JSON.stringify(wanted), reading[name]),
          isObject(bare.value)
            ? expectField(bare.value, 'scale data without descriptors', name, field)
            : expectStatus(bare, 200),
        );
      }
      judge('scales/field-client-reported-create-timestamp', expectReportedTime(reading, weighedMs));
      const age = Number(reading['ageOfData']);
      judge('scales/field-age-of-data', expectThat(age >= 0, 'ageOfData', 'not negative', age));
    },
  },
  'scale-data/age': {
    title: 'ageOfData counts the milliseconds since the data was stored, whatever the computer’s clock says',
    needs: ['scale'],
    async run(context) {
      const { timekeeper, link } = context.target;
      const withScales = await connectScales(context, [plainScale('a')]);
      const fromMs = timekeeper.now();
      const reportedMs = fromMs - SLOW_CLOCK_MS;
      // Neither its zone nor its being late is to count.
      const clientReportedCreateTimestamp = inAnotherZone(reportedMs);
      await withScales.weighLast('a', link?.program ? {} : { clientReportedCreateTimestamp });
      const toMs = timekeeper.now();
      await context.elapse('2500ms');
      const askedMs = timekeeper.now();
      const [reading] = await readingsAt(context, scalesPath(withScales.computer.computerId));
      const answeredMs = timekeeper.now();
      const age = reading?.['ageOfData'];
      const offMs = TOLERANCES.ageOff.ms + (timekeeper.moved?.errorMs ?? 0);
      const holds =
        Number.isInteger(age) && Number(age) >= askedMs - toMs - offMs && Number(age) <= answeredMs - fromMs + offMs;
      const interval = `from ${askedMs - toMs} to ${answeredMs - fromMs}`;
      context.judge('scales/field-age-of-data', expectThat(holds, 'ageOfData of scale data', interval, age));
      // A client program says by its own clock when it measured.
      const shown = expectReportedTime(reading ?? {}, { fromMs: reportedMs, toMs: link?.program ? toMs : reportedMs });
      context.judge('scales/field-client-reported-create-timestamp', shown);
    },
  },
  'scale-data/masses': {
    title: 'A weight is shown exactly in micrograms and in billionths of the units of the display',
    needs: ['scale'],
    async run(context) {
      const { judge, judgeIfSeen } = context;
      const withScales = await connectScales(context, [plainScale('a')]);
      // A client program may know the resolution of a scale that does not report it.
      const isWhole = context.target.link?.program === undefined;
      const expectShown = (reading: JsonObject, mass: Mass): Mismatch | undefined =>
        isWhole ? expectMass(reading, mass) : expectEqual('mass[0] of scale data', massOf(reading), mass[0]);
      const read = (more: Parameters<ScaleComputer['weigh']>[1]): Promise<JsonObject> =>
        weighed(context, withScales, more);
      await judgeIfSeen('scales/mass-resolution', async () => {
        const coarse: [number, number] = [50_000_000_000, 5_000_000_000];
        if (isWhole)
          judge(
            'scales/mass-resolution',
            expectMass(await read({ mass: coarse, measurement: { kg: coarse[0] } }), coarse),
          );
        const mass: [number, number] = [PLAIN_MICROGRAMS, 1_000_000];
        return expectMass(await read({ mass }), mass);
      });
      const grams = await read({});
      judge('scales/measurement-billionths', expectMeasurement(grams, { g: PLAIN_MICROGRAMS * 1_000 }));
      const empty = await read({ mass: [0, null], measurement: { g: 0 } });
      judge('scales/mass-resolution', expectShown(empty, [0, null]));
      judge('scales/measurement-billionths', expectMeasurement(empty, { g: 0 }));
      const heavy = await read({ mass: [68_000_000_000, null], measurement: { kg: 68_000_000_000 } });
      judge('scales/mass-beyond-32-bits', expectShown(heavy, [68_000_000_000, null]));
      for (const reading of [grams, heavy]) {
        judge('scales/measurement-units', expectUnits(reading));
        judge('scales/measurement-equals-mass', expectSameWeight(reading));
      }
      const none: [null, null] = [null, null];
      judge('scales/mass-null-unweighable', expectShown(await read({ mass: none, measurement: {} }), none));
      await judgeIfSeen('scales/mass-null-unweighable', async () => {
        const mass: [null, number] = [null, 1_000_000];
        const negative = await read({ mass, measurement: { g: NEGATIVE } });
        judge('scales/measurement-units', expectUnits(negative));
        if (isWhole) judge('scales/measurement-billionths', expectNegative(negative));
        judge('scales/mass-resolution', expectShown(negative, mass));
        return expectEqual('mass[0] of scale data', massOf(negative), null);
      });
      await judgeIfSeen('scales/measurement-two-parts', async () => {
        // 2 lb 3.5 oz
        const parts = { lb: 2_000_000_000, oz: 3_500_000_000 };
        const two = await read({ mass: [1_006_408_071, null], measurement: parts });
        judge('scales/measurement-units', expectUnits(two));
        judge('scales/measurement-equals-mass', expectSameWeight(two));
        return expectMeasurement(two, parts);
      });
      // A client program shows them as the display of its scale does.
      for (const [unit, billionths] of isWhole ? Object.entries(ALONE) : []) {
        const measurement = { [unit]: billionths };
        const mass: Mass = [Math.round(billionths * (MICROGRAMS[unit] ?? 0)), null];
        const alone = await read({ mass: [...mass], measurement });
        judge('scales/measurement-equals-mass', expectShown(alone, mass), expectSameWeight(alone));
        judge('scales/measurement-billionths', expectMeasurement(alone, measurement));
      }
      const any = await context.property({
        inputs: fc.integer({ min: 0, max: MOST_MICROGRAMS }),
        judge: async (drawn) => {
          // Two bytes of a report hold multiples of 10 g.
          const micrograms = context.target.link?.program ? drawn - (drawn % 10_000_000) : drawn;
          const mass = [micrograms, null] as const;
          const reading = await read({ mass: [...mass], measurement: { kg: micrograms } });
          return firstOf(expectShown(reading, mass), expectMeasurement(reading, { kg: micrograms }));
        },
      });
      judge('scales/mass-micrograms', expectShown(empty, [0, null]), any);
    },
  },
  'scale-data/simulated': {
    title: 'The simulated measurement tells one weight, as mass and in the units of the display',
    locks: ['account'],
    async run(context) {
      await simulate(context);
      const shown = await context.api.get(SIMULATED);
      const reading = isObject(shown.value) ? shown.value : {};
      context.judge('scales/measurement-units', expectUnits(reading));
      const [mass, resolution] = Array.isArray(reading['mass']) ? (reading['mass'] as unknown[]) : [];
      if (mass === null) return;
      context.judge('scales/measurement-equals-mass', expectSameWeight(reading, Number(resolution ?? 0)));
    },
  },
  'scale-data/numbers': {
    title: 'The service numbers scales of one name from 0, and gives a new one the smallest free number',
    needs: ['scale'],
    async run(context) {
      const { judge } = context;
      const withScales = await connectScales(context, [twin('first')]);
      const { computer } = withScales;
      judge(
        'scales/device-num-first-zero',
        expectNumbers(await numbersOf(context, withScales, ['first']), { first: 0 }),
      );
      const others = plainScale('other', { deviceName: 'Another Scale' });
      await computer.reportScales([twin('first'), twin('second'), others]);
      const two = await numbersOf(context, withScales, ['first', 'second', 'other']);
      judge('scales/device-num-smallest-unused', expectNumbers(two, { first: 0, second: 1 }));
      judge('scales/device-num-first-zero', expectNumbers(two, { other: 0 }));
      const named = await readingsAt(context, namedScalesPath(computer.computerId, withScales.nameOf('first')));
      const shown = named.map((reading) => Number(reading['deviceNum'])).toSorted((left, right) => left - right);
      judge('scales/list-by-name', expectEqual('deviceNum of the scales of one name', shown, [0, 1]));
      await computer.reportScales([twin('first'), twin('second'), twin('third')]);
      const three = await numbersOf(context, withScales, ['first', 'second', 'third']);
      judge('scales/device-num-smallest-unused', expectNumbers(three, { third: 2 }));
      // The second is unplugged, then another one is plugged in.
      await computer.reportScales([twin('first'), twin('third')]);
      await computer.reportScales([twin('first'), twin('third'), twin('fourth')]);
      const freed = await numbersOf(context, withScales, ['first', 'third', 'fourth']);
      judge('scales/device-num-freed', expectNumbers(freed, { first: 0, third: 2, fourth: 1 }));
      judge('scales/device-num-smallest-unused', expectNumbers(freed, { fourth: 1 }));
    },
  },
  'scale-data/renamed': {
    title: 'Renaming a scale to another’s name does not give it that scale’s number',
    // What another link makes of a new name is not known.
    needs: ['scale', 'device-link'],
    async run(context) {
      const keys = ['first', 'other'];
      const scales = [twin('first'), { ...twin('other'), deviceName: 'Another Scale' }];
      const withScales = await connectScales(context, scales);
      // Where numbers are given to what was weighed, both have one before.
      await numbersOf(context, withScales, keys);
      await withScales.computer.reportScales(keys.map(twin));
      const numbers = await numbersOf(context, withScales, keys, NAME);
      context.judge('scales/device-num-distinguishes', expectApart(keys.map((key) => numbers[key])));
    },
  },
  'scale-data/replaced': {
    title: 'A scale that replaces another within one report inherits its number',
    // What another link makes of such a report is not known: the new one may come before the old one goes.
    needs: ['scale', 'device-link'],
    async run(context) {
      const withScales = await connectScales(context, [twin('first'), twin('second'), twin('third')]);
      const keys = ['first', 'second', 'third'];
      context.require(expectNumbers(await numbersOf(context, withScales, keys), { first: 0, second: 1, third: 2 }));
      await withScales.computer.reportScales([twin('fourth'), twin('third'), twin('fifth')]);
      const replaced = await numbersOf(context, withScales, ['fourth', 'third', 'fifth']);
      const used = expectUsed([replaced['fourth'], replaced['fifth']], [0, 1]);
      context.judge('scales/device-num-smallest-unused', used);
      context.judge('scales/device-num-freed', expectNumbers(replaced, { third: 2 }), used);
      const many = await connectScales(context, NAMESAKES.map(twin));
      const numbers = await numbersOf(context, many, NAMESAKES);
      const wanted = NAMESAKES.map((_, number) => number);
      if (!context.judge('scales/device-num-smallest-unused', expectUsed(Object.values(numbers), wanted))) return;
      const greatest = NAMESAKES.length - 1;
      const one = await context.api.get(scalePath(many.computer.computerId, NAME, greatest));
      const isIt = (value: unknown): boolean => isObject(value) && value['deviceNum'] === greatest;
      context.judge('scales/read-one', expectStatus(one, 200), expectFound(one, `scale ${greatest}`, isIt));
    },
  },
};

/** Expects the scales of one name to have numbers, each its own; which ones is judged elsewhere. */
function expectApart(numbers: readonly unknown[]): Mismatch | undefined {
  const areApart = numbers.every(Number.isInteger) && new Set(numbers).size === numbers.length;
  return expectThat(areApart, 'deviceNum of scales of one name', 'a number of its own for each', numbers);
}

/** Expects the time that the computer reported; one without a zone cannot be read. */
function expectReportedTime(
  { clientReportedCreateTimestamp: shown }: JsonObject,
  { fromMs, toMs }: TimeInterval,
): Mismatch | undefined {
  const shownMs = datetimeMs(shown) ?? fromMs;
  const offMs = TOLERANCES.reportedTimeOff.ms;
  const isIt = shownMs > fromMs - offMs && shownMs < toMs + offMs;
  return expectThat(isIt, 'clientReportedCreateTimestamp', new Date(fromMs).toISOString(), shown);
}

function expectUnits({ measurement }: JsonObject): Mismatch | undefined {
  const units = isObject(measurement) ? Object.keys(measurement) : [];
  const known = Object.keys(MEASUREMENT_UNITS);
  const holds = units.length > 0 && units.every((unit) => known.includes(unit));
  return expectThat(holds, 'keys of measurement', known.join(', '), units);
}

/** Both give the same weight, to half a microgram each. */
/** @param resolution - of the scale, in micrograms: by less than that the two may differ */
function expectSameWeight(reading: JsonObject, resolution = 0): Mismatch | undefined {
  const measurement = isObject(reading['measurement']) ? reading['measurement'] : {};
  const micrograms = Object.entries(measurement).reduce(
    (sum, [unit, value]) => sum + Number(value) * (MICROGRAMS[unit] ?? Number.NaN),
    0,
  );
  const mass = massOf(reading);
  const holds = typeof mass === 'number' && Math.abs(mass - micrograms) <= Math.max(1, resolution);
  return expectThat(holds, 'mass[0] of scale data', `${micrograms}, as measurement says`, mass);
}
