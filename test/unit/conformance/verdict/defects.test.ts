import { expect, it } from 'vitest';

import { followersOf, type FailedCheck } from '../../../../src/conformance/verdict/defects.ts';

type Broken = readonly [clause: string, at: string, expected: string, actual: string];

function failed(id: string, requests: number, ...broken: readonly Broken[]): FailedCheck {
  const judgements = broken.map(([clause, at, expected, actual]) => ({ clause, mismatch: { at, expected, actual } }));
  return { id, verdict: 'fail', message: 'whatever', requests, evidence: { judgements } };
}

function blocked(id: string, message: string): FailedCheck {
  return { id, verdict: 'blocked', message, requests: 1, evidence: { judgements: [] } };
}

function followers(...checks: readonly FailedCheck[]): object {
  return Object.fromEntries(followersOf(checks));
}

const at = (path: string): Broken => ['service/key', `GET ${path}`, 'status 401', 'status 200 with []'];
const lost = (id: string): FailedCheck => blocked(id, 'no computer could be connected: refused with 503');

const CREATED: Broken = ['print-jobs/created', 'POST /printjobs', 'status 201', 'status 500 with {"uid":"8c1"}'];

it('takes what a refused request blocks or fails for one defect, told by the shortest check that fails', () => {
  const long = failed('a/long', 40, ['states/first', 'POST /printjobs', 'a 2xx status', 'status 500 with {}']);
  const short = failed('b/short', 2, CREATED);
  const victim = blocked('c/victim', 'POST /printjobs: expected status 201, got status 500 with {"uid":"77f"}');
  const other = blocked('d/other', 'POST /webhook: expected status 201, got status 500 with {}');
  expect(followers(victim, long, short, other)).toEqual({ 'a/long': 'b/short', 'c/victim': 'b/short' });
});

it('takes a rule that is broken in the same way on other endpoints for one defect, whatever the ids', () => {
  expect(followers(failed('a/1', 1, at('/printers/17')), failed('a/2', 1, at('/scales')))).toEqual({ 'a/2': 'a/1' });
});

it('tells two defects of one request apart', () => {
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

it('keeps a check that shows something more than another one', () => {
  const more = failed('a/more', 9, CREATED, ['states/order', 'body of GET /printjobs/states', 'in order', '[2,1]']);
  expect(followers(failed('a/one', 1, CREATED), more)).toEqual({});
});

it('takes what nothing but the same words explain for one defect, and leaves out what is known', () => {
  expect(followers(lost('a/1'), lost('a/2'), { ...lost('a/3'), known: {} })).toEqual({ 'a/2': 'a/1' });
});

it('lays what a dead service leaves blocked to the check that it died in', () => {
  const died = failed('a/died', 1, ['misc/ping', 'GET /ping', 'status 200', 'nothing']);
  expect(followers(died, blocked('a/2', 'the target stopped answering during a/died'))).toEqual({ 'a/2': 'a/died' });
});
