import { expect, it } from 'vitest';

import { jobs } from '../../../../src/scenario/expect/jobs.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';

const HISTORY = [
  { state: 'new', message: '' },
  { state: 'sent_to_client', message: '' },
  { state: 'error', message: 'No Paper in tray' },
];

/** The jobs called letter, with their histories. */
function setup(...histories: readonly (readonly object[] | undefined)[]): ToldSetup {
  const all = histories.map((_, index) => ({ name: 'letter', id: index + 5 }));
  return { jobsNamed: (name: string) => (name === 'letter' ? all : []), states: async () => histories };
}

it.each<readonly [string, unknown, readonly (readonly object[] | undefined)[], readonly string[]]>([
  ['its state', 'error', [HISTORY], []],
  ['another state', 'done', [HISTORY], ['state of letter | done | error']],
  ['a state it has no more', 'new', [HISTORY], ['state of letter | new | error']],
  ['no state', 'done', [[]], ['state of letter | done | no state']],
  ['no history', 'done', [undefined], ['state of letter | done | no state']],
  ['its states', { states: ['new', 'sent_to_client', 'error'] }, [HISTORY], []],
  [
    'other states',
    { states: ['new', 'error'] },
    [HISTORY],
    ['states of letter | new → error | new → sent_to_client → error'],
  ],
  ['states it never had', { never: ['done', 'expired'] }, [HISTORY], []],
  [
    'a state it had',
    { never: ['done', 'sent_to_client'] },
    [HISTORY],
    ['states of letter | never sent_to_client | new → sent_to_client → error'],
  ],
  [
    'the first of two states it had',
    { never: ['sent_to_client', 'new'] },
    [HISTORY],
    ['states of letter | never new | new → sent_to_client → error'],
  ],
  ['a state of one letter', 'x', [[{ state: 'x' }]], []],
  ['a part of its message', { message: 'no paper' }, [HISTORY], []],
  ['a part in capitals', { message: 'NO PAPER' }, [HISTORY], []],
  [
    'another message',
    { message: 'jam' },
    [HISTORY],
    ["message of letter | a message that contains 'jam' | 'No Paper in tray'"],
  ],
  [
    'a message of an earlier state',
    { message: 'paper' },
    [[...HISTORY, { state: 'done', message: '' }]],
    ["message of letter | a message that contains 'paper' | none"],
  ],
  [
    'a message of a state without one',
    { message: 'x' },
    [[{ state: 'new', message: null }]],
    ["message of letter | a message that contains 'x' | none"],
  ],
  ['a message of no state', { message: 'x' }, [[]], ["message of letter | a message that contains 'x' | none"]],
  ['nothing', {}, [HISTORY], []],
  ['both of two', 'error', [HISTORY, HISTORY], []],
  [
    'both of two, one of which differs',
    'error',
    [HISTORY, [{ state: 'new' }]],
    ['state of letter (job 6) | error | new'],
  ],
  [
    'all that differs',
    { state: 'done', states: [], never: ['new'], message: 'x' },
    [[{ state: 'new', message: 'y' }]],
    [
      'state of letter | done | new',
      'states of letter |  | new',
      'states of letter | never new | new',
      "message of letter | a message that contains 'x' | 'y'",
    ],
  ],
])('expects of a job %s', async (_, wanted, histories, expected) => {
  expect(await linesOf(jobs, { letter: wanted }, setup(...histories))).toEqual(expected);
});

it('names the job that differs', async () => {
  expect(await breaksOf(jobs, { letter: 'done' }, setup(HISTORY))).toMatchObject([{ jobs: ['letter'] }]);
});

it.each([
  { letter: '' },
  { letter: { state: '' } },
  { letter: { message: '' } },
  { letter: { never: [''] } },
  { letter: { other: 1 } },
])('refuses %j', (given) => {
  expect(jobs.safeParse(given).success).toBe(false);
});
