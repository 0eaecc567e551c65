import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { cleanEnvironment, platen, PROJECT, run, startWorkbench } from '../support/command-line.ts';
import { soon } from '../support/soon.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-start-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is ready within a second, or on a busy machine in twenty times what an empty Node takes', async () => {
  const readyMs: number[] = [];
  const emptyMs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const emptyElapsedMs = startStopwatch();
    await run(process.execPath, ['--eval', '0']);
    emptyMs.push(emptyElapsedMs());
    const elapsedMs = startStopwatch();
    const workbench = await startWorkbench();
    readyMs.push(elapsedMs());
    await workbench.stop();
  }
  expect(Math.min(...readyMs)).toBeLessThan(Math.max(1_000, 20 * Math.min(...emptyMs)));
}, 30_000);

it('says in its ready file where it is, and stops well on Ctrl-C', async () => {
  const workbench = await startWorkbench();
  expect(workbench.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(workbench.apiKey).toBe('test-key');
  expect(await platen(['ready'], { env: workbench.env })).toMatchObject({ code: 0 });
  expect(await workbench.stop('SIGINT')).toBe(0);
});

it('takes its ready file away when it stops, and that of a workbench that was killed when it starts', async () => {
  const readyFile = path.join(folder, 'ready.json');
  writeFileSync(readyFile, '{"url":"http://127.0.0.1:1"}');
  const refused = await platen(['start', '--port', '99999', '--ready-file', readyFile]);
  expect(refused.code).toBe(64);
  const child = spawn(process.execPath, ['bin/platen.js', '--port', '0', '--ready-file', readyFile], {
    cwd: PROJECT,
  });
  await within(once(child.stdout, 'data'), { description: 'the banner', limit: '30s' });
  expect(readFileSync(readyFile, 'utf8')).toContain(`"pid":${child.pid}`);
  child.kill('SIGINT');
  await within(once(child, 'exit'), { description: 'the end of platen', limit: '5s' });
  expect(existsSync(readyFile)).toBe(false);
});

it('ends with the npx that started it, to which alone a signal was sent', async () => {
  const readyFile = path.join(folder, 'ready.json');
  const argv = ['--no', '--', 'platen', 'start', '--port', '0', '--quiet', '--ready-file', readyFile];
  const npx = spawn('npx', argv, { cwd: PROJECT, env: cleanEnvironment({}), stdio: 'ignore' });
  const readyIs = (wanted: boolean): Promise<true> =>
    soon(
      `the ready file to be ${wanted ? 'there' : 'gone'}`,
      '20s',
      () => (existsSync(readyFile) === wanted ? true : undefined),
      { every: '20ms' },
    );
  await readyIs(true);
  npx.kill('SIGTERM');
  expect(await readyIs(false)).toBe(true);
}, 60_000);

it('shows address, key, printers and what to try next', async () => {
  const child = spawn(process.execPath, ['bin/platen.js', '--port', '0'], {
    cwd: PROJECT,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const [banner] = await within(once(child.stdout.setEncoding('utf8'), 'data'), {
    description: 'the banner',
    limit: '30s',
  });
  child.kill('SIGINT');
  expect(banner).toMatch(/service {2}http:\/\/127\.0\.0\.1:\d+\n/);
  expect(banner).toMatch(/API key {2}test-key/);
  expect(banner).toMatch(/1 {2}Laser +FRONT-DESK +online/);
  expect(banner).toMatch(/npx platen print .* --printer 'Laser' --wait --out sheets --url/);
  expect(banner).not.toContain('\u001b');
});

it('prints one JSON document and nothing else with --json', async () => {
  const child = spawn(process.execPath, ['bin/platen.js', '--port', '0', '--json'], { cwd: PROJECT });
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  await within(once(child.stdout, 'data'), { description: 'the document', limit: '5s' });
  child.kill('SIGTERM');
  const [code] = await within(once(child, 'close'), { description: 'the end of platen', limit: '5s' });
  expect(code).toBe(0);
  expect(JSON.parse(chunks.join(''))).toMatchObject({ apiKey: 'test-key', pid: child.pid });
});

it('names the port that is in use and how to get another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const run = await platen(['start', '--port', String(port)]);
  server.close();
  expect(run).toMatchObject({ code: 64, stdout: '' });
  expect(run.stderr).toBe(
    `error: port ${port} of 127.0.0.1 is in use\nChoose another with --port, or --port 0 for any that is free.\n`,
  );
});

it('refuses a data file that is not a database, and leaves it as it was', async () => {
  const file = path.join(folder, 'letter.txt');
  writeFileSync(file, 'Dear database, I am not one.');
  const run = await platen(['--port', '0', '--data', file]);
  expect(run.code).toBe(64);
  expect(run.stderr).toContain(file);
  expect(run.stderr).not.toMatch(/^ {4}at /m);
  expect(readFileSync(file, 'utf8')).toBe('Dear database, I am not one.');
});

it('refuses a data file that was made with another key', async () => {
  const file = path.join(folder, 'workbench.db');
  const first = await startWorkbench(['--data', file, '--key', 'one-key']);
  await first.stop();
  const run = await platen(['--port', '0', '--data', file, '--key', 'another-key']);
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('made with another API key');
});

it.each([
  [['strat'], "there is no command 'strat'; did you mean 'start'?", 'Run platen --help'],
  [['foo'], "there is no command 'foo'", 'Run platen --help'],
  [['--prot', '0'], "unknown option '--prot'", 'Did you mean --port?'],
  [['start', '--port', 'many'], "argument 'many' is invalid", 'write a port from 0 to 65535'],
  [['start', '--port'], 'argument missing', 'platen start --help'],
  [['start', 'now'], 'too many arguments', 'platen start --help'],
  [['help', 'prnt'], "there is no command 'prnt'; did you mean 'print'?", 'Run platen --help'],
  [['jobs', '--url', 'nonsense'], "'nonsense' is not the address of a service", 'Write it like http://'],
])('ends %j with 64, the mistake and the next step', async (argv, mistake, nextStep) => {
  const run = await platen(argv);
  expect(run).toMatchObject({ code: 64, stdout: '' });
  expect(run.stderr).toContain(mistake);
  expect(run.stderr).toContain(nextStep);
});

it('explains itself with --help and shows its version', async () => {
  const help = await platen(['--help']);
  expect(help.code).toBe(0);
  for (const command of ['start', 'check', 'print', 'jobs', 'ready']) expect(help.stdout).toContain(command);
  expect(await platen(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' });
});

it('says with 75 that nothing is ready, at once or after a while', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  server.close();
  const atOnce = await platen(['ready', '--url', url]);
  expect(atOnce.code).toBe(75);
  expect(atOnce.stderr).toContain(`nothing answers at ${url}: connection refused`);
  const elapsedMs = startStopwatch();
  expect((await platen(['ready', '--url', url, '--wait', '300ms'])).code).toBe(75);
  expect(elapsedMs()).toBeGreaterThan(300);
});
