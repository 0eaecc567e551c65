import { expect, it } from 'vitest';

import { formatProblem } from '../../../../src/common/problem.ts';
import type { CheckOutcome } from '../../../../src/conformance/verdict/outcome.ts';
import {
  compareWithBaseline,
  readBaseline,
  signatureOf,
  type Baseline,
} from '../../../../src/conformance/verdict/baseline.ts';
import type { Verdict } from '../../../../src/record/words.ts';
import { checkNamed, checkOutcome } from '../../../support/check-outcome.ts';

const PING = checkNamed('misc/ping');
const CHECKS = [PING, checkNamed('misc/noop')];

function outcomeWith(verdict: Verdict, actual = '500', id = 17): CheckOutcome {
  const mismatch = { expected: `status 200 of ${id}`, actual, at: `job ${id}` };
  const judgements = verdict === 'pass' ? [] : [{ clause: 'misc/ping', mismatch } as const];
  return checkOutcome({ check: PING, verdict, judgements });
}

const SIGNATURE = 'misc/ping (status # of #)';

function baselineOf(...lines: readonly string[]): Baseline {
  const read = readBaseline(`known:\n${lines.map((line) => `  - {${line}}\n`).join('')}`);
  if (!read.ok) throw new Error(read.error.map((problem) => formatProblem('known.yaml', problem)).join());
  return read.value;
}

const RIGHT = 'reason: see 123, owner: team, expires: 2026-12-31';
const at = (today: string) => ({ checks: CHECKS, today });

it('takes an owner of two letters, and no empty one', () => {
  expect(baselineOf(`check: misc/ping, flaky: true, ${RIGHT.replace('team', 'me')}`)).toHaveLength(1);
  expect(readBaseline(`known: [{check: misc/ping, flaky: true, ${RIGHT.replace('team', "' '")}}]`).ok).toBe(false);
});

it('recognises a failure by clause and expectation, whatever ids and values came', () => {
  expect(signatureOf(outcomeWith('fail', '404', 9_999))).toBe(SIGNATURE);
});

it.each([
  '9f76b522-mwy6c54p-5i6',
  '4f6e2a1c-77aa-4e0d-9b1c-0a1b2c3d4e5f',
  'V1StGXR8_Z5jdHi6B-myT',
  17,
  '2027-01-02T03:04:05.678Z',
])('recognises a failure whatever is the identifier that was expected: %s', (id) => {
  const mismatch = { expected: `the Request-Id "${id}"`, actual: 'x', at: 'body' };
  const judgements = [{ clause: 'misc/ping', mismatch } as const];
  const outcome = checkOutcome({ check: PING, verdict: 'fail', judgements });
  expect(signatureOf(outcome)).toMatch(/^misc\/ping \(the Request-Id "#(:#)*(\.#)?"\)$/);
});

it('knows a failure of the same signature, which does not count then', () => {
  const baseline = baselineOf(`check: misc/ping, signature: "${SIGNATURE}", ${RIGHT}`);
  const { outcomes, problems } = compareWithBaseline([outcomeWith('fail')], baseline, at('2026-11-01'));
  expect(problems).toEqual([]);
  expect(outcomes[0]?.known).toMatchObject({ owner: 'team' });
});

it.each([
  ['is a part of what is known', 'misc/noop (status #); SIGNATURE; misc/other (x)', true],
  ['is the first part of it', 'SIGNATURE; misc/other (x)', true],
  ['begins like what is known', 'SIGNATURE and more; misc/other (x)', false],
  ['ends like what is known', 'xSIGNATURE; misc/other (x)', false],
])('takes a failure that %s for the known one, or not', (_, signature, isKnown) => {
  const written = signature.replace('SIGNATURE', SIGNATURE);
  const baseline = baselineOf(`check: misc/ping, signature: "${written}", ${RIGHT}`);
  const { outcomes } = compareWithBaseline([outcomeWith('fail')], baseline, at('2026-11-01'));
  expect(outcomes[0]?.known !== undefined).toBe(isKnown);
});

it.each([
  ['a run of some checks', [...CHECKS], []],
  ['a run of all of them', [PING], ['line 2: misc/ping is listed as failing and passes: take it out']],
])('asks to take out what judges the others after %s', (_, checks, expected) => {
  const last = { ...PING, runsLast: true } as const;
  const baseline = baselineOf(`check: misc/ping, signature: x, ${RIGHT}`);
  const outcome = { ...outcomeWith('pass'), check: last };
  expect(compareWithBaseline([outcome], baseline, { checks, today: '2026-11-01' }).problems).toEqual(expected);
});

it('does not know a failure of another signature', () => {
  const baseline = baselineOf(`check: misc/ping, signature: another, ${RIGHT}`);
  const { outcomes } = compareWithBaseline([outcomeWith('fail')], baseline, at('2026-11-01'));
  expect(outcomes[0]?.known).toBeUndefined();
});

it.each([
  ['a check that passes', `check: misc/ping, signature: x, ${RIGHT}`, '2026-11-01', 'is listed as failing and passes'],
  ['a check that does not exist', `check: misc/pong, signature: x, ${RIGHT}`, '2026-11-01', 'did you mean misc/ping?'],
  [
    'an entry that has expired',
    `check: misc/noop, signature: x, ${RIGHT}`,
    '2027-01-01',
    'expired on 2026-12-31: team',
  ],
])('complains of %s', (_, line, today, problem) => {
  const { problems } = compareWithBaseline([outcomeWith('pass')], baselineOf(line), at(today));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('line 2: ');
  expect(problems[0]).toContain(problem);
});

it('lets an expired entry excuse nothing', () => {
  const baseline = baselineOf(`check: misc/ping, signature: "${SIGNATURE}", ${RIGHT}`);
  const { outcomes } = compareWithBaseline([outcomeWith('fail')], baseline, at('2027-01-01'));
  expect(outcomes[0]?.known).toBeUndefined();
});

it.each(['pass', 'fail', 'flaky'] as const)('never counts a check that is known to be flaky: %s', (verdict) => {
  const baseline = baselineOf(`check: misc/ping, flaky: true, ${RIGHT}`);
  const { outcomes, problems } = compareWithBaseline([outcomeWith(verdict)], baseline, at('2026-11-01'));
  expect(problems).toEqual([]);
  expect(outcomes[0]?.known !== undefined).toBe(verdict !== 'pass');
});

it('says nothing of checks that did not run this time', () => {
  const baseline = baselineOf(`check: misc/noop, signature: x, ${RIGHT}`);
  expect(compareWithBaseline([outcomeWith('pass')], baseline, at('2026-11-01')).problems).toEqual([]);
});

it.each([
  [
    'check: misc/ping, signature: x, reason: CHANGE ME, owner: team, expires: 2026-12-31',
    'reason: is still to be filled in',
  ],
  ['check: misc/ping, signature: x, reason: because, owner: team, expires: soon', 'expires: must be a day'],
  ['check: misc/ping, signature: x, reason: because, expires: 2026-12-31', 'owner: is missing'],
  ['check: misc/ping, signature: x, reason: because, owner: 5, expires: 2026-12-31', 'owner: must be a string'],
  ['check: misc/ping, signature: x, reason: because, owner: team, expires: x2026-12-31', 'expires: must be a day'],
  ['check: misc/ping, signature: x, reason: because, owner: team, expires: 2027-02-30', 'expires: must be a day'],
  ['check: misc/ping, signature: x, reason: because, owner: team, expires: 2026-12-311', 'expires: must be a day'],
  ["check: misc/ping, signature: x, reason: ' ', owner: team, expires: 2026-12-31", 'reason: must say something'],
  ['check: misc/ping, signatur: x, reason: because, owner: team, expires: 2026-12-31', "did you mean 'signature'?"],
])('refuses the entry {%s}', (line, problem) => {
  const read = readBaseline(`known:\n  - {${line}}\n`);
  const told = read.ok ? [] : read.error.map((one) => formatProblem('known.yaml', one));
  expect(told.join('\n')).toContain(problem);
});

it('refuses a list of another name, and says which it wants', () => {
  const read = readBaseline('knowns: []');
  const told = read.ok ? [] : read.error.map((one) => formatProblem('known.yaml', one));
  expect(told.join('\n')).toContain("did you mean 'known'?");
});

it('excuses a failure on the day on which its entry expires', () => {
  const baseline = baselineOf(`check: misc/ping, signature: "${SIGNATURE}", ${RIGHT}`);
  const { outcomes, problems } = compareWithBaseline([outcomeWith('fail')], baseline, at('2026-12-31'));
  expect(problems).toEqual([]);
  expect(outcomes[0]?.known).toBeDefined();
});

it('knows a failure by the first entry that fits', () => {
  const lines = [`check: misc/ping, signature: "${SIGNATURE}", ${RIGHT}`, `check: misc/ping, flaky: true, ${RIGHT}`];
  const [outcome] = compareWithBaseline([outcomeWith('fail')], baselineOf(...lines), at('2026-11-01')).outcomes;
  expect(outcome?.known).toMatchObject({ signature: SIGNATURE });
});

it('gives a failure its signature, and nothing else one', () => {
  const { outcomes } = compareWithBaseline([outcomeWith('fail'), outcomeWith('pass')], [], at('2026-11-01'));
  expect(outcomes.map(({ signature }) => signature)).toEqual([SIGNATURE, undefined]);
});

it.each([
  ['a warning', `check: misc/ping, signature: "${SIGNATURE}", ${RIGHT}`, 'warn'],
  ['a failure of another check', `check: misc/noop, signature: "${SIGNATURE}", ${RIGHT}`, 'fail'],
  ['a flake of another check', `check: misc/noop, flaky: true, ${RIGHT}`, 'flaky'],
] as const)('does not excuse %s', (_, line, verdict) => {
  const { outcomes } = compareWithBaseline([outcomeWith(verdict)], baselineOf(line), at('2026-11-01'));
  expect(outcomes[0]?.known).toBeUndefined();
});

it('says where the entry stands that has a problem, and of an id like no other nothing more', () => {
  const right = `check: misc/noop, signature: x, ${RIGHT}`;
  const { problems } = compareWithBaseline([], baselineOf(right, `check: x, signature: x, ${RIGHT}`), at('2026-11-01'));
  expect(problems).toEqual(['line 3: x is not a check']);
});

it.each(['observed', 'not-applicable'] as const)('complains of an entry whose check is %s', (verdict) => {
  const baseline = baselineOf(`check: misc/ping, signature: x, ${RIGHT}`);
  expect(compareWithBaseline([outcomeWith(verdict)], baseline, at('2026-11-01')).problems).toHaveLength(1);
});

function signatureWith(expected: string): string {
  const mismatch = { expected, actual: '', at: '' };
  return signatureOf({ ...outcomeWith('fail'), judgements: [{ clause: 'misc/ping', mismatch }] });
}

it.each([
  ['id d41dacdf-ab12 or DEADBEEF', 'id # or #'],
  ['[1, 2,3] of  two\nlines', '[#] of two lines'],
  ['[]', '[#]'],
  ['x'.repeat(130), 'x'.repeat(120)],
])('signs the expectation %j as %j', (expected, signed) => {
  expect(signatureWith(expected)).toBe(`misc/ping (${signed})`);
});

it('signs what breaks several clauses by each of them once', () => {
  const { judgements } = outcomeWith('fail');
  const others = judgements.map((one) => ({ ...one, clause: 'misc/noop' }) as const);
  const outcome = { ...outcomeWith('fail'), judgements: [...judgements, ...judgements, ...others] };
  expect(signatureOf(outcome)).toBe(`${SIGNATURE}; misc/noop (status # of #)`);
});

it('signs a failure without a broken clause by its message', () => {
  const outcome = { ...outcomeWith('pass'), verdict: 'fail' as const, message: 'GET /jobs/17 got no answer' };
  expect(signatureOf(outcome)).toBe('GET /jobs/# got no answer');
});

it.each(['check', 'reason', 'owner', 'expires', 'flaky'])('says that a key was meant for %s', (key) => {
  const read = readBaseline(`known:\n  - {${key}x: 1}\n`);
  const told = read.ok ? [] : read.error.map((one) => formatProblem('known.yaml', one));
  expect(told.join('\n')).toContain(`did you mean '${key}'?`);
});
