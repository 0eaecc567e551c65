import { describe, expect, it } from 'vitest';

import { collectFacts } from '../../../../src/oracle/account/job-facts.ts';
import { Presence } from '../../../../src/oracle/account/presence.ts';
import {
  ask,
  begins,
  client,
  connects,
  goes,
  inTime,
  KEY,
  quiet,
  restarted,
  sleeps,
  wakes,
  type Told,
} from '../../../support/told-history.ts';

function presenceAfter(seen: readonly Told[]): Presence {
  const history = inTime([ask('GET /noop'), ...seen]);
  const presence = new Presence(collectFacts(history));
  for (const [place, observation] of history.entries()) presence.see(observation, place);
  return presence;
}

const suspended = ask('PUT /account/state', { sent: 'suspended' });

describe('a computer is surely connected', () => {
  it.each<readonly [string, readonly Told[], boolean]>([
    ['that never came', [], false],
    ['that came', [connects()], true],
    ['that left', [connects(), goes()], false],
    ['that left and came back', [connects(), goes(), connects()], true],
    ['when another left', [connects(), connects(2), goes(2)], true],
    ['that sleeps', [connects(), sleeps()], false],
    ['that woke up', [connects(), sleeps(), wakes()], true],
    ['when another sleeps', [connects(), connects(2), sleeps(2)], true],
    ['that connected again out of its sleep', [connects(), sleeps(), connects()], true],
    ['of a service that was restarted', [connects(), restarted], false],
    ['that came back to a service that was restarted', [connects(), restarted, connects()], true],
    ['of an account that was suspended', [connects(), suspended], false],
    [
      'of an account that could not be suspended',
      [connects(), ask('PUT /account/state', { sent: 'suspended', status: 400 })],
      true,
    ],
    ['of an account that became active', [connects(), ask('PUT /account/state', { sent: 'active' })], true],
    [
      'when another account was suspended',
      [connects(), ask('PUT /account/state', { sent: 'suspended', key: 'other', account: '8' })],
      true,
    ],
  ])('%s', (_, seen, expected) => {
    expect(presenceAfter(seen).isSurelyConnected(1)).toBe(expected);
  });
});

describe('computers that got no welcome', () => {
  it.each<readonly [string, readonly Told[], number]>([
    ['none', [connects()], 0],
    ['one', [begins('NEW')], 1],
    ['one that began twice', [begins('NEW'), begins('NEW')], 1],
    ['two', [begins('NEW'), begins('OTHER')], 2],
    ['one that got it in the end', [begins('NEW'), connects(3, { client: client('NEW') })], 0],
    ['one that is known', [connects(1, { client: client('DESK') }), begins('DESK')], 0],
    ['one that is no longer known', [connects(5, { client: client('DESK') }), begins('DESK')], 1],
    ['one of another account', [ask('GET /noop', { key: 'other', account: '8' }), begins('NEW', 'other')], 0],
  ])('%s', (_, seen, expected) => {
    expect(presenceAfter(seen).unwelcomedBeside('7', new Set([1]))).toBe(expected);
  });
});

describe('something that began at place 4 may have got to a computer', () => {
  // Place 0 is a request with the key of the account.
  it.each<readonly [string, readonly Told[], boolean]>([
    ['that is there', [connects(), quiet, quiet], true],
    ['that was never there', [quiet, quiet, quiet], false],
    ['that came later', [quiet, quiet, quiet, connects()], true],
    ['that left before, though all was not quiet', [connects(), goes(), ask('GET /noop'), ask('GET /noop')], true],
    ['that left before all was quiet', [connects(), goes(), quiet, ask('GET /noop')], false],
    ['that left before all was quiet right then', [connects(), goes(), ask('GET /noop'), quiet], true],
    ['that left later', [connects(), quiet, quiet, quiet, goes(), quiet], true],
    ['that left and came back before all was quiet', [connects(), goes(), connects(), quiet], true],
    ['that left and came back long before', [connects(), goes(), connects(), quiet, quiet], true],
    ['of a service that was restarted before', [connects(), restarted, quiet, quiet], false],
    ['that came back to a service that was restarted', [connects(), restarted, connects(), quiet], true],
    ['when another left', [connects(), connects(2), goes(2), quiet], true],
  ])('%s', (_, seen, expected) => {
    expect(presenceAfter(seen).mayHaveGot(1, 4)).toBe(expected);
  });

  it('of which nothing is known', () => {
    expect(presenceAfter([]).mayHaveGot(undefined, 3)).toBe(true);
  });

  /** Away from place 3 on; at place 6 it is back, six seconds after the beginning. */
  const back = [connects(), goes(), quiet, quiet, quiet, connects()];

  it.each<readonly [string, number, { place?: number; ms?: number }, boolean]>([
    ['that came back', 4, {}, true],
    ['that came back where it was over before', 4, { place: 5 }, false],
    ['that came back right where it was over', 4, { place: 6 }, true],
    ['that came back after it was over', 4, { ms: 5_999 }, false],
    ['that came back when it was over', 4, { ms: 6_000 }, true],
    ['that was still there', 3, { place: 5 }, true],
    ['that was still there for long', 3, { ms: 5_000 }, true],
    ['that was back before', 7, { place: 8, ms: 9_000 }, true],
  ])('%s', (_, since, over, expected) => {
    expect(presenceAfter(back).mayHaveGot(1, since, over)).toBe(expected);
  });

  it('that was away twice', () => {
    const twice = presenceAfter([...back, goes(), quiet, quiet, connects()]);
    expect(twice.mayHaveGot(1, 4, { place: 5 })).toBe(false);
    expect(twice.mayHaveGot(1, 9, { place: 9 })).toBe(false);
    expect(twice.mayHaveGot(1, 7, { place: 9 })).toBe(true);
  });
});

it('counts the time of a computer as that at which it began to connect again', () => {
  const presence = presenceAfter([connects(), goes(), quiet, connects(1, { sentMs: 3_000, atMs: 9_000 })]);
  expect(presence.mayHaveGot(1, 4, { ms: 3_000 })).toBe(true);
  expect(presence.mayHaveGot(1, 4, { ms: 2_999 })).toBe(false);
});

it('knows the account of a key', () => {
  expect(presenceAfter([begins('NEW', KEY)]).unwelcomedBeside('8', new Set())).toBe(0);
});
