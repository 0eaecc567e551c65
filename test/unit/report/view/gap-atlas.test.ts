import { expect, it } from 'vitest';

import type { CheckRunRecord } from '../../../../src/record/check-record.ts';
import { differenceOf, isWorse, renderDifference } from '../../../../src/report/view/difference.ts';
import { gapAtlas, renderGapAtlas } from '../../../../src/report/view/gap-atlas.ts';

type Run = Pick<CheckRunRecord, 'target' | 'gaps' | 'checks' | 'clauses'>;

function run(name: string, answers: Readonly<Record<string, readonly string[]>>): Run {
  const target = {
    name,
    kind: 'remote',
    baseUrl: 'http://x.test',
    capabilities: [],
    contradictions: [],
  } as const;
  const gaps = Object.entries(answers).map(([id, observations]) => [
    id,
    { question: `What about ${id}?`, checks: [], observations },
  ]);
  return { target, gaps: Object.fromEntries(gaps) as CheckRunRecord['gaps'], checks: [], clauses: {} };
}

const ONE = run('one', { 'gap/ping': ['"OK"'], 'gap/order': ['a', 'b'], 'gap/late': [] });
const OTHER = run('other', { 'gap/ping': ['{}'], 'gap/order': ['b', 'a'], 'gap/late': ['late'] });

it('has a row for each gap, with what each target was seen to do', () => {
  expect(gapAtlas([ONE, OTHER])[0]).toEqual({
    gap: 'gap/ping',
    question: 'What about gap/ping?',
    observed: [
      { target: 'one', observations: ['"OK"'] },
      { target: 'other', observations: ['{}'] },
    ],
    differs: true,
  });
});

it('takes neither another order nor a look that was not taken for a difference', () => {
  expect(gapAtlas([ONE, OTHER]).map(({ gap, differs }) => [gap, differs])).toEqual([
    ['gap/ping', true],
    ['gap/order', false],
    ['gap/late', false],
  ]);
});

it('writes a column for each target, and lets no answer be read as Markdown', () => {
  const page = renderGapAtlas([run('one', { 'gap/ping': ['a | <b> `c`\u001b[31m'] }), OTHER]);
  expect(page).toContain('| gap | question | one | other | differ |');
  expect(page).toContain(String.raw`| a \| &lt;b&gt; \`c\` \[31m | \{\} | yes |`);
  expect(page).toContain('3 of 3 gaps were looked at.');
});

it('lists in a difference of two runs the gaps that are answered differently, as neither good nor bad', () => {
  const difference = differenceOf(ONE, OTHER);
  expect(isWorse(difference)).toBe(false);
  expect(renderDifference(difference).join('\n')).toBe('gaps answered differently\n    gap/ping: "OK" → {}');
});
