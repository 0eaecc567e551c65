import { expect, it } from 'vitest';

import { Findings } from '../../../../src/oracle/account/account-judge.ts';
import { collectFacts } from '../../../../src/oracle/account/job-facts.ts';
import type { Circumstances } from '../../../../src/oracle/account/observation.ts';
import { Occurrences } from '../../../../src/oracle/account/occurrences.ts';
import {
  ask,
  connects,
  DESK,
  delivers,
  goes,
  inTime,
  quiet,
  reports,
  restarted,
  sendsReport,
  sleeps,
  submits,
  type Told,
} from '../../../support/told-history.ts';

function occurrencesIn(seen: readonly Told[], circumstances: Partial<Circumstances> = {}): Occurrences {
  const history = inTime([ask('GET /noop'), ...seen]);
  const given = { isLinkDisturbed: false, isVirtual: true, ...circumstances } as Circumstances;
  const occurrences = new Occurrences(new Findings(given, []), collectFacts(history));
  for (const [place, observation] of history.entries()) occurrences.see(observation, place);
  occurrences.end();
  return occurrences;
}

/** What happened, from which place and second to which, and whether that is sure. */
function told(seen: readonly Told[], circumstances: Partial<Circumstances> = {}): readonly string[] {
  return occurrencesIn(seen, circumstances).all.map(
    ({ subject, account, type, fromPlace, toPlace, fromMs, toMs, isSure }) =>
      `${type === 'computer state' ? '' : 'a '}${subject} of ${account}, ${fromPlace}–${toPlace}, ${fromMs / 1_000}–${toMs / 1_000} s${isSure ? '' : '?'}`,
  );
}

it.each<[string, readonly Told[], readonly string[], Partial<Circumstances>?]>([
  [
    'computers come and go',
    [connects(1, { sentMs: 500 }), goes()],
    ['computer 1 of 7, 1–1, 0.5–1 s', 'computer 1 of 7, 2–2, 2–2 s'],
  ],
  ['an unknown one goes', [goes()], ['computer 1 of , 1–1, 1–1 s']],
  ['frames get lost', [connects()], ['computer 1 of 7, 1–1, 1–1 s?'], { isLinkDisturbed: true }],
  ['time passes by itself', [connects()], ['computer 1 of 7, 1–1, 1–1 s?'], { isVirtual: false }],
  [
    'a computer is deleted later',
    [connects(), ask('DELETE /computers/1', { value: [1] })],
    ['computer 1 of 7, 1–1, 1–1 s'],
  ],
  [
    'the service was killed',
    [connects(), restarted, goes(), connects(), goes()],
    [
      'computer 1 of 7, 1–1, 1–1 s',
      'computer 1 of 7, 3–3, 3–3 s?',
      'computer 1 of 7, 4–4, 4–4 s?',
      'computer 1 of 7, 5–5, 5–5 s',
    ],
  ],
  ['a job is submitted', [submits(1, {}, { sentMs: 500 })], ['a job 1 new of 7, 1–1, 0.5–1 s']],
  [
    'a job is delivered',
    [submits(1), delivers(1)],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s'],
  ],
  [
    'a job is delivered after all was quiet',
    [submits(1), quiet, delivers(1)],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 2–3, 1–3 s'],
  ],
  [
    'a job is delivered again',
    [submits(1), delivers(1), delivers(1)],
    [
      'a job 1 new of 7, 1–1, 1–1 s',
      'a job 1 sent_to_client of 7, 1–2, 1–2 s',
      'a job 1 sent_to_client of 7, 1–3, 1–3 s?',
    ],
  ],
  [
    'a job is delivered to a computer that slept',
    [sleeps(), submits(1), quiet, delivers(1)],
    ['a job 1 new of 7, 2–2, 2–2 s', 'a job 1 sent_to_client of 7, 2–4, 2–4 s'],
  ],
  [
    'a job is delivered on a link that loses frames',
    [submits(1), quiet, delivers(1)],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–3, 1–3 s'],
    { isLinkDisturbed: true },
  ],
  [
    'a report is acknowledged',
    [submits(1), delivers(1), reports(1)],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s', 'a job 1 done of 7, 3–4, 3–4 s'],
  ],
  [
    'a report is sent twice',
    [submits(1), delivers(1), sendsReport(1), reports(1)],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s', 'a job 1 done of 7, 3–5, 3–5 s'],
  ],
  [
    'a report is acknowledged twice',
    [submits(1), delivers(1), reports(1), { ...sendsReport(1), kind: 'report' }],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s', 'a job 1 done of 7, 3–4, 3–4 s'],
  ],
  [
    'a report is not acknowledged',
    [submits(1), delivers(1), sendsReport(1)],
    [
      'a job 1 new of 7, 1–1, 1–1 s',
      'a job 1 sent_to_client of 7, 1–2, 1–2 s',
      'a job 1 done of 7, 3–Infinity, 3–Infinity s?',
    ],
  ],
  [
    'an acknowledgement is all that is seen of a report',
    [submits(1), delivers(1), { ...sendsReport(1), kind: 'report' }],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s', 'a job 1 done of 7, 1–3, 1–3 s'],
  ],
  [
    'a report comes of a job whose computer was deleted',
    [DESK, submits(1), delivers(1), reports(1, 'error'), ask('DELETE /computers/1', { value: [1] }), reports(1)].flat(),
    [
      'computer 1 of 7, 1–1, 1–1 s',
      'a job 1 new of 7, 6–6, 6–6 s',
      'a job 1 sent_to_client of 7, 6–7, 6–7 s',
      'a job 1 error of 7, 8–9, 8–9 s',
      'a job 1 done of 7, 11–12, 11–12 s?',
    ],
  ],
  [
    'another state is reported',
    [submits(1), delivers(1), reports(1, 'jam')],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s'],
  ],
  [
    'a job may have expired',
    [submits(1, { expireAfter: 2 }), quiet, quiet],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 expired of 7, 1–Infinity, 3–3 s?'],
  ],
  [
    'a job was delivered',
    [submits(1, { expireAfter: 2 }), delivers(1), quiet, quiet],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 sent_to_client of 7, 1–2, 1–2 s'],
  ],
  ['a job has not expired yet', [submits(1, { expireAfter: 3 }), quiet, quiet], ['a job 1 new of 7, 1–1, 1–1 s']],
  [
    'a job was cancelled that may have expired before',
    [submits(1, { expireAfter: 1 }), quiet, ask('DELETE /printjobs/1', { value: [1] }), quiet],
    ['a job 1 new of 7, 1–1, 1–1 s', 'a job 1 expired of 7, 1–Infinity, 2–2 s?'],
  ],
  [
    'a job was cancelled',
    [submits(1, { expireAfter: 9 }), ask('DELETE /printjobs/1', { value: [1] }), quiet, quiet],
    ['a job 1 new of 7, 1–1, 1–1 s'],
  ],
])('knows what happened when %s', (_, seen, expected, circumstances) => {
  expect(told(seen, circumstances)).toEqual(expected);
});

it('knows when all was quiet last, and when the service was killed', () => {
  const { endMs, endPlace, restartsMs } = occurrencesIn([quiet, restarted, quiet, goes()]);
  expect([endMs, endPlace, restartsMs]).toEqual([3_000, 3, [2_000]]);
});

it.each<readonly [string, Told, readonly boolean[]]>([
  ['suspended', ask('PUT /account/state', { sent: 'suspended' }), [true, false]],
  ['made active', ask('PUT /account/state', { sent: 'active' }), [false, false]],
  ['another one', ask('PUT /account/state', { sent: 'suspended', key: 'other', account: '8' }), [false, false]],
  ['asked', ask('POST /account/state', { sent: 'suspended' }), [false, false]],
])('does not know what computers do of an account that was %s', (_, seen, expected) => {
  const occurrences = occurrencesIn([connects(), submits(1), seen]);
  expect(occurrences.all.map((one) => occurrences.isUnsettled(one))).toEqual(expected);
});
