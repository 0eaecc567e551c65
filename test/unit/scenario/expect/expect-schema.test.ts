import { expect, it } from 'vitest';

import { expectSchema, NOTHING_EXPECTED, scenarioExpectSchema } from '../../../../src/scenario/expect/expect-schema.ts';
import type { Setup } from '../../../../src/scenario/setup/setup.ts';

const setup = {
  jobsNamed: (name: string) => [{ name, id: 1 }],
  states: async () => [[{ state: 'new' }]],
  printouts: () => [],
} as unknown as Setup;

const problemsOf = (schema: typeof expectSchema, given: unknown): readonly string[] =>
  (schema.safeParse(given).error?.issues ?? []).map(({ message }) => message);

it('judges all kinds of expectations, in order', async () => {
  const expectation = expectSchema.parse({ sheets: { letter: 1 }, jobs: { letter: 'done', label: 'new' } });
  expect((await expectation.judge(setup)).map(({ at }) => at)).toEqual(['state of letter', 'sheets of letter']);
  expect(expectation.names.map(({ path }) => path)).toEqual([
    ['jobs', 'letter'],
    ['jobs', 'label'],
    ['sheets', 'letter'],
  ]);
});

it('wants an expectation', () => {
  expect(problemsOf(expectSchema, {})).toEqual(['expects nothing; write for example { service: sound }']);
  expect(problemsOf(expectSchema, { jobs: {} })).toEqual([]);
  expect(problemsOf(scenarioExpectSchema, {})).toEqual(['expects nothing; write for example { service: sound }']);
  expect(problemsOf(scenarioExpectSchema, { thresholds: [], abort: [] })).toEqual([
    'expects nothing; write for example { service: sound }',
  ]);
});

it.each([{ jobs: {} }, { thresholds: ['a < 1'] }, { abort: ['x'] }])('takes %j at the end of a scenario', (given) => {
  expect(problemsOf(scenarioExpectSchema, given)).toEqual([]);
});

it.each([
  { thresholds: [''] },
  { thresholds: ['x'.repeat(201)] },
  { abort: Array.from({ length: 101 }, () => 'x') },
  { other: {} },
])('refuses %j', (given) => {
  expect(problemsOf(scenarioExpectSchema, given)).not.toEqual([]);
});

it('takes the longest and the most lines', () => {
  const lines = Array.from({ length: 100 }, () => 'x'.repeat(200));
  expect(scenarioExpectSchema.parse({ thresholds: lines })).toMatchObject({ thresholds: lines, abort: [], kinds: [] });
});

it('tells the kinds of expectations from lines about a load', async () => {
  const given = scenarioExpectSchema.parse({ jobs: { letter: 'done' }, thresholds: ['a < 1'], abort: ['a > 1'] });
  expect(given).toMatchObject({ kinds: ['jobs'], thresholds: ['a < 1'], abort: ['a > 1'] });
  expect((await given.judge(setup)).map(({ at }) => at)).toEqual(['state of letter']);
});

it('expects nothing where nothing is said', async () => {
  expect(NOTHING_EXPECTED).toMatchObject({ kinds: [], thresholds: [], abort: [], names: [] });
  expect(await NOTHING_EXPECTED.judge(setup)).toEqual([]);
});
