import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { renderJson } from '../../src/report/json.ts';
import { platen } from '../support/command-line.ts';
import { HOSTILE, madeUpRun, madeUpScenarios } from '../support/run-records.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-report-'));
}, 60_000);

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function keep(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('leaves the reports of a check that are asked for', async () => {
  const run = await platen(['check', '--grep', '^misc/', '-r', 'html,pdf,ctrf,badge', '--out', folder]);
  expect(run.code).toBe(0);
  expect(readdirSync(folder).toSorted()).toEqual([
    'badge.svg',
    'ctrf.json',
    'exchanges.ndjson.gz',
    'gap-atlas.md',
    'report.html',
    'report.pdf',
    'run.json',
  ]);
}, 60_000);

it('renders a finished run to the same bytes, and exits as the run did', async () => {
  const run = await platen(['check', '--grep', '^misc/', '-r', 'html,junit', '--out', folder]);
  const again = path.join(folder, 'again');
  const report = await platen(['report', path.join(folder, 'run.json'), '-r', 'html,junit,json', '--out', again]);
  expect([run.code, report.code, report.stdout]).toEqual([0, 0, '']);
  for (const name of ['report.html', 'junit.xml', 'run.json']) {
    expect(readFileSync(path.join(again, name))).toEqual(readFileSync(path.join(folder, name)));
  }
}, 60_000);

it('puts the shards of a run together, and says when one is missing', async () => {
  const shards = ['1', '2'].map((index) => path.join(folder, index));
  for (const [index, out] of shards.entries()) {
    await platen(['check', '--grep', '^(misc|sets)/', '--shard', `${index + 1}/2`, '-q', '--out', out]);
  }
  const [first = '', second = ''] = shards.map((shard) => path.join(shard, 'run.json'));
  const whole = await platen(['report', first, second, '--json', '--out', folder]);
  expect([whole.code, JSON.parse(whole.stdout)]).toEqual([
    0,
    expect.objectContaining({ selection: expect.objectContaining({ shards: null }) as unknown }),
  ]);
  const half = await platen(['report', second, '-q', '--out', folder]);
  expect([half.code, half.stdout, half.stderr]).toEqual([2, '', 'INCOMPLETE: shard 1 of 2 is missing\n']);
}, 60_000);

it('refuses a file that is not a record, at its line and column, and unknown reporters', async () => {
  const cut = keep('cut.json', renderJson(madeUpRun()).slice(0, 300));
  const broken = await platen(['report', cut]);
  expect(broken.code).toBe(64);
  expect(broken.stderr).toMatch(/cut\.json:\d+:\d+: not valid JSON/);
  const unknown = await platen(['report', cut, '-r', 'htlm']);
  expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining("did you mean 'html'?")]);
  const missing = await platen(['report', path.join(folder, 'nowhere.json')]);
  expect([missing.code, missing.stderr]).toEqual([64, expect.stringContaining('cannot read')]);
}, 60_000);

it('annotates and summarises on GitHub of itself, and lets no word of a target command the runner', async () => {
  const runs = [
    keep('check.json', renderJson(madeUpRun({ words: HOSTILE }))),
    keep('run.json', renderJson(madeUpScenarios(HOSTILE))),
  ];
  const summary = path.join(folder, 'summary.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const report = await platen(['report', ...runs, '--out', folder], { env });
  expect(report.code).toBe(1);
  let stopped = '';
  const obeyed: string[] = [];
  for (const line of report.stdout.split('\n').map((one) => one.trim())) {
    const [, token = ''] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (stopped === '' && token !== '') stopped = token;
    else if (line === `::${stopped}::`) stopped = '';
    else if (stopped === '' && (line.startsWith('::') || line.includes('##['))) obeyed.push(line);
  }
  expect(obeyed.map((line) => line.split(' ')[0])).toEqual(['::error', '::error', '::error', '::error', '::error']);
  expect(readFileSync(summary, 'utf8')).toContain('FAILED');
}, 60_000);
