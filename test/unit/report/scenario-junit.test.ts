import { expect, it } from 'vitest';

import type { ScenarioRecord } from '../../../src/report/scenario-record.ts';
import { renderScenarioJunit } from '../../../src/report/scenario-junit.ts';

const PASSED: ScenarioRecord = {
  id: 'scenarios/good.yaml',
  title: 'A letter prints',
  why: 'Somebody wants\n to know.',
  seed: 1,
  verdict: 'pass',
  message: '',
  breaks: [],
  at: null,
  stories: [],
  log: [],
  decisions: [],
  decisionsLeftOut: 0,
  elapsedMs: 0,
  durationMs: 250,
};

const FAILED: ScenarioRecord = {
  ...PASSED,
  id: 'scenarios/bad.yaml',
  title: 'A "letter" & its <copy>',
  verdict: 'fail',
  message: 'state of letter: expected done, got error\u0000',
  breaks: [{ at: 'state of letter', expected: 'done', actual: 'error', jobs: ['letter'] }],
  at: 'step 2 (line 9): wait for letter',
  stories: [{ name: 'letter', id: 7, timeline: ['0ms new'], files: ['out/letter.pdf'] }],
};

function junitOf(...scenarios: readonly ScenarioRecord[]): string {
  return renderScenarioJunit({
    tool: 'platen',
    recordVersion: 1,
    kind: 'run',
    runId: 'run-1',
    seed: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1_000,
    target: { name: 'reference service', kind: 'embedded', baseUrl: null },
    summary: { scenarios: { total: scenarios.length }, lostIn: null, exitCode: 1 },
    scenarios,
  });
}

it('has a case for each scenario, and in a failure what broke, with the story of the job', () => {
  const junit = junitOf(PASSED, FAILED);
  expect(junit).toContain(
    '<testsuites name="platen run" tests="2" failures="1" errors="0" skipped="0" time="0.500">',
  );
  expect(junit).toContain('<testcase classname="scenarios/good.yaml" name="A letter prints" time="0.250"/>');
  expect(junit).toContain('name="A &quot;letter&quot; &amp; its &lt;copy&gt;"');
  expect(junit).toContain('<failure type="fail" message="state of letter: expected done, got error\uFFFD">');
  expect(junit).toContain(
    [
      'step 2 (line 9): wait for letter',
      'state of letter: expected done, got error',
      'letter (job 7):',
      '  0ms new',
      '  sheets: out/letter.pdf',
      'why: Somebody wants to know.',
      'seed: 1</failure>',
    ].join('\n'),
  );
});

it('tells an error of the harness from a failure, and what was not told from both', () => {
  const junit = junitOf(
    { ...PASSED, verdict: 'harness-error', message: 'no answer' },
    { ...PASSED, verdict: 'inconclusive', message: 'days would have to pass' },
  );
  expect(junit).toContain('<error type="harness-error" message="no answer">no answer\n');
  expect(junit).toContain('<skipped type="inconclusive" message="days would have to pass">');
});
