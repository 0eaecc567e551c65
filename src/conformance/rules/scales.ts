/** Checks of the paths of scales: the two lists, the one scale, and the simulated one. */

import * as fc from 'fast-check';

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { SCALE_FIELDS, VIRTUAL_SCALE } from '../../specification/fields.ts';
import type { Rules } from '../check.ts';
import { refuseProgram } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { expectBody, expectFound, expectStatus, expectSuccess, type Answer } from '../expect/answer.ts';
import {
  connectScales,
  leftInSecondAccount,
  massOf,
  namedScalesPath,
  plainScale,
  readingsAt,
  scalePath,
  scalesPath,
  SIMULATED,
  simulate,
} from '../context/scales.ts';
import { judgeFields } from '../expect/fields.ts';
import { asRecords, isEmptyArray } from '../expect/records.ts';
import { expectEqual, expectThat } from '../expect/that.ts';

const HERE = VIRTUAL_SCALE.computerId.value;
/** No service has a computer of this id yet. */
const NOBODY = 2 ** 31 - 1;

/** The first letter of one is made of two characters. */
const ODD_NAMES = ['Blank in it', 'slash/in/it', 'U\u0308nïcode 秤 \u{1F5A8}', '100%25 #1 & more?', 'plus+sign'];

/** A name in the form of Unicode in which a service may show it. */
const inOneForm = (name: unknown): unknown => (typeof name === 'string' ? name.normalize() : name);

/** Expects 200 and an array with the readings of scales of these names. */
function expectNames(answer: Answer, names: readonly string[]): Mismatch | undefined {
  const shown = asRecords(answer.value)
    ?.map((reading) => inOneForm(reading['deviceName']))
    .toSorted();
  const same = JSON.stringify(shown) === JSON.stringify(names.map((name) => name.normalize()).toSorted());
  const wanted = names.length === 0 ? 'an empty array' : `readings of ${names.join(', ')}`;
  return expectStatus(answer, 200) ?? expectFound(answer, wanted, () => same);
}

const isNamed =
  (deviceName: string) =>
  (value: unknown): boolean =>
    isObject(value) && inOneForm(value['deviceName']) === inOneForm(deviceName);

function expectMass(answer: Answer, micrograms: number): Mismatch | undefined {
  const mass = isObject(answer.value) ? massOf(answer.value) : undefined;
  return expectEqual(`mass[0] in the body of ${answer.request}`, mass, micrograms);
}

const hasCode = (value: unknown): boolean => isObject(value) && typeof value['code'] === 'string';

export const SCALE_RULES: Rules = {
  'scales/paths': {
    title: 'The service shows scales as a list, as a list of one name, and a single scale as an object',
    needs: ['scale'],
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const { computer, weigh, nameOf } = await connectScales(context, [
        plainScale('a', { deviceName: 'First' }),
        plainScale('b', { deviceName: 'Second' }),
      ]);
      await weigh('a');
      await weigh('b');
      const { computerId } = computer;
      const first = nameOf('a');
      const all = await context.api.get(scalesPath(computerId));
      judge('scales/list', expectNames(all, [first, nameOf('b')]));
      const named = await context.api.get(namedScalesPath(computerId, first));
      judge('scales/list-by-name', expectStatus(named, 200), expectAmong(named, first));
      judge('scales/list-by-name-only', expectNames(named, [first]));
      const one = await context.api.get(scalePath(computerId, first, 0));
      judge('scales/read-one', expectStatus(one, 200), expectFound(one, 'one scale data object', isNamed(first)));
    },
  },
  'scales/nothing': {
    title: 'Without data the lists are empty for any computer, and a single scale gets 404',
    locks: ['account'],
    async run({ api, judge, property }) {
      const any = await property({
        inputs: fc.oneof(fc.integer({ min: 1_000_000, max: 2 ** 31 - 1 }), fc.constantFrom(2 ** 31, 2 ** 53 - 1)),
        judge: async (computerId) => expectNames(await api.get(scalesPath(computerId)), []),
      });
      judge('scales/list-any-computer', any);
      judge('scales/list-empty', any);
      const named = await api.get(namedScalesPath(NOBODY, 'No such scale'));
      judge('scales/list-by-name-empty', expectNames(named, []));
      const missing = await api.get(scalePath(NOBODY, 'No such scale', 0));
      judge('scales/read-one-missing-404', expectStatus(missing, 404));
      judge('errors/scale-not-found', expectStatus(missing, 404), expectBody(missing, 'the error object', hasCode));
    },
  },
  'scales/one-missing': {
    title: 'A single scale gets 404 under another name or number, and before its first reading',
    needs: ['scale'],
    async run(context) {
      const { api, judge } = context;
      refuseProgram(context, 'takes a scale without a reading; one on a USB bus reports as soon as it is plugged in');
      const { computer, weigh } = await connectScales(context, [
        plainScale('a', { deviceName: 'Weighed' }),
        plainScale('b', { deviceName: 'Silent' }),
      ]);
      const { computerId } = computer;
      judge('scales/list-empty', expectNames(await api.get(scalesPath(computerId)), []));
      await weigh('a');
      context.require(expectStatus(await api.get(scalePath(computerId, 'Weighed', 0)), 200));
      for (const path of [scalePath(computerId, 'Weighed', 1), scalePath(computerId, 'Silent', 0)]) {
        judge('scales/read-one-missing-404', expectStatus(await api.get(path), 404));
      }
      const silent = await api.get(namedScalesPath(computerId, 'Silent'));
      judge('scales/list-by-name-empty', expectNames(silent, []));
    },
  },
  'scales/most-recent': {
    title: 'A scale appears once, with its most recent reading',
    needs: ['scale'],
    async run(context) {
      const { judge } = context;
      const { computer, weigh, nameOf } = await connectScales(context, [plainScale('a')]);
      for (const micrograms of [1_000_000, 3_000_000, 2_000_000]) {
        await weigh('a', { mass: [micrograms, null], measurement: { g: micrograms * 1_000 } });
        await context.elapse('10ms');
        const one = await context.api.get(scalePath(computer.computerId, nameOf('a'), 0));
        judge('scales/read-one-most-recent', expectMass(one, micrograms));
        const list = await context.api.get(scalesPath(computer.computerId));
        const masses = (asRecords(list.value) ?? []).map(massOf);
        const holds = masses.length === 1 && masses[0] === micrograms;
        judge(
          'scales/list-most-recent',
          expectThat(holds, `masses in the body of ${list.request}`, `${micrograms} alone`, masses),
        );
      }
    },
  },
  'scales/encoded-names': {
    title: 'The service takes a percent-encoded device name from the path',
    needs: ['scale'],
    async run(context) {
      const names = ODD_NAMES.map((deviceName, index) => plainScale(`scale-${index}`, { deviceName }));
      const { computer, weigh, nameOf } = await connectScales(context, names);
      for (const { key } of names) {
        await weigh(key);
        const deviceName = nameOf(key);
        const one = await context.api.get(scalePath(computer.computerId, deviceName, 0));
        // An escape may have its digits in lower case.
        const byName = namedScalesPath(computer.computerId, deviceName);
        const list = await context.api.get(byName.replaceAll(/%../g, (escape) => escape.toLowerCase()));
        context.judge(
          'scales/device-name-encoded',
          expectStatus(one, 200),
          expectBody(one, `the scale '${deviceName}'`, isNamed(deviceName)),
          expectNames(list, [deviceName]),
        );
      }
    },
  },
  'scales/foreign': {
    title: 'A request for the scales of another account’s computer gets 200 without its data',
    needs: ['second-account', 'scale'],
    async run(context) {
      const { judge } = context;
      const { computer, weigh, nameOf } = await connectScales(context, [plainScale('a')], {
        owner: 'second-account',
      });
      await weigh('a');
      const path = scalesPath(computer.computerId);
      const own = await readingsAt(context, path, context.secondApi);
      context.require(expectThat(own.length === 1, path, 'one reading for its own account', own));
      const foreign = await context.api.get(path);
      judge('scales/list-foreign-computer', expectStatus(foreign, 200));
      judge('scales/list-foreign-data', expectBody(foreign, 'no data', isEmptyArray));
      const named = await context.api.get(namedScalesPath(computer.computerId, nameOf('a')));
      judge('scales/list-foreign-data', expectBody(named, 'no data', isEmptyArray));
    },
  },
  'scales/simulated': {
    title: 'PUT /scale makes a measurement of the simulated scale, which can be read at once',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      context.demand('scales/simulate', expectSuccess(await putScale(context)));
      const one = await context.api.get(SIMULATED);
      judge('scales/simulate-queryable', expectStatus(one, 200));
      const reading: JsonObject = isObject(one.value) ? one.value : {};
      for (const field of ['deviceName', 'deviceNum', 'computerId'] as const) {
        const { value, clause } = VIRTUAL_SCALE[field];
        const actual = reading[field];
        judge(clause, expectEqual(`${field} in the body of ${one.request}`, actual, value));
      }
      judgeFields(judge, SCALE_FIELDS, reading, 'data of the simulated scale');
      const list = await context.api.get(scalesPath(HERE));
      judge('scales/simulate-queryable', expectNames(list, [VIRTUAL_SCALE.deviceName.value]));
    },
  },
  'scales/simulated-apart': {
    title: 'The simulated measurement of one account is not visible to another',
    needs: ['second-account'],
    locks: ['account', 'second-account/simulated-scale'],
    async run(context) {
      const isLeft = await leftInSecondAccount(context);
      await simulate(context);
      context.require(expectStatus(await context.api.get(SIMULATED), 200));
      const foreign = await context.secondApi.get(SIMULATED);
      const mismatch = isLeft(foreign.value) ? undefined : expectStatus(foreign, 404);
      context.judge('scales/simulate-per-account', mismatch);
    },
  },
};

function expectAmong(answer: Answer, name: string): Mismatch | undefined {
  const isThere = asRecords(answer.value)?.some(isNamed(name)) ?? false;
  return expectBody(answer, `readings of ${name} among others`, () => isThere);
}

/** Without a body first: a service that refuses that is asked which one it wants. */
async function putScale(context: CheckContext): Promise<Answer> {
  const bare = await context.api.put('/scale');
  const mayWantBody = bare.status >= 400 && bare.status < 500 && bare.status !== 404 && bare.status !== 405;
  return mayWantBody ? context.api.put('/scale', (await context.speak('simulated-reading')).body) : bare;
}
