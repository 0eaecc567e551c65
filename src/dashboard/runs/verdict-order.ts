/**
 * Verdict order: what a person has to look at comes first.
 */

const WORST_FIRST = [
  'harness-error',
  'fail',
  'blocked',
  'flaky',
  'inconclusive',
  'warn',
  'untestable',
  'observed',
  'not-applicable',
  'pass',
];

export function byVerdict(a: string, b: string): number {
  return WORST_FIRST.indexOf(a) - WORST_FIRST.indexOf(b);
}
