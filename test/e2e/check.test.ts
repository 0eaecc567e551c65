import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { within } from '../../src/common/waiter.ts';
import type { CheckRunRecord, CheckSummary } from '../../src/record/check-record.ts';
import { platen, PROJECT, startWorkbench } from '../support/command-line.ts';
import { soon } from '../support/soon.ts';

const REPORTS = ['exchanges.ndjson.gz', 'gap-atlas.md', 'junit.xml', 'run.json'];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-check-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('prints the record that it leaves beside the other reports', async () => {
  const run = await platen(['check', '--grep', 'misc/', '--json', '--out', folder]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(folder).toSorted()).toEqual(REPORTS);
  const record: unknown = JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8'));
  expect(JSON.parse(run.stdout)).toEqual(record);
  expect(record).toMatchObject({ tool: 'platen', recordVersion: 1, kind: 'check', summary: { exitCode: 0 } });
});

it('says quietly what the verdict is and where the reports are, and nothing of a pass', async () => {
  const quiet = ['check', '-q', '--out', folder, '--grep'];
  expect(await platen([...quiet, '^misc/ping$'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const workbench = await startWorkbench();
  const unlinked = await platen([...quiet, '^print-jobs/delivery$', workbench.url, '--link', 'none']);
  await workbench.stop();
  expect(unlinked.code).toBe(2);
  expect(unlinked.stdout).toMatch(/^1 check not judged, untestable: needs a computer, .*\nINCOMPLETE: .*\n$/);
  expect(unlinked.stderr).toMatch(/^Reports: .*run\.json.*\n$/);
}, 30_000);

it('writes to a folder of its own below reports, and says where', async () => {
  const run = await platen(['check', '--grep', 'misc/'], { cwd: folder });
  expect(run.code).toBe(0);
  const [report = ''] = readdirSync(path.join(folder, 'reports'));
  expect(run.stderr).toContain(`Reports: reports/${report}/run.json, reports/${report}/junit.xml`);
  expect(run.stdout).toMatch(/^\d+\/\d+ ok {4}misc\/ping {2}/m);
});

it('repeats a run of the same seed with the same requests', async () => {
  const seeds = ['--seed', '7', '--grep', 'paging', '--json'];
  const runs = [
    await platen(['check', ...seeds, '--out', path.join(folder, 'a')]),
    await platen(['check', ...seeds, '--out', path.join(folder, 'b')]),
  ];
  const asked = runs.map(({ stdout }) => (JSON.parse(stdout) as { summary: { requests: number } }).summary.requests);
  expect(asked[0]).toBe(asked[1]);
});

it('checks a workbench elsewhere, and says what it could not try without a link', async () => {
  const workbench = await startWorkbench();
  const grep = ['--grep', '^misc/ping|print-jobs/delivery$'];
  const without = await platen(['check', workbench.url, ...grep, '--link', 'none', '--out', folder]);
  const linked = await platen(['check', workbench.url, ...grep, '--out', folder]);
  await workbench.stop();
  expect(without.code).toBe(2);
  expect(without.stdout).toMatch(/\d+ passed, \d+ not testable here/);
  expect(linked.code).toBe(0);
}, 30_000);

it('ends with 1 and names what failed when a service answers {} to everything', async () => {
  const url = await serve((server) => server.on('request', (_, response) => response.end('{}')));
  const run = await platen(['check', url, '--grep', 'misc/|authentication/missing', '--out', folder]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/^FAIL misc\/noop /m);
  expect(run.stdout).toMatch(/clause .*misc\/noop/);
  expect(run.stdout).toMatch(/repeat +sh .*repro\.sh/);
  expect(existsSync(path.join(folder, 'run.json'))).toBe(true);
}, 60_000);

it('names what failed when it is quiet too, a line for each', async () => {
  const url = await serve((server) => server.on('request', (_, response) => response.end('{}')));
  const run = await platen(['check', url, '-q', '--grep', 'misc/noop', '--out', folder]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/^(FAIL misc\/noop[a-z-]* {2}.+\n)+(\d checks? not judged, .+\n)+FAILED: .*\n$/);
}, 60_000);

it.each([
  [
    'redirects',
    (server: Server) => server.on('request', (_, response) => response.writeHead(302, { location: '/login' }).end()),
  ],
  [
    'answers HTML',
    (server: Server) =>
      server.on('request', (_, response) => response.setHeader('content-type', 'text/html').end('<html>')),
  ],
  ['hangs up', (server: Server) => server.on('request', (request) => request.socket.destroy())],
])('ends with 75 when what is there %s', async (_, misbehave) => {
  const run = await platen(['check', await serve(misbehave), '--out', folder]);
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toMatch(/^error: .+\n.+\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

it('ends with 130 when it is interrupted, even twice at once, with the reports still written', async () => {
  const workbench = await startWorkbench();
  const argv = ['bin/platen.js', 'check', workbench.url, '--link', 'websocket', '--out', folder];
  const child = spawn(process.execPath, argv, { cwd: PROJECT });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += String(piece)));
  await within(once(child.stdout, 'data'), { description: 'the first check', limit: '10s' });
  child.kill('SIGINT');
  child.kill('SIGINT');
  const [code] = await within(once(child, 'exit'), { description: 'the end of the check', limit: '10s' });
  await workbench.stop();
  expect(code).toBe(130);
  expect(said).toContain('\nInterrupted: removing what the checks made.');
  expect(said).toMatch(/\nINTERRUPTED: \d+ of \d+ checks did not finish\. No failure counts\./);
  expect(said.split('\n').length).toBeLessThan(100);
  expect(readdirSync(folder).toSorted()).toEqual(REPORTS);
  expect(summaryIn(folder)).toMatchObject({ exitCode: 130 });
}, 30_000);

it('ends with 75 when the service goes away, names the check, and blames it for nothing', async () => {
  const workbench = await startWorkbench();
  const argv = ['bin/platen.js', 'check', workbench.url, '--out', folder];
  const child = spawn(process.execPath, argv, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += String(piece)));
  await soon('the first check that passes', '20s', () => (said.includes(' ok ') ? true : undefined));
  await workbench.stop('SIGKILL');
  const [code] = await within(once(child, 'exit'), { description: 'the end of the check', limit: '40s' });
  expect(code).toBe(75);
  expect(said).toMatch(/\nCUT SHORT: The service went away during \S+: nothing listens there any more\. \d+ of/);
  const { checks, lostIn } = summaryIn(folder);
  expect(checks).not.toHaveProperty('fail');
  expect(said).toContain(`went away during ${lostIn}`);
}, 90_000);

it('ends with 130 when a run in several processes is interrupted, with the reports still written', async () => {
  const child = spawn(process.execPath, ['bin/platen.js', 'check', '--processes', '2', '--out', folder], {
    cwd: PROJECT,
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += String(piece)));
  // By then the process that writes the reports is in one of its long checks.
  await expect.poll(() => said, { timeout: 40_000 }).toContain('tags/life');
  const [other = ''] = childrenOf(child);
  // As a terminal does: all of its group.
  process.kill(-(child.pid ?? 0), 'SIGINT');
  const [code] = await within(once(child, 'exit'), { description: 'the end of the check', limit: '40s' });
  expect(code).toBe(130);
  const positions = [...said.matchAll(/^ *(\d+)\/\d+ /gm)].map(([, position]) => Number(position));
  expect(positions).toEqual(positions.map((_, index) => index + 1));
  expect(readdirSync(folder).toSorted()).toEqual(REPORTS);
  await expect.poll(() => existsSync(`/proc/${other}`), { timeout: 10_000 }).toBe(false);
}, 120_000);

it('ends with 70 when a process that runs checks is lost, with the reports of the others', async () => {
  const child = spawn(process.execPath, ['bin/platen.js', 'check', '--processes', '2', '--out', folder], {
    cwd: PROJECT,
  });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += String(piece)));
  await within(once(child.stdout, 'data'), { description: 'the first check', limit: '40s' });
  for (const pid of childrenOf(child)) process.kill(Number(pid), 'SIGKILL');
  const [code] = await within(once(child, 'close'), { description: 'the end of the check', limit: '60s' });
  expect(code).toBe(70);
  expect(said).toMatch(
    /why +a process that runs checks was lost before its checks were done \(SIGKILL\).*--processes 1/,
  );
  expect(said).toContain('\nBROKEN: ');
  expect(readdirSync(folder).toSorted()).toEqual(REPORTS);
}, 120_000);

function summaryIn(place: string): CheckSummary {
  return (JSON.parse(readFileSync(path.join(place, 'run.json'), 'utf8')) as CheckRunRecord).summary;
}

/** Ids of the processes that it has started. */
function childrenOf({ pid }: ChildProcess): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
}

it('ends with 64 when the key is wrong, whatever is asked of the service', async () => {
  const workbench = await startWorkbench();
  const env = { PLATEN_API_KEY: 'no-such-key', PLATEN_URL: workbench.url };
  const commands = [
    ['check', workbench.url, '--out', folder],
    ['run', 'scenarios/edge-cases/blank-page.yaml', workbench.url, '--out', folder],
    ['room', workbench.url],
    ['jobs'],
    ['print', 'fixtures/documents/invoice.pdf'],
  ];
  const ended = [];
  for (const argv of commands) ended.push(await platen(argv, { env }));
  await workbench.stop();
  expect(ended.map(({ code }) => code)).toEqual(commands.map(() => 64));
  for (const { stderr } of ended) expect(stderr).toMatch(/^error: .*API key.*\n.*--key/);
}, 60_000);

it('ends with 75 when nothing is there', async () => {
  const run = await platen(['check', 'http://127.0.0.1:1', '--out', folder]);
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toContain('http://127.0.0.1:1');
});

it.each([
  [['--grep', 'no-such-check'], "no check matches 'no-such-check'"],
  [['--grep', '('], "'(' is not a regular expression: Unterminated group"],
  [['--grep', 'a'.repeat(100_000)], 'is not a regular expression: Regular expression too large'],
  [['--grep', 'races, print'], "To name several, write 'races|print'."],
  [['--seed', 'many'], "argument 'many' is invalid"],
  [['--frep', 'x'], "unknown option '--frep'"],
  [['http://127.0.0.1:1', '--link', 'pigeon'], 'there is no module pigeon'],
  [['http://127.0.0.1:1', '--processes', '2'], 'http://127.0.0.1:1 is a single service'],
  [['--processes', '0'], 'write an integer of at least 1'],
  [['--processes', '1.5'], 'write an integer of at least 1'],
  [['nonsense'], "'nonsense' is not the address of a service"],
])('ends with 64 for %j', async (argv, mistake) => {
  const run = await platen(['check', ...argv, '--out', folder]);
  expect(run).toMatchObject({ code: 64, stdout: '' });
  expect(run.stderr).toContain(mistake);
});

it('takes one process for one service, which it has anyway', async () => {
  const run = await platen(['check', 'http://127.0.0.1:1', '--processes', '1', '--out', folder]);
  expect(run.code).toBe(75);
});

it('ends with 64 before anything runs when its reports cannot be written', async () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  const run = await platen(['check', 'http://127.0.0.1:1', '--out', path.join(file, 'reports')]);
  expect(run).toMatchObject({ code: 64, stdout: '' });
  expect(run.stderr).toMatch(/^error: .* cannot be written to: a part of its path is not a folder\n.*--out/);
});

it('leads from the address of the page to that of the service', async () => {
  const workbench = await startWorkbench();
  const run = await platen(['check', `${workbench.url}/_platen/`, '--out', folder]);
  await workbench.stop();
  expect(run).toMatchObject({ code: 75, stdout: '' });
  expect(run.stderr).toContain('/_platen is not a printing service: GET /ping answers 404');
  expect(run.stderr).toContain(`Its service is at ${workbench.url}\n`);
});

it('lists checks without running any', async () => {
  const run = await platen(['check', '--list', '--grep', 'idempotency']);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^idempotency\/conflict {2,}A second job/m);
  expect(run.stdout).not.toContain('misc/ping');
});

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(behave: (server: Server) => void): Promise<string> {
  const server = createServer();
  servers.push(server);
  behave(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

it('shows itself on a page of its own while it goes on, where no workbench runs', async () => {
  const env = { PLATEN_URL: 'http://127.0.0.1:9' };
  const run = await platen(['check', '--grep', '^misc/', '--open', '--quiet', '--out', folder], { env });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/^Live at http:\/\/127\.0\.0\.1:\d+\/_platen\/runs\/check-[\w-]+$/m);
});

it('refuses to show itself where there is no workbench', async () => {
  const run = await platen(['check', '--grep', '^misc/', '--open', 'http://127.0.0.1:9', '--out', folder]);
  expect(run.code).toBe(75);
  expect(run.stderr).toContain('nothing answers at http://127.0.0.1:9');
});
