import { describe, expect, it } from 'vitest';

import { consequencesOf, type JudgedCheck } from '../../../src/record/consequences.ts';
import type { SeenMismatch } from '../../../src/record/signs.ts';

type Judged = JudgedCheck['evidence']['judgements'][number];
type Exchange = JudgedCheck['evidence']['exchanges'][number];

const REFUSAL: Exchange = {
  position: 1,
  request: { method: 'GET', path: '/account/state' },
  response: { status: 404 },
};
const EXCHANGES: readonly Exchange[] = [
  REFUSAL,
  { ...REFUSAL, position: 2 },
  { position: 3, request: { method: 'GET', path: '/printers?limit=2' }, response: { status: 200 } },
  { position: 4, request: { method: 'GET', path: '/webhooks' }, response: { status: 200 } },
  { position: 5, request: { method: 'GET', path: '/computers?limit=1' }, response: { status: 200 } },
];

const REFUSED: SeenMismatch = {
  at: 'GET /account/state',
  expected: 'a 2xx status',
  actual: 'status 404 with "active"',
  exchange: 1,
  wanted: { status: '2..' },
};
const OTHER_REFUSAL: SeenMismatch = { ...REFUSED, expected: 'status 401', exchange: 2, wanted: { status: '401' } };
const LACKING: SeenMismatch = {
  at: 'age of the state',
  expected: 'integer',
  actual: 'nothing',
  exchange: 1,
  absent: 'all',
};

function check(verdict: JudgedCheck['verdict'], ...judgements: readonly Judged[]): JudgedCheck {
  return { verdict, evidence: { judgements, exchanges: EXCHANGES } };
}

const broken = (clause: string, ...mismatches: readonly SeenMismatch[]): JudgedCheck =>
  check('fail', ...mismatches.map((mismatch) => ({ clause, mismatch })));
const kept = (clause: string, times = 1): JudgedCheck =>
  check('pass', ...Array.from({ length: times }, () => ({ clause })));

const LEVELS = {
  cause: { level: 'must' },
  other: { level: 'must' },
  must: { level: 'must' },
  should: { level: 'should' },
};

const found = (...checks: readonly JudgedCheck[]): object =>
  Object.fromEntries(consequencesOf({ checks, clauses: LEVELS }));

/** What one defect shows, twice. */
const SHOWN: Readonly<Record<string, readonly [SeenMismatch, SeenMismatch]>> = {
  'a refusal': [REFUSED, { ...REFUSED, at: 'GET /account/state, with another key', exchange: 2 }],
  'a page': [
    { at: 'body of GET /printers?limit=2', expected: 'records [1]', actual: '[1, 2]', exchange: 3, differs: 'records' },
    { at: 'body of GET /computers?limit=1', expected: '1 record', actual: '2', exchange: 5, differs: 'records' },
  ],
  'a part of an answer': [
    { at: 'messages of the webhook', expected: '["*"]', actual: '["0"]', exchange: 4 },
    {
      at: 'POST /webhook, a Child: messages of the webhook',
      part: 'messages of the webhook',
      expected: '["a"]',
      actual: '["0"]',
    },
  ],
  'an order': [
    { at: 'body of GET /printjobs', expected: 'records [3, 2]', actual: 'records [2, 3]', differs: 'order' },
    { at: 'body of GET /computers', expected: 'ids in order asc', actual: '[2,1]', differs: 'order' },
  ],
  'a word': [
    { at: 'state after PUT', expected: 'active', actual: 'suspended' },
    { at: 'body of GET /account/state', expected: '"active"', actual: '"suspended"' },
  ],
};
const PAIRS = Object.keys(SHOWN).flatMap((one) => Object.keys(SHOWN).map((other) => [one, other] as const));

describe('a clause that is broken as often as kept', () => {
  it.each(PAIRS)('beside one that is always broken, %s there and %s here', (one, other) => {
    const [[cause], [, consequence]] = [SHOWN[one] ?? [], SHOWN[other] ?? []];
    if (!cause || !consequence) throw new Error('it is in the table');
    const told = found(broken('cause', cause), broken('other', consequence), kept('other'));
    expect(told).toEqual(one === other ? { other: 'cause' } : {});
  });

  it.each([
    ['is broken more often than kept', [broken('other', REFUSED)]],
    ['is broken in another way as well', [broken('other', REFUSED, { ...LACKING, exchange: 4 }), kept('other', 9)]],
    ['failed where that is known', [{ ...broken('other', REFUSED), known: {} }, kept('other')]],
    ['was only kept in a check that was flaky', [broken('other', REFUSED), { ...kept('other'), verdict: 'flaky' }]],
    [
      'was observed, and met a deviation',
      [
        broken('other', REFUSED),
        check('pass', { clause: 'other', observation: 'x' }, { clause: 'other', countedIn: 'x' }),
      ],
    ],
  ] as const)('is broken where it %s', (_, checks) => {
    expect(found(broken('cause', REFUSED), ...checks)).toEqual({});
  });

  it.each([
    ['is kept as often as broken', [broken('cause', REFUSED), kept('cause')]],
    ['is known to fail', [{ ...broken('cause', REFUSED), known: {} }]],
    ['broke in a check that was flaky', [{ ...broken('cause', REFUSED), verdict: 'flaky' }]],
    ['is of a lesser level', [broken('should', REFUSED)]],
  ] as const)('is no consequence of one that %s', (_, checks) => {
    expect(found(...checks, broken('other', REFUSED), kept('other'))).toEqual({});
  });

  it.each([
    ['the same, of another thing', '{"code":"BadRequest","message":"job 8 is too old"}', { other: 'cause' }],
    ['something else', '{"code":"BadRequest","message":"no such printer"}', {}],
    ['the same under another code', '{"code":"Conflict","message":"job 7 is too old"}', {}],
    ['what is no error object', '[]', {}],
    ['what is no JSON', 'refused', {}],
  ] as const)('where both are refused, and the other answer says %s', (_, body, expected) => {
    const first = { ...REFUSAL, response: { status: 404, body: '{"code":"BadRequest","message":"job 7 is too old"}' } };
    const second = { ...REFUSAL, position: 2, response: { status: 404, body } };
    const judged = [broken('cause', REFUSED), broken('other', { ...REFUSED, exchange: 2 }), kept('other')];
    const checks = judged.map((one) => ({ ...one, evidence: { ...one.evidence, exchanges: [first, second] } }));
    expect(found(...checks)).toEqual(expected);
  });

  it('is laid to the first of those that explain it', () => {
    const checks = [broken('cause', REFUSED), broken('other', REFUSED), broken('should', REFUSED), kept('should')];
    expect(found(...checks)).toEqual({ should: 'cause' });
    expect(found(...checks.toReversed())).toEqual({ should: 'other' });
  });

  it('is a consequence of one of a stricter level', () => {
    expect(found(broken('cause', REFUSED), broken('should', REFUSED), kept('should'))).toEqual({ should: 'cause' });
  });

  it('was refused otherwise than it was to be, where what was to be taken is refused so', () => {
    const checks = [broken('other', OTHER_REFUSAL), kept('other', 60)];
    expect(found(broken('cause', REFUSED), ...checks)).toEqual({ other: 'cause' });
    expect(found(broken('cause', { ...OTHER_REFUSAL, expected: 'status 400' }), ...checks)).toEqual({});
  });
});

it('is said of no clause that a deviation names, which is broken throughout', () => {
  const checks = [broken('cause', REFUSED), broken('other', REFUSED), kept('other')];
  const run = { checks, clauses: LEVELS, deviations: [{ clauses: ['cause'] }, { clauses: ['should', 'other'] }] };
  expect([...consequencesOf(run)]).toEqual([]);
});

it('is not laid to a rule of the device link that is of a lesser level', () => {
  const checks = [broken('linked', REFUSED), broken('other', REFUSED), kept('other')];
  const toldAt = (level: string): object =>
    Object.fromEntries(consequencesOf({ checks, clauses: LEVELS, linkClauses: { linked: { level } } }));
  expect([toldAt('must'), toldAt('should')]).toEqual([{ other: 'linked' }, {}]);
});

it('is said of no clause that was only kept', () => {
  expect(found(broken('cause', REFUSED), kept('other'))).toEqual({});
});

describe('what is not there in an answer', () => {
  it('is laid to the status of the answer, where that is wrong, however often it is broken', () => {
    expect(found(broken('cause', REFUSED), kept('cause', 5), broken('other', LACKING))).toEqual({ other: 'cause' });
    expect(found(broken('cause', REFUSED), broken('other', { ...LACKING, exchange: 2 }))).toEqual({});
    expect(found(broken('cause', REFUSED), broken('other', { ...LACKING, absent: [], exchange: 3 }))).toEqual({});
  });

  it('is laid to no status where no answer is named', () => {
    const [refused, lacking] = [REFUSED, LACKING].map(({ exchange: _exchange, ...mismatch }) => mismatch);
    if (!refused || !lacking) throw new Error('there are two');
    expect(found(broken('cause', refused), broken('other', lacking))).toEqual({});
  });

  it('is laid to the cause of that status', () => {
    const read = broken('should', LACKING);
    const checks = [broken('cause', REFUSED), broken('other', REFUSED), kept('other'), read];
    expect(found(...checks.toReversed())).toEqual({ other: 'cause', should: 'cause' });
  });

  it('explains nothing that is not there in another answer', () => {
    const elsewhere = broken('other', { ...LACKING, exchange: 3 });
    expect(found(broken('cause', REFUSED), broken('must', LACKING), elsewhere, kept('other'))).toEqual({
      must: 'cause',
    });
  });

  it('is no status that is wrong, nor what is there', () => {
    expect(found(broken('cause', REFUSED), broken('other', { ...REFUSED, absent: 'all' }))).toEqual({});
    const { absent: _absent, ...there } = LACKING;
    expect(found(broken('cause', REFUSED), broken('other', there))).toEqual({});
  });
});
