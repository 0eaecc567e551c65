import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { PROJECT, run, type Finished } from '../support/command-line.ts';

const REPORTS = ['exchanges.ndjson.gz', 'gap-atlas.md', 'junit.xml', 'run.json'];

/** Packing, and installing from the network or its cache. */
const SETUP_LIMIT_MS = 120_000;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-package-'));
  await good('npm', ['pack', '--pack-destination', folder], PROJECT);
  const [tarball = ''] = readdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await good('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
}, SETUP_LIMIT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('brings what it runs and nothing that it was made with', () => {
  const installed = readdirSync(path.join(folder, 'node_modules'));
  for (const name of ['typescript', 'vitest', 'knip', 'node', 'zpl-renderer-js'])
    expect(installed).not.toContain(name);
  const files = readdirSync(path.join(folder, 'node_modules/platen'));
  expect(files).toEqual(
    expect.arrayContaining(['bin', 'dist', 'fixtures', 'LICENSE', 'README.md', 'CHANGELOG.md']),
  );
  for (const name of ['src', 'test', 'tsconfig.json']) expect(files).not.toContain(name);
});

it('checks the reference service', async () => {
  const checked = await good('npx', ['platen', 'check', '--quiet'], folder);
  expect(checked.stdout).toBe('');
  const [report = ''] = readdirSync(path.join(folder, 'reports'));
  expect(readdirSync(path.join(folder, 'reports', report)).toSorted()).toEqual(REPORTS);
}, 60_000);

it('gives programs a workbench', async () => {
  const program = `
    import { start } from 'platen';
    await using platen = await start({ port: 0, clock: 'virtual' });
    console.log((await platen.printers()).map(({ name }) => name).join());
  `;
  const ran = await good(process.execPath, ['--input-type=module', '--eval', program], folder);
  expect(ran.stdout).toBe('Laser,Label 4x6,Unknown Printer,Office MFP\n');
});

it('says of labels that what draws them is not installed, and keeps their bytes', async () => {
  const program = `
    import { start } from 'platen';
    await using platen = await start({ port: 0, clock: 'virtual' });
    const printer = (await platen.printers()).find(({ name }) => name === 'Label 4x6');
    const content = btoa('^XA^FO9,9^A0N,30,30^FDPRIORITY^FS^XZ');
    await fetch(platen.url + '/printjobs', {
      method: 'POST',
      headers: { authorization: 'Basic ' + btoa(platen.apiKey + ':'), 'content-type': 'application/json' },
      body: JSON.stringify({ printerId: printer.id, contentType: 'raw_base64', content, title: 'Label' }),
    });
    const job = await platen.jobs.wait({ title: 'Label', printouts: 1 });
    console.log(JSON.stringify([job.sides, job.printouts[0].raw, await job.text(1)]));
  `;
  const ran = await good(process.execPath, ['--input-type=module', '--eval', program], folder);
  expect(JSON.parse(ran.stdout)).toEqual([
    0,
    {
      bytes: 36,
      language: 'zpl',
      summary: '1 label',
      notDrawn: 'the package zpl-renderer-js is not installed',
    },
    'PRIORITY',
  ]);
});

async function good(program: string, argv: readonly string[], cwd: string): Promise<Finished> {
  const finished = await run(program, argv, { cwd });
  expect(finished, `${program} ${argv.join(' ')}`).toMatchObject({ code: 0 });
  return finished;
}
