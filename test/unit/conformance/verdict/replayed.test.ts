import { expect, it } from 'vitest';

import { requestKind } from '../../../../src/common/request-name.ts';
import {
  foreignRequests,
  replayExitCode,
  replayMessage,
  replayWord,
  type JudgedCheck,
} from '../../../../src/conformance/verdict/replayed.ts';
import type { Verdict } from '../../../../src/record/words.ts';

type Judgements = JudgedCheck['evidence']['judgements'];

function check(verdict: Verdict, judgements: Judgements): JudgedCheck {
  return { verdict, evidence: { judgements, exchanges: [] } };
}

const KEPT = { clause: 'misc/ping' };
const BROKEN = { clause: 'misc/ping', mismatch: {} };
const OTHER = { clause: 'misc/noop' };
const FAILURE = { broken: ['misc/ping'], hadFailed: true, foreign: [] };
const NOTHING_SENT: ReadonlySet<string> = new Set();

it.each([
  ['kept now', check('pass', [KEPT]), 'FIXED'],
  [
    'kept in a check that warns of another clause',
    check('warn', [KEPT, { clause: 'misc/noop', mismatch: {} }]),
    'FIXED',
  ],
  ['broken again', check('fail', [BROKEN]), 'FAILED'],
  ['broken again, and only a warning', check('warn', [BROKEN]), 'FAILED'],
  ['kept, and another clause broken', check('fail', [KEPT, { clause: 'misc/noop', mismatch: {} }]), 'FAILED'],
  [
    'kept in a check that observes something',
    check('observed', [KEPT, { clause: 'gap/whoami-tags', observation: 'nothing' }]),
    'FIXED',
  ],
  ['not come to, though the check ended well', check('pass', [OTHER]), 'NOT JUDGED AGAIN'],
  ['only observed', check('observed', [{ clause: 'misc/ping', observation: 'no content' }]), 'NOT JUDGED AGAIN'],
  ['kept before the check was blocked', check('blocked', [KEPT]), 'NOT JUDGED AGAIN'],
  ['not tried', check('untestable', []), 'NOT JUDGED AGAIN'],
  ['broken once', check('flaky', [BROKEN]), 'FLAKY'],
  ['in a check that broke itself', check('harness-error', []), 'BROKEN'],
] as const)('says of a clause that was broken and is %s: %#', (_, now, word) => {
  expect(replayWord(FAILURE, now, NOTHING_SENT)).toBe(word);
});

it.each([
  ['FIXED', ['misc/ping', 'misc/noop'], 'judged again and kept: misc/ping, misc/noop'],
  ['FIXED', [], 'it had failed without a broken clause, and passes now'],
  ['NOT JUDGED AGAIN', ['misc/ping'], 'a remark'],
] as const)('says after %s of %s what was judged, or what the check says', (word, broken, message) => {
  expect(replayMessage(word, broken, { message: 'a remark' })).toBe(message);
});

it('says of a check that had not failed that it passed', () => {
  expect(replayWord({ broken: [], hadFailed: false, foreign: [] }, check('pass', [KEPT]), NOTHING_SENT)).toBe('PASSED');
});

it('calls a rule of every response fixed only when the request that broke it was sent again', () => {
  const culprit = { position: 3, sender: 'some/sender', request: { method: 'GET', path: '/printers/12?limit=3' } };
  const failure = { ...FAILURE, foreign: [culprit] };
  expect(replayWord(failure, check('pass', [KEPT]), NOTHING_SENT)).toBe('NOT JUDGED AGAIN');
  const sent = new Set([requestKind({ method: 'GET', path: '/printers/98' })]);
  expect(replayWord(failure, check('pass', [KEPT]), sent)).toBe('FIXED');
});

it('ends with 0 only when all is fixed', () => {
  expect(replayExitCode(['FIXED', 'PASSED'])).toBe(0);
  expect(replayExitCode(['FIXED', 'NOT JUDGED AGAIN'])).toBe(2);
  expect(replayExitCode(['FLAKY'])).toBe(2);
  expect(replayExitCode(['NOT JUDGED AGAIN', 'FAILED'])).toBe(1);
  expect(replayExitCode(['FAILED', 'BROKEN'])).toBe(70);
});

it.each([
  ['/printers/12/printjobs/3,4', 'GET /printers/#/printjobs/#'],
  ['/account/tag/platen-7-tag', 'GET /account/tag/#'],
  ['/printers?limit=3', 'GET /printers'],
  ['/whoami', 'GET /whoami'],
])('takes %s for the kind %s', (path, kind) => {
  expect(requestKind({ method: 'GET', path })).toBe(kind);
});

it('knows the requests of other checks that showed a broken clause', () => {
  const request = { method: 'GET', path: '/ping' };
  const own = { position: 1, request };
  const shown = { position: 2, sender: 'some/sender', request };
  const sound = { position: 3, sender: 'some/sender', request };
  const judgements = [
    { clause: 'a', mismatch: { exchange: 1 } },
    { clause: 'b', mismatch: { exchange: 2 } },
    KEPT,
    BROKEN,
  ];
  expect(foreignRequests({ evidence: { judgements, exchanges: [own, shown, sound] } })).toEqual([shown]);
});
