/**
 * platen init: what it leaves works as it stands, and nothing that was there is lost. The test that it leaves is run in
 * a project with the package, by package.test.ts.
 */

import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';

import { portOf } from '../../src/common/port-of.ts';
import { platen, PROJECT } from '../support/command-line.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-init-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILES = ['target.yaml', 'scenario.yaml', 'printing.test.ts', '.github/workflows/printing.yml'];

const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

it('leaves a target and a scenario that work as they stand', async () => {
  const { code, stdout, stderr } = await platen(['init'], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(read('printing.test.ts')).not.toMatch(/from '\.{1,2}\//);
  for (const file of FILES) expect(stdout).toContain(`new   ${file}`);
  const check = ['exec', '--', 'node', path.join(PROJECT, 'bin/platen.js'), 'check', '--target', 'target.yaml'];
  const checked = await platen([...check, '--profile', 'smoke'], { cwd: folder });
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('PASSED')]);
  const played = await platen(['run', 'scenario.yaml'], { cwd: folder });
  expect([played.code, played.stdout]).toEqual([0, expect.stringContaining('PASSED')]);
}, 60_000);

it('leaves a workflow that runs what it left', async () => {
  await platen(['init'], { cwd: folder });
  const { jobs } = parse(read('.github/workflows/printing.yml')) as {
    readonly jobs: { readonly printing: { readonly steps: readonly { readonly run?: string }[] } };
  };
  const commands = jobs.printing.steps.flatMap(({ run = [] }) => run);
  expect(commands).toEqual([
    'npm ci',
    'npx platen exec -- npx platen check --target target.yaml --profile smoke',
    'npx platen run scenario.yaml',
    'npx vitest run printing.test.ts',
  ]);
});

it('names the service that it is given, and takes its key from the environment alone', async () => {
  const made = await platen(['init', 'new/project', '--service', 'http://127.0.0.1:1/'], { cwd: folder });
  expect(made.code).toBe(0);
  expect(parse(read('new/project/target.yaml'))).toEqual({
    url: 'http://127.0.0.1:1',
    keys: { main: '${PLATEN_API_KEY}' },
  });
  expect(read('new/project/.github/workflows/printing.yml')).toContain('PLATEN_API_KEY: ${{ secrets.PLATEN_API_KEY }}');
  const cwd = path.join(folder, 'new/project');
  const checked = await platen(['check', '--target', 'target.yaml'], { cwd, env: { PLATEN_API_KEY: 'k' } });
  expect([checked.code, checked.stderr]).toEqual([75, expect.stringContaining('http://127.0.0.1:1 ')]);
});

it('asks the service, and writes down what it lacks and which printer checks may use', async () => {
  const ANSWERS: Readonly<Record<string, unknown>> = {
    '/noop': 'id',
    '/whoami': { id: 1 },
    '/computers': [],
    '/printers': [{ id: 5, name: 'Laser' }],
    '/printjobs': [],
    '/webhooks': [],
  };
  const server = createServer(({ url = '', method }, response) => {
    const answer = url === '/ping' ? 'pong' : method === 'GET' ? ANSWERS[url.replace(/\?.*/, '')] : undefined;
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { code: 'NotFound' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = `http://127.0.0.1:${portOf(server)}`;
  const made = await platen(['init', '--service', service], { cwd: folder, env: { PLATEN_API_KEY: 'k' } });
  server.close();
  expect(made.stdout).toContain('npx platen check --target target.yaml --known known.yaml --allow-writes');
  expect(parse(read('known.yaml'))).toEqual({ known: [] });
  expect(parse(read('target.yaml'))).toMatchObject({
    url: service,
    use: { printer: 'Laser' },
    capabilities: { scales: false, 'client-downloads': false, 'child-accounts': false },
  });
});

it('says how to go to a folder whose name a shell would take apart', async () => {
  const { stdout } = await platen(['init', 'two words'], { cwd: folder });
  expect(stdout).toContain("\n  cd 'two words'\n");
});

it('keeps what is there', async () => {
  writeFileSync(path.join(folder, 'target.yaml'), 'mine');
  const { stdout } = await platen(['init'], { cwd: folder });
  expect(stdout).toMatch(/kept +target\.yaml +was there already/);
  expect(stdout).toContain(
    '  npx platen check --target target.yaml --profile smoke   # the service that your target.yaml',
  );
  expect(read('target.yaml')).toBe('mine');
  expect(existsSync(path.join(folder, 'scenario.yaml'))).toBe(true);
});

it.each([
  [['init', '--service', 'print.example'], "'print.example' is not the address of a service"],
  [['init', 'target.yaml'], 'target.yaml cannot be written to'],
])('refuses %j', async (argv, message) => {
  writeFileSync(path.join(folder, 'target.yaml'), '');
  const { code, stderr } = await platen(argv, { cwd: folder });
  expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
});

const SERVICE = `${process.execPath} ${path.join(PROJECT, 'bin/platen.js')} start --port $PORT --key $API_KEY --clock real`;

it('writes the command that starts the service, once it has started it and seen what it offers', async () => {
  const made = await platen(['init', '--start', SERVICE], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stdout: expect.not.stringContaining('--allow-writes') });
  expect(parse(read('target.yaml'))).toEqual({
    start: { command: SERVICE },
    keys: { main: '${PLATEN_API_KEY:-test-key}' },
    link: 'websocket',
  });
  expect(read('.github/workflows/printing.yml')).not.toContain('secrets');
  const checked = await platen(['check', '--target', 'target.yaml', '--known', 'known.yaml', '-g', '^misc/ping$'], {
    cwd: folder,
  });
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('PASSED')]);
}, 90_000);

it('writes nothing for a command that starts no service, and says why with its last lines', async () => {
  const made = await platen(['init', '--start', 'echo no such table; exit 3'], { cwd: folder });
  expect(made).toMatchObject({ code: 75, stderr: expect.stringContaining('no such table') });
  expect(existsSync(path.join(folder, 'target.yaml'))).toBe(false);
}, 60_000);
