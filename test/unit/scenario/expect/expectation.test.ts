import { expect, it } from 'vitest';
import { z } from 'zod';

import { expectationKind, judgeInTime, type Expectation } from '../../../../src/scenario/expect/expectation.ts';
import type { Setup } from '../../../../src/scenario/setup/setup.ts';
import type { Break } from '../../../../src/scenario/vocabulary/outcome.ts';

const breakAt = (at: string): Break => ({ at, expected: 'a', actual: 'b', jobs: [] });

const numbers = (of: 'job' | undefined): z.ZodType<Expectation> =>
  expectationKind<number>({
    about: 'Numbers by name.',
    of,
    wanted: z.number(),
    judge: (name, wanted) => (wanted > 5 ? [breakAt(name)] : []),
  });

it('judges each name', async () => {
  const expectation = numbers('job').parse({ a: 1, b: 6, c: 7 });
  expect(await expectation.judge({} as Setup)).toEqual([breakAt('b'), breakAt('c')]);
  expect(expectation.names).toEqual([
    { kind: 'job', name: 'a', path: ['a'], isKey: true },
    { kind: 'job', name: 'b', path: ['b'], isKey: true },
    { kind: 'job', name: 'c', path: ['c'], isKey: true },
  ]);
});

it('has no names where they are not of the scenario', () => {
  expect(numbers(undefined).parse({ a: 1 }).names).toEqual([]);
});

/** An expectation that holds from its n-th judgement on, and the setup of a scenario that probes three times. */
async function judgedInTime(
  holdsFrom: number,
  isVirtual: boolean,
): Promise<readonly [readonly Break[], readonly string[]]> {
  const calls: string[] = [];
  let judged = 0;
  const expectation: Expectation = {
    names: [],
    judge: async () => {
      calls.push('judge');
      return ++judged < holdsFrom ? [breakAt(`judgement ${judged}`)] : [];
    },
  };
  const setup = {
    settle: async () => calls.push('settle'),
    time: { isVirtual },
    waitFor: async ({ limit, probe }: { readonly limit: string; readonly probe: () => Promise<unknown> }) => {
      calls.push(`wait ${limit}`);
      for (let left = 3; left > 0; left--) if (await probe()) return;
    },
  };
  return [await judgeInTime(expectation, setup as unknown as Setup), calls];
}

it.each<readonly [string, number, boolean, readonly string[], readonly string[]]>([
  ['that holds at once', 1, false, [], ['settle', 'judge']],
  ['that never holds, on a virtual clock', 9, true, ['judgement 1'], ['settle', 'judge']],
  ['that comes to hold, on a real clock', 3, false, [], ['settle', 'judge', 'wait 5s', 'judge', 'judge']],
  [
    'that never holds, on a real clock',
    9,
    false,
    ['judgement 4'],
    ['settle', 'judge', 'wait 5s', 'judge', 'judge', 'judge'],
  ],
])('judges an expectation %s', async (_, holdsFrom, isVirtual, expected, calls) => {
  const [breaks, called] = await judgedInTime(holdsFrom, isVirtual);
  expect(breaks.map(({ at }) => at)).toEqual(expected);
  expect(called).toEqual(calls);
});

it.each<readonly [string, readonly (readonly (readonly [string, boolean])[])[], number]>([
  ['what is seen twice', [[['a', true]], [['a', true]]], 2],
  ['what was seen once', [[['a', false]], [['a', true]], [['a', true]]], 3],
  ['what is no more seen', [[['a', true]], [['a', false]], [['a', false]], [['a', false]]], 5],
  ['what is seen at another place', [[['a', true]], [['b', true]], [['a', true]], [['b', true]]], 5],
  [
    'one of two that is seen twice',
    [
      [
        ['a', true],
        ['b', false],
      ],
      [
        ['c', true],
        ['a', true],
      ],
    ],
    2,
  ],
])('waits no longer for %s', async (_, judgements, expected) => {
  let judged = 0;
  const expectation: Expectation = {
    names: [],
    judge: async () => (judgements[judged++] ?? []).map(([at, isSeen]) => ({ ...breakAt(at), isSeen })),
  };
  const setup = {
    settle: async () => undefined,
    time: { isVirtual: false },
    waitFor: async ({ probe }: { readonly probe: () => Promise<unknown> }) => {
      // After these judgements nothing is wrong any more.
      while (!(await probe()));
    },
  };
  await judgeInTime(expectation, setup as unknown as Setup);
  expect(judged).toBe(expected);
});
