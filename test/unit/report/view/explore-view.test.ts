import { expect, it } from 'vitest';

import type { ExploreRecord } from '../../../../src/record/explore-record.ts';
import { renderRun } from '../../../../src/report/terminal/run-terminal.ts';
import { viewOfExplore } from '../../../../src/report/view/explore-view.ts';
import { madeUpExplore } from '../../../support/run-records.ts';
import { onTerminal } from '../../../support/on-terminal.ts';

const FILE = 'reports/explore/found/print-jobs-idempotency-conflict/scenario.yaml';
const REMOTE = { name: 'a service', kind: 'remote', baseUrl: 'https://service.example' } as const;

it.each<readonly [ExploreRecord['target'], string]>([
  [madeUpExplore().target, ''],
  [REMOTE, ' https://service.example'],
  [
    { ...REMOTE, link: './link.ts', callbackHost: 'build-7' },
    ' https://service.example --link ./link.ts --callback-host build-7',
  ],
  [{ ...REMOTE, descriptor: 'my targets/staging.yaml' }, " --target 'my targets/staging.yaml'"],
])('plays what was found again on the service where it was found: %o', (target, place) => {
  const { results } = viewOfExplore({ ...madeUpExplore(), target });
  expect(results.map(({ repeat }) => repeat)).toEqual([`platen run ${FILE}${place}`]);
});

it('names a clause once, without a level that it has not, and says how often it is broken', () => {
  const record = madeUpExplore();
  const findings = record.findings.map((finding) => ({ ...finding, breaks: [...finding.breaks, ...finding.breaks] }));
  const [, ...parts] = onTerminal(renderRun({ ...record, findings })).split('    clause   ');
  expect(parts).toHaveLength(1);
  expect(parts[0]).toMatch(/^print-jobs\/idempotency-conflict \(2 times\): A job with an X-Idempotency-Key/);
  expect(onTerminal(renderRun(record))).toContain('clause   print-jobs/idempotency-conflict: A job with');
});

it('tells of a pipeline what happened, and where its paper is', () => {
  const made = madeUpExplore();
  const target = { ...made.target, kind: 'pipeline' as const, baseUrl: null, descriptor: 'pipeline.yaml' };
  const findings = made.findings.map((finding) => ({ ...finding, happened: ['0ms  submit kitchen'] }));
  const { facts, results } = viewOfExplore({ ...made, target, findings });
  expect(facts.find(([name]) => name === 'Seen')?.[1]).toMatch(/^\d+ jobs and pieces of paper in /);
  expect(results[0]?.stories.at(-1)).toEqual({ title: 'What happened', lines: ['0ms  submit kitchen'] });
  expect(results[0]?.notes.at(-1)).toContain('story.md');
});
