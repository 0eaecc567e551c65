/**
 * The steps of days: as a file has them, drawn from seeds, and shrunk.
 */

import { expect, test } from 'vitest';

import { drawDay } from '../../../src/pipeline/draw-day.ts';
import type { Pipeline } from '../../../src/pipeline/pipeline-file.ts';
import { shrinkSteps } from '../../../src/pipeline/shrink-steps.ts';
import { dayText, inWords, readDay, type Step } from '../../../src/pipeline/steps.ts';
import { modelPipeline } from '../../pipelines/explore-model.ts';

const PIPELINE: Pipeline = await modelPipeline('none');
const SEEDS = Array.from({ length: 1_000 }, (_, seed) => seed);

test('a day that is written as a file is read as it was', () => {
  for (const seed of SEEDS) {
    const told = { title: 'a day', why: 'because', steps: drawDay(seed, PIPELINE).steps };
    expect(readDay('day.yaml', dayText(told), PIPELINE)).toEqual(told);
  }
});

test('the same seed gives the same day, and days are of all kinds', () => {
  expect(drawDay(7, PIPELINE)).toEqual(drawDay(7, PIPELINE));
  const kinds = new Set(SEEDS.flatMap((seed) => drawDay(seed, PIPELINE).steps.map((step) => Object.keys(step)[0])));
  expect([...kinds].toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
    'again',
    'break',
    'fail',
    'fix',
    'kill',
    'restore',
    'start',
    'submit',
    'wait',
  ]);
});

test('every day has a job, and starts nothing that was not killed', () => {
  for (const seed of SEEDS) {
    const verbs = drawDay(seed, PIPELINE).steps.map(inWords);
    expect(verbs.some((verb) => verb.startsWith('submit'))).toBe(true);
    const started = verbs.indexOf('start agent');
    expect(started < 0 || verbs.slice(0, started).includes('kill agent')).toBe(true);
  }
});

test('a pipeline without programs and connections has days as well', () => {
  const bare = { ...PIPELINE, start: {}, between: {} };
  const kinds = new Set(SEEDS.flatMap((seed) => drawDay(seed, bare).steps.map((step) => Object.keys(step)[0])));
  expect([...kinds].toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
    'again',
    'fail',
    'fix',
    'submit',
    'wait',
  ]);
});

test('a step about something that the pipeline has not is refused', () => {
  const text = 'title: a\nsteps:\n  - kill: spooler\n';
  expect(() => readDay('day.yaml', text, PIPELINE)).toThrow('kill spooler: test/pipelines'.slice(0, 12));
  expect(() => readDay('day.yaml', 'title: a\nsteps:\n  - kil: agent\n', PIPELINE)).toThrow('day.yaml:3:5');
});

const NEEDED: readonly Step[] = [{ submit: 'bar' }, { kill: 'agent' }];

test('shrinking leaves the steps that are needed, in their order', async () => {
  const noise: readonly Step[] = [{ wait: 10 }, { submit: 'kitchen' }, { fix: 'bar' }, { wait: 30 }];
  const all = noise.flatMap((step, index) => [step, ...NEEDED.slice(index - 1, index)]);
  const stillBreaks = (steps: readonly Step[]): Promise<boolean> =>
    Promise.resolve(NEEDED.every((needed) => steps.includes(needed)));
  const shrunk = await shrinkSteps(all, { stillBreaks, sideBySide: 2, isOver: () => false });
  expect(shrunk).toEqual(NEEDED);
});

test('shrinking keeps no steps that broke it once by chance', async () => {
  const all: readonly Step[] = [{ submit: 'bar' }, { wait: 10 }];
  let plays = 0;
  const stillBreaks = (): Promise<boolean> => Promise.resolve(plays++ === 0);
  expect(await shrinkSteps(all, { stillBreaks, sideBySide: 1, isOver: () => false })).toEqual(all);
});

test('shrinking never plays a day without a job, and ends when its time is over', async () => {
  let plays = 0;
  const stillBreaks = (steps: readonly Step[]): Promise<boolean> => {
    plays++;
    expect(steps.some((step) => 'submit' in step)).toBe(true);
    return Promise.resolve(true);
  };
  const all: readonly Step[] = [{ wait: 10 }, { submit: 'bar' }, { wait: 10 }];
  expect(await shrinkSteps(all, { stillBreaks, sideBySide: 1, isOver: () => false })).toEqual([{ submit: 'bar' }]);
  expect(await shrinkSteps(all, { stillBreaks, sideBySide: 1, isOver: () => true })).toEqual(all);
  expect(plays).toBeLessThan(10);
});
