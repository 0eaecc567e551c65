import { expect, it } from 'vitest';

import { mendingOf, storyOf } from '../../../src/caller/tell-moment.ts';
import type { JudgedMoment } from '../../../src/caller/provoke.ts';
import { baselineOf, paperVerdict } from '../../../src/oracle/caller/paper-verdict.ts';
import type { Moment } from '../../../src/record/moments.ts';
import { toldRun, type ToldRequest } from '../../support/told-caller.ts';

function judged(requests: readonly ToldRequest[], moment: Moment): JudgedMoment {
  const [run, one] = [toldRun(requests), toldRun([{}])];
  return { moment, run, ...paperVerdict(run, baselineOf([one, one]), moment.at), breaks: [], pictures: [] };
}

it.each([
  ['Label 1 came out 2 times; without it, once.', [{}, {}]],
  [
    'Label 1 will come out 2 times when its printer or computer can print; without it, once.',
    [{ papers: 0 }, { papers: 0 }],
  ],
  [
    'Label 1 came out once, and will come out once when its printer or computer can print; without it, once.',
    [{}, { papers: 0 }],
  ],
])('tells what came out and what will: %s', (told, requests) => {
  expect(storyOf(judged(requests, { at: 'room', fault: 'jam' }))[0]).toBe(told);
});

it('says of a job that was sent again while it waited that it should have been cancelled', () => {
  expect(mendingOf(judged([{ papers: 0 }, { papers: 0 }], { at: 'room', fault: 'jam' }))).toContain('Cancel it');
});
