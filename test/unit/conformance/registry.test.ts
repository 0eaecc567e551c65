import { expect, it } from 'vitest';

import { ActionableError } from '../../../src/common/actionable-error.ts';
import { TOLERANCES } from '../../../src/conformance/expect/tolerances.ts';
import { coverClauses, EXCLUDED_CLAUSES } from '../../../src/conformance/verdict/coverage.ts';
import { JUDGED_CLAUSES } from '../../../src/conformance/judged-clauses.ts';
import { CHECKS } from '../../../src/conformance/registry.ts';
import { SMOKE_CHECKS } from '../../../src/conformance/run/profiles.ts';
import { selectChecks } from '../../../src/conformance/run/selection.ts';
import { exitCodeOf, worstOf } from '../../../src/conformance/verdict/verdict.ts';
import { LINK_CLAUSES } from '../../../src/link/link-clauses.ts';
import { CLAUSES } from '../../../src/specification/clauses.ts';
import { GAPS } from '../../../src/specification/gaps.ts';

const KNOWN: ReadonlySet<string> = new Set(CLAUSES.map((clause) => clause.id));

it('has checks with ids of their own, each judging clauses that exist', () => {
  const ids = CHECKS.map((check) => check.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const odd = CHECKS.filter(({ clauses }) => clauses.length === 0 || new Set(clauses).size < clauses.length);
  expect(odd.map((check) => check.id)).toEqual([]);
  const known = new Set<string>([...KNOWN, ...Object.keys(LINK_CLAUSES), ...GAPS.map((gap) => gap.id)]);
  expect(CHECKS.flatMap(({ clauses }) => clauses).filter((id) => !known.has(id))).toEqual([]);
  expect(Object.keys(JUDGED_CLAUSES), 'npm run prove emitted writes the list').toEqual(ids);
});

/** Half clauses and genitives, which make a reader guess who does what. */
const TRANSLATED =
  /^(?:Of|In every|Without which) |[ ,](?:too|as well|all the same)$|\bbut (?:two|three|four|five)\b|\bfor want of\b|\bhas not\b/;

it('calls every check by a plain sentence', () => {
  const titles = [...CHECKS.map(({ title }) => title), ...GAPS.map(({ question }) => question)];
  expect(titles.filter((title) => TRANSLATED.test(title))).toEqual([]);
  expect(TRANSLATED.test('A scale that is renamed has not its number too')).toBe(true);
});

it('says of every tolerance which checks measure it', () => {
  const ids = new Set(CHECKS.map(({ id }) => id));
  for (const { checks } of Object.values(TOLERANCES)) expect(checks.filter((id) => !ids.has(id))).toEqual([]);
});

it('judges everything that the device link demands', () => {
  const judged = new Set<string>(CHECKS.flatMap((check) => check.clauses));
  expect(Object.keys(LINK_CLAUSES).filter((id) => !judged.has(id))).toEqual([]);
});

it('judges no clause that another party than the service keeps', () => {
  const judged = new Set<string>(CHECKS.flatMap((check) => check.clauses));
  expect(CLAUSES.filter((clause) => judged.has(clause.id) && clause.party !== 'service')).toEqual([]);
});

it('excludes only clauses that exist and that no check judges', () => {
  const judged = new Set<string>(CHECKS.flatMap((check) => check.clauses));
  expect(EXCLUDED_CLAUSES.filter((id) => !KNOWN.has(id) || judged.has(id))).toEqual([]);
});

it('gives every clause one status', () => {
  const coverage = coverClauses(CLAUSES, CHECKS, []);
  expect(coverage).toHaveLength(CLAUSES.length);
  for (const { status, checks, reason, outcome } of coverage) {
    expect(outcome).toBe('not-judged');
    expect(status === 'covered').toBe(checks.length > 0);
    expect(status === 'excluded').toBe(reason !== undefined);
  }
});

it.each([
  ['the id of a check', 'misc/noop-refusals', 'misc/noop-refusals'],
  ['a clause', 'limits/idempotency-within', 'idempotency/day'],
  ['a chapter', '^states/', 'expiry/expires'],
  ['any case', 'MISC/PING', 'misc/ping'],
])('selects by %s', (_, pattern, expected) => {
  expect(selectChecks(CHECKS, { grep: pattern }).map((check) => check.id)).toContain(expected);
});

it('selects everything without a pattern', () => {
  expect(selectChecks(CHECKS)).toBe(CHECKS);
});

it.each(['no-such-check', '('])('calls the pattern %s a wrong use of the command', (pattern) => {
  const select = (): unknown => selectChecks(CHECKS, { grep: pattern });
  expect(select).toThrow(ActionableError);
  expect(select).toThrow(expect.objectContaining({ kind: 'usage' }));
});

it('lets the worst verdict count, and turns it into the exit code', () => {
  expect(worstOf([])).toBe('pass');
  expect(worstOf(['pass', 'warn', 'fail', 'untestable'])).toBe('fail');
  expect(exitCodeOf(['pass', 'warn', 'observed', 'not-applicable'])).toBe(0);
  expect(exitCodeOf(['pass', 'untestable'])).toBe(2);
  expect(exitCodeOf(['inconclusive', 'fail'])).toBe(1);
  expect(exitCodeOf(['fail', 'harness-error'])).toBe(70);
});

it('names only checks that exist in the smoke profile', () => {
  expect(selectChecks(CHECKS, { profile: 'smoke' })).toHaveLength(SMOKE_CHECKS.size);
});

it('divides the checks among shards: each in one of them', () => {
  const shards = [1, 2, 3].map((index) => selectChecks(CHECKS, { shard: { index, count: 3 } }));
  const ids = shards.flat().map(({ id }) => id);
  expect(ids.toSorted()).toEqual(CHECKS.map(({ id }) => id).toSorted());
  const [shortest = 0, , longest = 0] = shards.map(({ length }) => length).toSorted((a, b) => a - b);
  expect(longest - shortest).toBeLessThanOrEqual(1);
});

it('refuses a shard that would be empty', () => {
  expect(() => selectChecks(CHECKS, { grep: '^misc/ping$', shard: { index: 2, count: 2 } })).toThrow(
    'shard 2/2 is empty',
  );
});
