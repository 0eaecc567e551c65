import { expect, it } from 'vitest';

import { exitCodeOf, worstOf } from '../../../../src/conformance/verdict/verdict.ts';
import { VERDICTS, type Verdict } from '../../../../src/record/words.ts';

it.each<[readonly Verdict[], Verdict]>([
  [[], 'pass'],
  [['pass', 'warn', 'observed'], 'warn'],
  [['blocked', 'fail', 'pass'], 'fail'],
  [['harness-error', 'fail'], 'harness-error'],
])('takes the worst of %j: %s', (verdicts, worst) => {
  expect(worstOf(verdicts)).toBe(worst);
});

const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  'harness-error': 70,
  fail: 1,
  'not-offered': 1,
  blocked: 2,
  untestable: 2,
  inconclusive: 2,
  flaky: 2,
  'too-long': 0,
  warn: 0,
  observed: 0,
  'not-applicable': 0,
  pass: 0,
};

it.each(VERDICTS)('ends a run with the code of %s, or of a worse one', (verdict) => {
  expect(exitCodeOf(['pass', verdict])).toBe(EXIT_CODES[verdict]);
  expect(exitCodeOf([verdict, 'fail'])).toBe(verdict === 'harness-error' ? 70 : 1);
  expect(exitCodeOf(['flaky', verdict])).toBe(EXIT_CODES[verdict] || 2);
});

it('ends a run without checks with 0', () => {
  expect(exitCodeOf([])).toBe(0);
});
