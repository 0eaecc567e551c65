import { expect, it } from 'vitest';

import { baselineOf, paperVerdict } from '../../../../src/oracle/caller/paper-verdict.ts';
import type { SeenRun } from '../../../../src/record/caller-history.ts';
import type { Moment } from '../../../../src/record/moments.ts';
import { toldRun } from '../../../support/told-caller.ts';

const ONE = toldRun([{}]);
const TWO = toldRun([{ title: 'Label 1' }, { title: 'Label 2' }]);
const LOST = { got: null, taken: true, isHit: true } as const;

function verdictOf(
  run: SeenRun,
  unharmed: SeenRun = ONE,
  again: SeenRun = unharmed,
  at: Moment['at'] = 'request',
): string {
  return paperVerdict(run, baselineOf([unharmed, again]), at).verdict;
}

it('finds a job printed twice, whatever the app says', () => {
  expect(verdictOf(toldRun([LOST, {}]))).toBe('printed-twice');
  expect(verdictOf(toldRun([LOST, {}], { code: 1 }))).toBe('printed-twice');
});

it('is content with one paper of two tries', () => {
  expect(verdictOf(toldRun([LOST, { got: 409 }]))).toBe('printed-once');
});

it('finds a job lost when the app says that all is well', () => {
  expect(verdictOf(toldRun([{ got: 429 }]))).toBe('lost');
  expect(verdictOf(toldRun([{ got: 429 }], { said: 'waiting' }))).toBe('told');
  expect(verdictOf(toldRun([{ got: 429 }], { code: 1 }))).toBe('told');
});

it('tells a failure that is none: the paper is there', () => {
  expect(verdictOf(toldRun([LOST], { code: 1 }))).toBe('printed-said-failed');
  expect(verdictOf(toldRun([LOST], { code: 1 }), TWO)).toBe('printed-said-failed');
  expect(
    verdictOf(toldRun([{ title: 'Label 1' }, { title: 'Label 2', got: 500, isHit: true }], { code: 1 }), TWO),
  ).toBe('told');
  const refused = { got: 500, isHit: true } as const;
  const down = [{ title: 'Label 1', ...refused }, { title: 'Label 2', ...refused }, { title: 'Label 2' }];
  expect(verdictOf(toldRun(down, { code: 1 }), TWO)).toBe('told');
});

it('takes no paper for a loss while the service has the job', () => {
  expect(verdictOf(toldRun([{ papers: 0 }]))).toBe('taken-no-paper');
  expect(verdictOf(toldRun([{ qty: 3, papers: 1 }]), toldRun([{ qty: 3 }]))).toBe('taken-no-paper');
});

it('finds a job that will be printed twice once its printer can print', () => {
  const twice = [{ papers: 0 }, { papers: 0 }];
  expect(verdictOf(toldRun(twice), ONE, ONE, 'room')).toBe('printed-twice');
  expect(verdictOf(toldRun(twice), toldRun(twice))).toBe('printed-once');
  expect(verdictOf(toldRun([{ papers: 0, state: 'deleted' }, { papers: 0 }]), ONE, ONE, 'room')).toBe('taken-no-paper');
});

it('knows identical labels on purpose', () => {
  const twins = toldRun([{}, {}]);
  expect(verdictOf(toldRun([{}, {}]), twins)).toBe('printed-once');
  expect(verdictOf(toldRun([LOST, {}, {}]), twins)).toBe('printed-twice');
});

it('masks what is made by chance in each run, and nothing else', () => {
  const unharmed = labelled('3f2a9c10', '77aa01bb');
  const again = labelled('90ab12cd', '1234abcd');
  expect(baselineOf([unharmed, again]).differences).toEqual([
    'The title of a job has another number, date or id each time, which is not compared.',
  ]);
  expect(verdictOf(labelled('aaaa0001', 'bbbb0002'), unharmed, again)).toBe('printed-once');
  const three = toldRun([{ title: 'Label aaaa0001' }, { title: 'Label bbbb0002' }, { title: 'Label bbbb0002' }]);
  expect(verdictOf(three, unharmed, again)).toBe('printed-twice');
  expect(verdictOf(toldRun([{ title: 'Label 1' }, { title: 'Label 1' }]), TWO)).toBe('printed-twice');
});

it('takes a job that is printed otherwise for the same job', () => {
  expect(verdictOf(toldRun([LOST, { title: 'Label 1, second try' }]))).toBe('printed-twice');
  expect(verdictOf(toldRun([{ got: 500, isHit: true }, { title: 'Label 1, second try' }]))).toBe('printed-once');
});

it('accuses no app of something else that it prints when something went wrong', () => {
  const unharmed = toldRun([{ content: 'eA==' }]);
  expect(verdictOf(toldRun([{}, { title: 'Trouble', content: 'eQ==' }]), unharmed)).toBe('printed-once');
});

it('says nothing where the number differs from run to run', () => {
  expect(verdictOf(toldRun([{}, {}, {}]), ONE, toldRun([{}, {}]))).toBe('nondeterministic');
  expect(verdictOf(ONE, ONE, toldRun([{}, {}]))).toBe('printed-once');
  expect(baselineOf([ONE, toldRun([{}, {}])]).differences).toEqual(['"Label 1" is printed 1 or 2 times.']);
});

it('tells what was not reached, hung, or ended before the consequence', () => {
  expect(verdictOf(toldRun([{}], { isReached: false }))).toBe('not-reached');
  expect(verdictOf(toldRun([{ got: 500 }], { code: null }))).toBe('hung');
  const unharmed = toldRun([{}, { title: 'Slip 1', content: 'eQ==' }]);
  expect(verdictOf(ONE, unharmed, unharmed, 'event')).toBe('ended-too-early');
  const hasLeft = toldRun([{}], { deliveries: [{ leftMs: 9_000 }, { leftMs: 3_000 }] });
  expect(verdictOf(hasLeft, unharmed, unharmed, 'event')).toBe('ended-too-early');
  expect(verdictOf(toldRun([{ papers: 0 }]), unharmed, unharmed, 'room')).toBe('taken-no-paper');
  expect(verdictOf(ONE, unharmed)).toBe('lost');
});

it('takes what never follows from an event for lost once the app had time for it', () => {
  const unharmed = toldRun([{}, { title: 'Slip 1', content: 'eQ==', sentMs: 500 }], { deliveries: [{ sentMs: 100 }] });
  const verdicts = [3_801, 3_800].map((leftMs) =>
    verdictOf(toldRun([{}], { deliveries: [{ leftMs }] }), unharmed, unharmed, 'event'),
  );
  expect(verdicts).toEqual(['lost', 'ended-too-early']);
});

function labelled(one: string, two: string): SeenRun {
  return toldRun([{ title: `Label ${one}` }, { title: `Label ${two}` }]);
}
