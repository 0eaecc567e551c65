import { expect, it } from 'vitest';

import type { ClauseRecord } from '../../../../src/record/check-record.ts';
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

type Fate = Pick<ClauseRecord, 'outcome' | 'since'>;
const SEEN: readonly Fate[] = [{ outcome: 'kept' }, { outcome: 'broken' }, { outcome: 'not-judged', since: 'a/cause' }];
const SILENT: readonly (Fate | undefined)[] = [{ outcome: 'not-judged' }, { outcome: 'not-offered' }, undefined];
const FATES = [...SEEN, ...SILENT];

it.each(FATES.flatMap((before) => FATES.map((after) => ({ before, after }))))(
  'takes a clause for no longer judged if it was seen, as a breach that is laid to its cause is: $before, $after',
  ({ before, after }) => {
    const runs = [before, after].map((fate) => {
      const clause = fate && { level: 'must' as const, statement: '', status: 'covered' as const, checks: [], ...fate };
      return { ...judged({}), clauses: clause ? { 'a/clause': clause } : {} };
    });
    const [was, is] = runs;
    if (!was || !is) throw new Error('there are two');
    const hasVanished = SEEN.some((one) => one === before) && SILENT.includes(after);
    expect(differenceOf(was, is).clausesVanished).toEqual(hasVanished ? ['a/clause'] : []);
  },
);
