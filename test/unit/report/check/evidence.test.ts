import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import { renderEvidence } from '../../../../src/report/check/evidence.ts';
import { targetOf } from '../../../support/odd-servers.ts';

const KEY = 'canary-0123456789';

const WAITING: Check = {
  id: 'some/waiting',
  title: 'Something holds after a while',
  clauses: ['misc/ping'],
  needs: [],
  async run({ api, elapse, demand }) {
    await api.post('/first', { name: "it's" });
    await elapse(600);
    const { status } = await api.get('/second');
    demand('misc/ping', { expected: 'status 200', actual: String(status), at: 'status of GET /second' });
  },
};

let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  const target = await targetOf((_, response) => response.end(`"${KEY}"`), KEY);
  const result = await runConformance({ target, seed: 7, grep: '^misc/ping$' });
  const { outcomes } = await runChecks({
    target,
    checks: [WAITING],
    random: createRandom(7),
    runTag: 'tag',
    levelOf: () => 'must',
  });
  await target.close();
  files = renderEvidence(buildRunRecord({ ...result, outcomes }));
});

it('makes a folder for each failure and none for what passed', () => {
  const folder = 'failures/some-waiting';
  expect(Object.keys(files)).toEqual(['failure.md', 'transcript.txt', 'repro.sh'].map((name) => `${folder}/${name}`));
});

it('says which clause was broken, what was expected and what came', () => {
  const told = files['failures/some-waiting/failure.md'] ?? '';
  expect(told).toContain('## misc/ping (must)');
  expect(told).toContain('- expected: status 200');
  expect(told).toContain('- at: status of GET /second');
  expect(told).toContain('platen replay ../../run.json some/waiting');
});

it('shows all that was sent and answered, with the time between', () => {
  const told = files['failures/some-waiting/transcript.txt'] ?? '';
  expect(told).toMatch(/POST \/first[\s\S]*… 600ms go by …[\s\S]*GET \/second/);
});

it('writes a script that a shell reads, with the wait, and no key in it', () => {
  const script = files['failures/some-waiting/repro.sh'] ?? '';
  expect(script).toMatch(/\/first'\necho\nsleep 1\n# \[\d+\] answered 200\ncurl /);
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'repro-')), 'repro.sh');
  writeFileSync(file, script);
  execFileSync('sh', ['-n', file]);
  for (const text of Object.values(files)) expect(text).not.toContain(KEY);
});
