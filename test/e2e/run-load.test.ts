/**
 * platen run with a scenario that has traffic, as people and scripts use it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { judgeLoad } from '../../src/load/verdict/judge-load.ts';
import type { LoadRecord } from '../../src/record/load-record.ts';
import { SCHEMAS } from '../../src/record/run-record.ts';
import { start } from '../../src/workbench/start.ts';
import { platen, PROJECT, startWorkbench, type Finished } from '../support/command-line.ts';
import { soundLoadFacts } from '../support/load-facts.ts';
import { outerAddress } from '../support/outer-address.ts';
import { soon } from '../support/soon.ts';

/** A small shop: two computers that print labels. */
const SHOP = `title: A small shop
why: A test wants to know that labels are printed while others look on.
clock: real
room:
  computers:
    - { name: Shop, count: 2, printers: [{ profile: label-zebra-zpl, name: Labels }] }
traffic:
  accounts: 2
  sources: 2
  webhooks: { receiver: { answers: ok } }
  documents: { label: { file: zpl-label.zpl } }
  streams:
    - { name: labels, do: submit, document: label, pacer: { constant: { rate: 20 } }, for: 2s }
    - { name: looks, do: states, loops: 2, think: 100ms, for: 2s }
expect:
  # The machine of a test may be busy.
  thresholds: [ledger.lost == 0, lateness.p99 <= 10s]
`;

const LIMIT = 60_000;
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-load-'));
  file = path.join(folder, 'shop.yaml');
  writeFileSync(file, SHOP);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...argv: readonly string[]): Promise<Finished> {
  return platen(['run', ...argv, '--out', path.join(folder, 'out')]);
}

function recordOf(name: string): LoadRecord {
  return JSON.parse(readFileSync(path.join(folder, name, 'run.json'), 'utf8')) as LoadRecord;
}

it('accounts for every job of a small shop, in two processes', { timeout: LIMIT }, async () => {
  const { code, stdout } = await run(file, '--processes', '2', '--no-calibration');
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const record = recordOf('out');
  expect(record).toMatchObject({
    kind: 'load',
    verdict: 'pass',
    missingShards: [],
    plan: { shards: 2, present: [1, 2] },
    leaks: { accounts: [] },
    responses: { broken: [] },
  });
  expect(record.ledger.totals.intents).toBe(40);
  expect(record.ledger.totals.classes['delivered-once']).toBe(40);
});

it(
  'shows what two processes do as one load, on the page of a workbench, while they do it',
  { timeout: LIMIT },
  async () => {
    await using workbench = await start({ port: 0, room: 'none' });
    const longer = path.join(folder, 'longer.yaml');
    writeFileSync(longer, SHOP.replaceAll('for: 2s', 'for: 12s'));
    const finished = run(longer, '--processes', '2', '--no-calibration', '--quiet', '--open', workbench.url);
    const live = await soon(
      'a record of both processes with a job on paper',
      '50s',
      async () => {
        const [shown] = (await runsOf(workbench.url)).filter(({ running }) => running);
        const record = shown && (await recordSoFar(workbench.url, shown.id));
        return record?.progress && record.ledger.totals.classes['delivered-once'] > 0 ? record : undefined;
      },
      { every: '100ms' },
    );
    expect(live.plan).toMatchObject({ shards: 2, present: [1, 2] });
    const { classes, intents } = live.ledger.totals;
    expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(intents);
    expect((await finished).code).toBe(0);
  },
);

async function runsOf(url: string): Promise<readonly { readonly id: string; readonly running: boolean }[]> {
  const answer = await fetch(`${url}/_platen/runs`);
  return (await answer.json()) as readonly { readonly id: string; readonly running: boolean }[];
}

async function recordSoFar(url: string, id: string): Promise<LoadRecord> {
  const answer = await fetch(`${url}/_platen/runs/${id}`);
  return (await answer.json()) as LoadRecord;
}

it('leaves a report of every kind, and makes the same ones of run.json later', { timeout: LIMIT }, async () => {
  const [made, again] = [path.join(folder, 'made'), path.join(folder, 'again')];
  const names = 'html,junit,ctrf,github,pdf,ndjson,badge';
  const run = await platen(['run', file, '--no-calibration', '--out', made, '-r', names]);
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
  const record = recordOf('made');
  // What a schema does not name is left out of what it parses.
  expect(SCHEMAS.load.parse(record)).toEqual(record);
  expect(existsSync(path.join(made, 'ledger.bin'))).toBe(true);
  const report = await platen(['report', path.join(made, 'run.json'), '-r', `json,${names}`, '--out', again]);
  expect(report.code).toBe(0);
  const differing = readdirSync(again).filter(
    (name) => !readFileSync(path.join(again, name)).equals(readFileSync(path.join(made, name))),
  );
  expect(differing).toEqual([]);
  expect(readdirSync(again)).toHaveLength(8);
});

it('keeps the reports of several loads apart', { timeout: LIMIT }, async () => {
  const several = path.join(folder, 'several');
  mkdirSync(several);
  for (const name of ['first', 'second']) {
    writeFileSync(path.join(several, `${name}.yaml`), SHOP.replaceAll('for: 2s', 'for: 200ms'));
  }
  await run(several, '--no-calibration');
  for (const name of ['first', 'second']) expect(recordOf(`out/${name}`).ledger.totals.intents).toBe(4);
});

it('shows runs that are whole side by side', { timeout: LIMIT }, async () => {
  const record = path.join(folder, 'whole.json');
  writeFileSync(record, JSON.stringify(judgeLoad(soundLoadFacts())));
  const { code, stdout } = await platen(['report', record, record, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(2);
  const merged = await platen(['report', 'merge', record, record]);
  expect(merged).toMatchObject({ code: 64 });
  expect(merged.stderr).toContain('shard 1 is given twice');
});

it('adds up the shards of two machines, and names one that is missing', { timeout: LIMIT }, async () => {
  const workbench = await startWorkbench(['--limits', 'off']);
  try {
    for (const shard of ['1/2', '2/2']) {
      const out = path.join(folder, `shard-${shard[0]}`);
      const argv = ['run', file, workbench.url, '--shard', shard, '--no-calibration', '--out', out];
      const { code, stderr } = await platen(argv);
      expect({ code, stderr }).toMatchObject({ code: 2 });
    }
  } finally {
    await workbench.stop();
  }
  const records = ['shard-1', 'shard-2'].map((name) => path.join(folder, name, 'run.json'));
  const whole = await platen(['report', 'merge', ...records, '--json']);
  expect(whole).toMatchObject({ code: 0 });
  expect((await platen(['report', ...records, '--json'])).stdout).toBe(whole.stdout);
  const merged = JSON.parse(whole.stdout) as LoadRecord;
  expect(merged).toMatchObject({ verdict: 'pass', plan: { shards: 2, present: [1, 2] } });
  expect(merged.ledger.totals.classes['delivered-once']).toBe(40);
  const half = await platen(['report', records[0] ?? '']);
  expect(half.code).toBe(2);
  expect(half.stderr).toContain('missing of 2 shards: 2');
});

it('says what it would send, and sends nothing', { timeout: LIMIT }, async () => {
  const { code, stdout } = await platen(['run', file, 'http://127.0.0.1:1', '--plan', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ jobs: 40, connections: 2 });
});

it('says what each machine of a fleet would send, without one and without a server', { timeout: LIMIT }, async () => {
  const fleet = ['--nats', 'nats://127.0.0.1:1', '--workers', '2', '--plan'];
  const json = await platen(['run', file, 'http://127.0.0.1:1', ...fleet, '--json']);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    jobs: 40,
    shards: [{ shard: 1 }, { shard: 2 }],
    sum: { submissions: 40, computers: 2 },
  });
  const shown = await platen(['run', file, 'http://127.0.0.1:1', ...fleet]);
  expect(shown.stdout).toMatch(/2\/2 +\d+[^]+sum +\d+/);
});

it('keeps its own service running while it looks for the knee', { timeout: LIMIT }, async () => {
  const impatient = path.join(folder, 'impatient.yaml');
  // No generator is that punctual: the search ends after its first step.
  writeFileSync(impatient, SHOP.replace('lateness.p99 <= 10s', 'lateness.p99 <= 0us'));
  const knee = ['--find-knee', '--step-for', '1s', '--no-calibration', '--json', '--quiet'];
  const { stdout, stderr } = await run(impatient, ...knee);
  expect(stderr).toBe('');
  const { endedBy, steps } = JSON.parse(stdout) as {
    readonly endedBy: string;
    readonly steps: readonly { readonly record: LoadRecord }[];
  };
  expect(endedBy).toBe('generator');
  expect(steps.map(({ record }) => record.ledger.totals.classes['delivered-once'])).toEqual(steps.map(() => 20));
});

it('reads the baseline before it sends anything', { timeout: LIMIT }, async () => {
  const out = path.join(folder, 'no-baseline');
  const { code, stderr } = await platen(['run', file, '--baseline', 'nope.json', '--out', out]);
  expect({ code, stderr }).toEqual({
    code: 64,
    stderr: expect.stringMatching(/^error: cannot read nope.json: there is no such file\n/) as string,
  });
  expect(existsSync(out)).toBe(false);
});

it('loads no other machine unless that is allowed', { timeout: LIMIT }, async () => {
  const { code, stderr } = await run(file, 'http://printing.invalid');
  expect(code).not.toBe(0);
  expect(stderr).toContain('printing.invalid');
});

it('drains after one interruption, and leaves the report', { timeout: LIMIT }, async () => {
  const long = path.join(folder, 'long.yaml');
  writeFileSync(long, SHOP.replaceAll('for: 2s', 'for: 5m'));
  const out = path.join(folder, 'interrupted');
  const argv = ['bin/platen.js', 'run', long, '--no-calibration', '--out', out];
  const child = spawn(process.execPath, argv, { cwd: PROJECT, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('running') && !child.killed) child.kill('SIGINT');
  });
  const [code] = await within(ended, { description: 'the end of the load', limit: '50s' });
  expect(code).toBe(130);
  const record = recordOf('interrupted');
  expect(record).toMatchObject({ ending: 'interrupted', verdict: 'incomplete' });
  expect(record.ledger.totals.classes.unknown).toBe(0);
});

it.runIf(outerAddress() !== undefined)(
  'loads a service elsewhere when it agrees, and refuses when it does not',
  { timeout: LIMIT },
  async () => {
    const host = outerAddress() ?? '';
    const workbench = await startWorkbench(['--host', host, '--limits', 'off', '--load-token', 'agreed']);
    try {
      const elsewhere = path.join(folder, 'elsewhere.yaml');
      // Loopback addresses lead nowhere but here.
      writeFileSync(elsewhere, SHOP.replace('  sources: 2\n', ''));
      const argv = [elsewhere, workbench.url, '--key', workbench.apiKey, '--no-calibration'];
      const allowed = [...argv, '--allow-load-on', host, '--load-token'];
      const refused = await run(...allowed, 'another');
      expect(refused).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('has another token') as string,
      });
      expect((await run(...argv)).stderr).toContain(`--allow-load-on ${host}`);
      const nameless = await run(...allowed, 'agreed');
      expect(nameless).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('--callback-host NAME') as string,
      });
      const { code, stdout, stderr } = await run(...allowed, 'agreed', '--callback-host', host);
      expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
      const { ledger, webhooks } = recordOf('out');
      expect(ledger.totals.classes['delivered-once']).toBe(40);
      expect(webhooks).toMatchObject({ classes: { lost: 0 } });
      expect(webhooks?.classes.delivered).toBeGreaterThanOrEqual(40);
    } finally {
      await workbench.stop();
    }
  },
);
