import { describe, expect, it } from 'vitest';

import type { Mismatch } from '../../../src/oracle/mismatch.ts';
import { followersOf, stalledWith, type FailedCheck } from '../../../src/record/defects.ts';

type Differs = 'records' | 'order';
type Broken = readonly [clause: string, at: string, expected: string, actual: string, differs?: Differs];

function failed(id: string, requests: number, ...broken: readonly Broken[]): FailedCheck {
  const judgements = broken.map(([clause, ...told], exchange) => ({ clause, mismatch: mismatchOf(told, exchange) }));
  const exchanges = broken.flatMap(([, ...told], position) => exchangeOf(told, position));
  return { id, verdict: 'fail', message: `what ${id} says`, requests, evidence: { judgements, exchanges } };
}

type Told = readonly [at: string, expected: string, actual: string, differs?: Differs];

function mismatchOf([at, expected, actual, differs]: Told, exchange: number): Mismatch {
  const status = { 'a 2xx status': '2..', 'a 4xx status': '4..' }[expected] ?? /^status (\d+)$/.exec(expected)?.[1];
  return {
    at,
    expected,
    actual,
    exchange,
    ...(status !== undefined && { wanted: { status } }),
    ...(differs && { differs }),
  };
}

/** The exchange that `GET /printers` names, with the status that came. */
function exchangeOf([at, , actual]: Told, position: number): FailedCheck['evidence']['exchanges'] {
  const [, method, path] = /([A-Z]+) (\/\S*)/.exec(at) ?? [];
  if (method === undefined || path === undefined) return [];
  const status = Number(/^status (\d+)/.exec(actual)?.[1] ?? 200);
  return [{ position, request: { method, path }, response: { status } }];
}

function blocked(id: string, message: string): FailedCheck {
  return { id, verdict: 'blocked', message, requests: 1, evidence: { judgements: [], exchanges: [] } };
}

function unmet(id: string, ...told: Told): FailedCheck {
  const evidence = { judgements: [], exchanges: exchangeOf(told, 7) };
  return { ...blocked(id, `what stopped ${id}`), unmet: mismatchOf(told, 7), evidence };
}

function followers(...checks: readonly FailedCheck[]): object {
  return Object.fromEntries(followersOf(checks));
}

const at = (path: string): Broken => ['service/key', `GET ${path}`, 'status 401', 'status 200 with []'];
const lost = (id: string): FailedCheck => blocked(id, 'no computer could be connected: refused with 503');

const CREATED: Broken = ['print-jobs/created', 'POST /printjobs', 'status 201', 'status 500 with {"uid":"8c1"}'];

it('takes what a refused request blocks or fails for one defect, shown by the shortest check that fails', () => {
  const long = failed('a/long', 40, ['states/first', 'POST /printjobs', 'a 2xx status', 'status 500 with {}']);
  const short = failed('b/short', 2, CREATED);
  const victim = unmet('c/victim', 'POST /printjobs', 'status 201', 'status 500 with {"uid":"77f"}');
  const other = unmet('d/other', 'POST /webhook', 'status 201', 'status 500 with {}');
  expect(followers(victim, long, short, other)).toEqual({ 'a/long': 'b/short', 'c/victim': 'b/short' });
});

it('lets a check of what an answer lacks follow the one that shows its status to be wrong', () => {
  const status = failed('b/status', 9, ['a', 'GET /scales', 'status 200', 'status 404 with {}']);
  const lacking = failed('a/lacking', 1, ['b', 'age of GET /scales', 'integer', 'nothing']);
  const judgements = lacking.evidence.judgements.flatMap(({ clause, mismatch }) =>
    mismatch ? [{ clause, mismatch: { ...mismatch, absent: 'all' as const } }] : [],
  );
  const reader: FailedCheck = { ...lacking, verdict: 'warn', evidence: { ...status.evidence, judgements } };
  expect(followers(reader, status)).toEqual({ 'a/lacking': 'b/status' });
});

it('takes what stopped two checks for one defect, whatever each says of it', () => {
  const refused = ['POST /printjobs', 'status 201', 'status 500 with {}'] as const;
  expect(followers(unmet('a/one', ...refused), unmet('a/other', ...refused))).toEqual({ 'a/other': 'a/one' });
});

it('takes a rule that is broken in the same way on other endpoints for one defect, whatever the ids', () => {
  expect(followers(failed('a/1', 1, at('/printers/17')), failed('a/2', 1, at('/scales')))).toEqual({ 'a/2': 'a/1' });
});

it('distinguishes two defects of one request', () => {
  const type = failed('a/type', 1, [
    'service/json',
    'header Content-Type of GET /ping',
    'application/json',
    'text/html',
  ]);
  const digest = failed('a/md5', 1, ['service/md5', 'header Content-MD5 of GET /ping', 'the MD5', '"abc"']);
  const missing = failed('a/404', 1, ['print-jobs/gone', 'POST /printjobs', 'status 404', 'status 201 with 7']);
  const wrong = failed('a/400', 1, ['print-jobs/bad', 'POST /printjobs', 'status 400', 'status 201 with 8']);
  expect(followers(type, digest, missing, wrong)).toEqual({});
});

it('takes other records on pages that were asked for with one parameter for one defect', () => {
  const records = ['records [64]', 'records [65, 64]', 'records'] as const;
  const list = failed('a/list', 3, ['print-jobs/list', 'body of GET /printjobs?after=65', ...records]);
  const page = failed('b/page', 9, ['service/page-after', 'body of GET /computers/1,2?dir=desc&after=65', ...records]);
  const walk = failed('c/walk', 1, [
    'service/pages-complete',
    'pages of GET /printers/3?limit=2&after=7 joined',
    '[2]',
    '[2,2]',
    'records',
  ]);
  const limit = failed('d/limit', 1, ['printers/list', 'body of GET /printers?limit=1', ...records]);
  const whole = failed('e/whole', 1, ['printers/list', 'body of GET /printers', ...records]);
  expect(followers(list, page, walk)).toEqual({ 'a/list': 'c/walk', 'b/page': 'c/walk' });
  expect(followers(page, limit, whole)).toEqual({ 'e/whole': 'd/limit' });
});

it.for([
  {
    what: 'records in another order',
    one: ['lists/order', 'body of GET /printers', 'records [2, 1]', 'records [1, 2]', 'order'],
    other: ['sets/any', 'body of GET /computers/1,2', 'ids in order desc', '[1,2,3]', 'order'],
  },
  {
    what: 'a word in place of another',
    one: ['accounts/state', 'body of GET /account/state', '"active"', '"enabled"'],
    other: ['accounts/created', 'state after PUT /account/state', 'active', 'enabled'],
  },
  {
    what: 'a time that is measured in several places',
    one: ['events/again', 'time from a failed request to the next', '5000 ms', '100 ms'],
    other: ['limits/retry', 'time from a failed request to the next', '5000 ms', '0 ms'],
  },
] as const)('takes $what for one defect', ({ one, other }) => {
  expect(followers(failed('a/one', 1, one), failed('b/other', 2, other))).toEqual({ 'b/other': 'a/one' });
});

const RECORDS = ['records [64]', 'records [65, 64]', 'records'] as const;
const page = (path: string): Broken => [`lists${path}`, `body of GET ${path}`, ...RECORDS];
const joined: Broken = ['lists/whole', 'pages of GET /printers/3?limit=2&after=7 joined', '[2]', '[2,2]', 'records'];

it.for<readonly [what: string, one: Broken, other: Broken]>([
  ['the same value', ['a', 'enabled of GET /webhooks', 'true', 'false'], ['b', 'may of GET /whoami', 'true', 'false']],
  ['a word where no word was expected', ['a', 'state of GET /a', 'a date', 'new'], ['b', 'name of GET /b', '7', 'new']],
  ['pages with another parameter', page('/printers?limit=1'), page('/printjobs?after=7')],
  ['pages that were not asked with a parameter', page('/printers?limit=1'), page('/printjobs?state=new')],
  ['a walk through pages, and the order of a list', page('/printers?dir=asc'), joined],
  [
    'headers of pages',
    ['a', 'header A of GET /a?limit=1', '1', '2'],
    ['b', 'header B of GET /b?limit=1', '7 %', '8 %'],
  ],
  ['other records, and another order', page('/a?limit=1'), ['b', 'ids of GET /b', '[2,1]', '[1,2]', 'order']],
])('takes %s for nothing that two defects share', ([, one, other]) => {
  expect(followers(failed('a/one', 1, one), failed('b/other', 2, other))).toEqual({});
});

it.for<readonly [what: string, one: Broken, other: Broken]>([
  ['a walk through pages, and a limit', page('/printers?limit=1'), joined],
  ['pages in the same direction', page('/printers?dir=asc'), page('/printjobs?dir=asc')],
  [
    'words that begin with a capital',
    ['a', 'code of an error with status 401', 'InvalidCredentials', 'Unauthorized'],
    ['b', 'code of GET /b', '"InvalidCredentials"', '"Unauthorized"'],
  ],
  [
    'a status with another number',
    ['a', 'GET /printers', 'status 400', 'status 201 with 105'],
    ['a', 'GET /scales', 'status 400', 'status 201 with 106'],
  ],
])('takes %s for one defect', ([, one, other]) => {
  expect(followers(failed('a/one', 1, one), failed('b/other', 2, other))).toEqual({ 'b/other': 'a/one' });
});

/** A time that is too short, seen as this was requested. */
function tooSoon(id: string, clause: string, path: string): FailedCheck {
  const check = failed(id, 1, [clause, 'time to the next request', '5000 ms', '0 ms']);
  const exchanges = [{ position: 0, request: { method: 'POST', path }, response: { status: 201 } }];
  return { ...check, evidence: { ...check.evidence, exchanges } };
}

it('takes a time of no request for one defect, whichever exchange was seen', () => {
  expect(followers(tooSoon('a/1', 'one', '/printjobs'), tooSoon('a/2', 'other', '/webhook'))).toEqual({ 'a/2': 'a/1' });
});

it('shows a defect by a check of its cause before one of consequences alone, in however few requests', () => {
  const whole: Broken = ['accounts/whoami', 'body of GET /whoami', 'an object', '[]'];
  const part: Broken = ['service/any', 'body of GET /whoami', 'an object', '[]'];
  const alone = failed('a/part', 1, part);
  const judgements = [{ clause: 'states/kept' }, ...alone.evidence.judgements];
  const checks = [{ ...alone, evidence: { ...alone.evidence, judgements } }, failed('b/whole', 9, part, whole)];
  const consequences = new Map([['service/any', 'accounts/whoami']]);
  expect(Object.fromEntries(followersOf(checks, consequences))).toEqual({ 'a/part': 'b/whole' });
  expect(followers(...checks)).toEqual({ 'b/whole': 'a/part' });
});

it('keeps a check that shows something more than another one', () => {
  const more = failed('a/more', 9, CREATED, ['states/order', 'body of GET /printjobs/states', 'in order', '[2,1]']);
  expect(followers(failed('a/one', 1, CREATED), more)).toEqual({});
});

it('takes what nothing but the same words explain for one defect, and leaves out what is known', () => {
  expect(followers(lost('a/1'), lost('a/2'), { ...lost('a/3'), known: {} })).toEqual({ 'a/2': 'a/1' });
});

it('lays what a dead service leaves blocked to the check that it died in', () => {
  const died = failed('a/died', 1, ['misc/ping', 'GET /ping', 'status 200', 'nothing']);
  const victim: FailedCheck = { ...blocked('a/2', 'any'), endedBy: { kind: 'stopped-answering', name: 'a/died' } };
  expect(followers(died, victim)).toEqual({ 'a/2': 'a/died' });
});

const unanswered = (id: string, message: string): FailedCheck => ({ ...failed(id, 1), message });

it('takes checks that fail in the same words, without a broken clause, for one defect', () => {
  const one = unanswered('a/1', 'GET /ping got no answer (reset)');
  const other = unanswered('a/2', 'GET /ping got no answer (reset)');
  expect(followers(one, other, unanswered('a/3', 'something else'))).toEqual({ 'a/2': 'a/1' });
});

it('keeps a blocked check that has also shown something of its own', () => {
  const { evidence } = failed('a/own', 1, ['states/order', 'the states', 'in order', 'not in order']);
  expect(followers(lost('a/1'), { ...lost('a/2'), evidence })).toEqual({});
});

it('takes the same wrong part of the same answer for one defect, whatever the clause', () => {
  const type = ['header Content-Type of GET /ping', 'application/json', 'text/html'] as const;
  const one = failed('a/1', 1, ['service/json', ...type]);
  const other = failed('a/2', 1, ['service/content-type', ...type]);
  expect(followers(one, other)).toEqual({ 'a/2': 'a/1' });
});

describe('an unexpected refusal', () => {
  it.each([
    [
      'of 400',
      ['GET /printers', 'status 200', 'status 400 with 1'],
      ['GET /printers', 'a 2xx status', 'status 400'],
      true,
    ],
    [
      'of another path',
      ['GET /printers', 'status 200', 'status 500'],
      ['GET /printjobs', 'a 2xx status', 'status 500'],
      false,
    ],
    ['that is a success', ['GET /a', 'status 201', 'status 200'], ['GET /a', 'status 204', 'status 200'], false],
    [
      'where another refusal was due',
      ['GET /a', 'status 404', 'status 400'],
      ['GET /a', 'status 409', 'status 400'],
      false,
    ],
    [
      'where a success was not due',
      ['GET /a', 'not status 200', 'status 500'],
      ['GET /a', 'status 200', 'status 500'],
      false,
    ],
    [
      'that something else tells',
      ['GET /a', 'status 200', 'no status 500'],
      ['GET /a', 'a 2xx status', 'status 500'],
      false,
    ],
  ] as const)('%s', (_, one, other, isSame) => {
    const checks = [failed('a/1', 1, ['one', ...one]), failed('a/2', 1, ['other', ...other])];
    expect(followers(...checks)).toEqual(isSame ? { 'a/2': 'a/1' } : {});
  });
});

const wrong = (id: string, actual: string): FailedCheck => failed(id, 1, ['clause', 'it', 'right', actual]);

describe('two things of one kind', () => {
  const LONG = 'x'.repeat(60);
  it.each([
    ['job 17', 'job 18', true],
    ['job 1404', 'job 1405', true],
    ['job 4041', 'job 4042', true],
    ['code 404', 'code 409', false],
    ['job 17', 'job ', false],
    ['"a name"', '"another"', true],
    ["'a name'", "'another'", true],
    ['a "name"', 'a ', false],
    ['d41dacdf-ab12', 'babecafe-ffee', true],
    ['deadbeef', 'cafebabe', true],
    ['DEADBEEF', 'CAFEBABE', true],
    ['id deadbeef', 'id ', false],
    [`${LONG}a`, `${LONG}b`, true],
    ['xabc', 'yabc', false],
  ])('%j and %j: %j', (one, other, isSame) => {
    expect(followers(wrong('a/1', one), wrong('a/2', other))).toEqual(isSame ? { 'a/2': 'a/1' } : {});
  });
});

it('lets a warning follow a failure, and nothing that came to another verdict', () => {
  const warning = { ...failed('a/warning', 1, CREATED), verdict: 'warn' as const };
  const flake = { ...failed('a/flake', 1, CREATED), verdict: 'flaky' as const };
  expect(followers(warning, flake, failed('a/failure', 9, CREATED))).toEqual({ 'a/warning': 'a/failure' });
});

const PART = ['the right part', 'another part'] as const;

it('lets nothing follow what follows another one itself', () => {
  const first = failed('a/1', 1, ['one', 'body of GET /a', ...PART]);
  const second = failed('a/2', 2, ['two', 'body of GET /a', ...PART]);
  const third = failed('a/3', 3, ['two', 'body of GET /b', ...PART]);
  expect(followers(first, second, third)).toEqual({ 'a/2': 'a/1' });
});

it('lets a check follow the first of two that show the same', () => {
  const first = failed('a/1', 1, ['one', 'body of GET /a', ...PART]);
  const second = failed('a/2', 2, ['two', 'body of GET /b', ...PART]);
  const third = failed('a/3', 3, ['two', 'body of GET /a', ...PART]);
  expect(followers(first, second, third)).toEqual({ 'a/3': 'a/1' });
});

it('keeps a blocked check that was stopped by something else than what it shows', () => {
  const { evidence } = failed('a/1', 1, CREATED);
  expect(followers(failed('a/1', 1, CREATED), { ...lost('a/2'), evidence })).toEqual({});
});

it('takes flaky checks that failed soon after another one for one stall, told by the first', () => {
  const flaky = [
    { id: 'a/last', atMs: 30_000 },
    { id: 'a/soon', atMs: 15_500 },
    { id: 'a/first', atMs: 500 },
    { id: 'a/later', atMs: 15_501 },
  ];
  expect(Object.fromEntries(stalledWith(flaky))).toEqual({ 'a/soon': 'a/first', 'a/last': 'a/later' });
});
