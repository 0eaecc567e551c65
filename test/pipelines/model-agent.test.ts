/**
 * A sample of what `npm run prove pipelines` tries whole: real programs, killed and cut off, judged by their paper.
 */

import { expect, test } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { playDay, tryPipeline, type PlayedDay } from '../../src/pipeline/play-day.ts';
import { Ports } from '../../src/pipeline/ports.ts';
import type { Pipeline } from '../../src/pipeline/pipeline-file.ts';
import type { Step } from '../../src/pipeline/steps.ts';
import { modelPipeline } from './explore-model.ts';

/** Days at the same time take their ports from one. */
const ports = new Ports();

const LOST: readonly Step[] = [
  { break: { between: 'kitchen', fault: 'lost-answer', times: 1 } },
  { submit: 'kitchen' },
  { wait: 1_500 },
];
const KILLED: readonly Step[] = [
  { fail: { printer: 'kitchen', fault: 'slow-connection' } },
  { submit: 'kitchen' },
  { wait: 350 },
  { kill: 'agent' },
];
const REPEATED: readonly Step[] = [{ submit: 'bar' }, { again: 'bar' }];

async function played(steps: readonly Step[], pipeline: Pipeline): Promise<PlayedDay> {
  await using press = new Press(systemClock);
  return await playDay(steps, pipeline, { press, ports });
}

test.concurrent.each([
  { fault: 'sends-again', steps: LOST, promise: 'printed-twice' },
  { fault: 'no-keys', steps: REPEATED, promise: 'printed-twice' },
  { fault: 'failed-when-uncertain', steps: LOST, promise: 'untrue-state' },
])('$fault is found on the paper: $promise', { timeout: 60_000 }, async ({ fault, steps, promise }) => {
  const { broken } = await played(steps, await modelPipeline(fault));
  expect(broken.map((one) => one.promise)).toEqual([promise]);
});

test.concurrent.each([
  { what: 'an answer of a printer is lost', steps: LOST },
  { what: 'the agent is killed in the middle', steps: KILLED },
  { what: 'a submission is repeated', steps: REPEATED },
])('the sound agent is accused of nothing when $what', { timeout: 60_000 }, async ({ steps }) => {
  const { broken, seen } = await played(steps, await modelPipeline('none'));
  expect(broken).toEqual([]);
  expect(seen.jobs.map(({ outcome }) => outcome)).toEqual(['taken']);
});

test('a mark that does not come to the paper is said at the first job, with what came out', async () => {
  await using press = new Press(systemClock);
  const model = await modelPipeline('none');
  const unmarked = Buffer.from('a receipt of nobody\n').toString('base64');
  const body = { printer: '{printer}', document: unmarked, title: '{title}' };
  const pipeline = { ...model, printers: { kitchen: { protocol: 'raw' as const }, bar: { protocol: 'raw' as const } } };
  const trial = tryPipeline({ ...pipeline, submit: { ...model.submit, body } }, { press, ports }, ({ papers }) =>
    Promise.resolve(papers.map(({ printer }) => `${printer}.png`)),
  );
  const lines = expect.arrayContaining(['  | a receipt of nobody', 'kitchen.png']) as unknown;
  await expect(trial).rejects.toMatchObject({ lines });
});

test.concurrent.each([
  {
    what: 'a word that is not in the file',
    state: { done: ['printed'] },
    said: 'None of printed, failed, uncertain was reported: done',
  },
  {
    what: 'no state at its path',
    state: { path: 'nowhere', done: ['done'] },
    said: 'None of done, failed, uncertain was reported: no state in',
  },
])('$what is said at the first job', { timeout: 60_000 }, async ({ state, said }) => {
  await using press = new Press(systemClock);
  const model = await modelPipeline('none');
  const trial = tryPipeline({ ...model, within: 1_500, state: { ...model.state, ...state } }, { press, ports });
  await expect(trial).rejects.toMatchObject({
    lines: expect.arrayContaining([expect.stringContaining(said)]) as unknown,
  });
});
