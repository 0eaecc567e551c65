import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { jobBody } from '../../../../src/conformance/context/jobs.ts';
import { runConformance, type ConformanceResult } from '../../../../src/conformance/run/run-conformance.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import { renderEvidence } from '../../../../src/report/check/evidence.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';
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
    demand('misc/ping', {
      expected: 'status 200',
      actual: String(status),
      at: 'status of GET /second',
      wanted: { status: '200' },
    });
  },
};

let files: Readonly<Record<string, string>>;
let anyResult: ConformanceResult;

beforeAll(async () => {
  const target = await targetOf((_, response) => response.end(`"${KEY}"`), KEY);
  anyResult = await runConformance({ target, seed: 7, grep: '^misc/ping$' });
  files = await evidenceOf(target, [WAITING]);
  await target.close();
});

it('makes a folder for each failure and none for what passed', () => {
  const folder = 'failures/some-waiting';
  expect(Object.keys(files)).toEqual(['failure.md', 'transcript.txt', 'repro.sh'].map((name) => `${folder}/${name}`));
});

it('says which clause was broken, what was expected and what came', () => {
  const told = files['failures/some-waiting/failure.md'] ?? '';
  expect(told).toContain('## misc/ping (must)');
  expect(told).toContain('- expected: `status 200`');
  expect(told).toContain('- at: `status of GET /second`');
  expect(told).toContain('platen replay PATH/run.json some/waiting');
});

it('lets nothing that a target says be markup, or command a terminal that shows the transcript', async () => {
  const answer = '\u001b[2J<img src=x>\n::error::of the target';
  const target = await targetOf((_, response) => response.end(answer), KEY);
  const told = await evidenceOf(target, [
    {
      ...WAITING,
      async run({ api, demand }) {
        await api.get('/second');
        demand('misc/ping', { expected: 'nothing', actual: answer, at: 'GET /second' });
      },
    },
  ]);
  await target.close();
  const transcript = told['failures/some-waiting/transcript.txt'] ?? '';
  expect(transcript).toContain(String.raw`< \u001b[2J<img src=x>`);
  const escape = '\u001b';
  for (const file of Object.values(told)) expect(file).not.toContain(escape);
  expect(transcript).not.toMatch(/^::/m);
  expect(told['failures/some-waiting/failure.md']).not.toMatch(/^<|^::/m);
});

it('shows all that was sent and answered, with the time between', () => {
  const told = files['failures/some-waiting/transcript.txt'] ?? '';
  expect(told).toMatch(/POST \/first[\s\S]*… 600ms go by …[\s\S]*GET \/second/);
});

it('writes a script that a shell reads, with the wait, and no key in it', () => {
  const script = files['failures/some-waiting/repro.sh'] ?? '';
  expect(script).toMatch(
    /\/first'\) \|\| away\n.*\nsetup\n\nsleep 1\necho 'GET \/second'\nanswer=\$\(curl .*\n.*\nexpect has_status 200\n/,
  );
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'repro-'));
  const file = path.join(folder.path, 'repro.sh');
  writeFileSync(file, script);
  execFileSync('sh', ['-n', file]);
  for (const text of Object.values(files)) expect(text).not.toContain(KEY);
});

it('shows the frames and the deliveries to webhooks that led to a failure, and where it was found', async () => {
  const embedded = await startEmbeddedTarget();
  const check: Check = {
    id: 'some/delivery',
    title: 'A job is delivered',
    clauses: ['misc/ping'],
    needs: [],
    async run(context) {
      const listener = await context.listening.listen();
      const computer = await context.computers.connect();
      const { value } = await context.api.post('/printjobs', jobBody(computer.printerId));
      await computer.waitForJob(Number(value));
      await listener.waitForRequests(1);
      context.judge('misc/ping', { expected: 'qty 2', actual: '1', at: 'the job that was delivered' });
    },
  };
  const told = await evidenceOf(embedded, [check]);
  await embedded.close();
  const transcript = told['failures/some-delivery/transcript.txt'] ?? '';
  expect(transcript).toMatch(
    /POST \/printjobs[\s\S]*← service: \{"type":"job"[\s\S]*!! misc\/ping is broken: the job that was delivered: expected qty 2/,
  );
  expect(transcript).toMatch(
    /webhook POST \/\S*platen-\S+-hook-\d, \S+ \S+ \[\{"type":"computer state".*\(answered: ok\)/,
  );
  expect(transcript).toContain('→ service: {"type":"hello"');
});

it('shows the very exchange that broke a rule of every response, and which check had sent it', async () => {
  const target = await targetOf((_, response) => response.end('{}'));
  const sender: Check = {
    id: 'some/sender',
    title: 'Sends',
    clauses: ['misc/ping'],
    needs: [],
    async run({ api, judge }) {
      await api.get('/before');
      await api.get('/culprit');
      await api.get('/after');
      judge('misc/ping', undefined);
    },
  };
  const judge: Check = {
    ...sender,
    id: 'every-response/rule',
    async run({ api, judge: say }) {
      await api.get('/noop');
      say('misc/ping', { expected: 'a header', actual: 'none', at: 'headers of GET /culprit', exchange: 1 });
    },
  };
  const told = await evidenceOf(target, [sender, judge]);
  await target.close();
  expect(told['failures/every-response-rule/transcript.txt']).toMatch(
    /\[0\] GET \/before \(sent by some\/sender\)[\s\S]*\[1\] GET \/culprit \(sent by some\/sender\)[\s\S]*GET \/noop\n/,
  );
});

it('takes for the exchange that shows a mismatch the one that the mismatch speaks of', async () => {
  const target = await targetOf((_, response) => response.end('{}'));
  const check: Check = {
    ...WAITING,
    async run({ api, judge }) {
      for (const path of ['/one', '/one/more', '/two']) await api.get(path);
      judge('misc/ping', { expected: 'x', actual: 'y', at: 'total of GET /one' });
    },
  };
  const told = await evidenceOf(target, [check]);
  await target.close();
  expect(told['failures/some-waiting/failure.md']).toContain('seen in exchange 0 of');
});

it('says times below a millisecond in microseconds', async () => {
  const transcript = files['failures/some-waiting/transcript.txt'] ?? '';
  expect(transcript).not.toContain('after 0ms');
});

async function evidenceOf(target: Target, checks: readonly Check[]): Promise<Readonly<Record<string, string>>> {
  const { outcomes } = await runChecks({
    target,
    checks,
    random: createRandom(7),
    runTag: 'tag',
    levelOf: () => 'must',
    order: 'one-by-one',
  });
  return renderEvidence(buildRunRecord({ ...anyResult, target, outcomes }));
}
