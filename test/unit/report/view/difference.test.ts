import { expect, it } from 'vitest';

import { differenceLine, differenceOf, renderDifference } from '../../../../src/report/view/difference.ts';

const judged = (checks: Readonly<Record<string, string>>): Parameters<typeof differenceOf>[0] => ({
  target: { name: 'a service' },
  checks: Object.entries(checks).map(([id, verdict]) => ({ id, verdict })),
  clauses: {},
  gaps: {},
});

it('lists once what is new and fails: two loads may demand different things', () => {
  const before = judged({ 'labels.rate >= 5': 'pass' });
  const after = judged({ 'labels.rate >= 9': 'fail', 'ledger.lost == 0': 'pass' });
  expect(renderDifference(differenceOf(before, after)).join('\n')).toBe(
    [
      'failing now\n    labels.rate >= 9',
      'no longer judged\n    labels.rate >= 5',
      'judged for the first time\n    ledger.lost == 0',
    ].join('\n\n'),
  );
});

it('says in a line what is fixed, what is new, and how much is as before', () => {
  const before = judged({ a: 'fail', b: 'pass', c: 'pass', d: 'fail', e: 'pass', f: 'untestable' });
  const after = judged({ a: 'pass', b: 'fail', c: 'pass', d: 'fail', e: 'untestable', f: 'pass' });
  expect(differenceLine(differenceOf(before, after), after)).toBe(
    '1 fixed, 1 new failure, 2 as before, 1 judged for the first time, 1 no longer judged',
  );
});
