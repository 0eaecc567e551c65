import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { within } from '../../src/common/waiter.ts';
import type { CheckRecord, CheckRunRecord } from '../../src/record/check-record.ts';
import { platen, PROJECT, run, startWorkbench } from '../support/command-line.ts';
import { outerAddress } from '../support/outer-address.ts';

let folder: string;
let server: Server;
let url: string;
/** What the service answers to requests with a key; without one, the way to see whether it is there, it works. */
let status: number;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-replay-'));
  status = 500;
  server = createServer(({ headers }, response) => {
    response.statusCode = headers.authorization === undefined ? 200 : status;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${portOf(server)}`;
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

interface Checked {
  readonly code: number | null;
  readonly file: string;
  readonly stdout: string;
}

async function check(name: string, ...more: readonly string[]): Promise<Checked> {
  const out = path.join(folder, name);
  const { code, stdout } = await platen(['check', url, '--grep', '^misc/ping$', '--out', out, ...more]);
  return { code, file: path.join(out, 'run.json'), stdout };
}

it('runs what failed again, and says whether it still does', async () => {
  const first = await check('first');
  expect(first.code).toBe(1);
  // As it can be pasted where the check was started.
  expect(first.stdout).toContain(`again    platen replay ${first.file} misc/ping\n`);
  const script = path.join(folder, 'first/failures/misc-ping/repro.sh');
  expect(first.stdout).toContain(`repeat   sh ${script}\n`);
  expect(readFileSync(path.join(folder, 'first/failures/misc-ping/repro.sh'), 'utf8')).toContain('curl ');
  const again = await platen(['replay', first.file, '--out', path.join(folder, 'again')]);
  expect(again).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAILED {2}misc\/ping {2}GET \/ping: expected status 200/),
  });
  const following = JSON.parse(readFileSync(first.file, 'utf8')) as CheckRunRecord;
  const file = path.join(folder, 'following.json');
  writeFileSync(file, JSON.stringify({ ...following, checks: following.checks.map(followingOther) }));
  const followed = await platen(['replay', file, 'misc/ping', '--out', path.join(folder, 'followed')]);
  expect(followed.stdout).toMatch(/; in the run it followed from misc\/noop$/m);
  // A list of runs tells it from a run of everything.
  const { selection } = JSON.parse(readFileSync(path.join(folder, 'again/run.json'), 'utf8')) as CheckRunRecord;
  expect(selection.grep).toBe('^(misc/ping)$');
  status = 200;
  const mended = await platen(['replay', first.file, 'misc/ping', '--out', path.join(folder, 'mended')]);
  expect(mended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^FIXED {2}misc\/ping {2}judged again and kept: misc\/ping/),
  });
  expect(await platen(['replay', first.file, 'misc/pong'])).toMatchObject({ code: 64 });
}, 60_000);

function followingOther(one: CheckRecord): CheckRecord {
  return { ...one, followsFrom: 'misc/noop' };
}

it('calls a check FIXED only if it had failed', async () => {
  status = 200;
  const good = await check('good');
  const again = await platen(['replay', good.file, 'misc/ping', '--out', path.join(folder, 'again')]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PASSED {2}misc\/ping/) });
}, 60_000);

it('repeats a failure over the link of its run', async () => {
  const workbench = await startWorkbench();
  const out = path.join(folder, 'linked');
  const linked = ['--grep', '^print-jobs/delivery$', '--link', 'websocket', '--out', out, '-q'];
  expect(await platen(['check', workbench.url, ...linked])).toMatchObject({ code: 0 });
  const again = ['replay', path.join(out, 'run.json'), 'print-jobs/delivery', '--out', path.join(folder, 'again')];
  const { code, stdout } = await platen(again);
  await workbench.stop();
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^PASSED {2}print-jobs\/delivery/),
  });
}, 60_000);

it('judges a rule of every response again only where the request that broke it is sent again', async () => {
  // Answers without a Request-Id to GET /noop alone, which misc/noop sends with every key; all else has one.
  let isBroken = true;
  let answered = 0;
  server.removeAllListeners('request');
  server.on('request', ({ url: address = '', headers }, response) => {
    const lacks = isBroken && address === '/noop' && headers.authorization !== undefined;
    if (!lacks) response.setHeader('Request-Id', `id-${++answered}`);
    if (address === '/no-such-path') response.statusCode = 404;
    response.end('{}');
  });
  const out = path.join(folder, 'every');
  await platen(['check', url, '--grep', '^(misc/noop|every-response/request-id)$', '--out', out, '-q']);
  const again = [
    'replay',
    path.join(out, 'run.json'),
    'every-response/request-id',
    '--out',
    path.join(folder, 'again'),
  ];
  expect(await platen(again)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAILED {2}every-response/) });
  isBroken = false;
  expect(await platen(again)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^FIXED {2}every-response/) });
}, 60_000);

it('wants the keys that the run had, and takes them from their variables', async () => {
  const { file } = await check('two-keys', '--second-key', 'another-key');
  const again = ['replay', file, '--out', path.join(folder, 'again')];
  expect(await platen(again)).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('the run had --second-key, which no record can give'),
  });
  const variables = { PLATEN_SECOND_API_KEY: 'another-key' };
  expect(await platen(again, { env: variables })).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAILED/) });
  expect(readFileSync(file, 'utf8')).not.toContain('another-key');
}, 60_000);

it('takes a descriptor that runs something only when it is named again, in the line that a failure shows', async () => {
  const descriptor = path.join(folder, 'target.yaml');
  writeFileSync(descriptor, `url: ${url}\nkeys: {main: some-key}\nhooks: {reset: {command: 'exit 0'}}\n`);
  const out = path.join(folder, 'described');
  const file = path.join(out, 'run.json');
  const checked = await platen(['check', '--target', descriptor, '--grep', '^misc/ping$', '--out', out]);
  const line = `platen replay ${file} misc/ping --target ${descriptor}`;
  expect(checked.stdout).toContain(`again    ${line}\n`);
  expect(await platen(['replay', file, 'misc/ping'])).toMatchObject({
    code: 64,
    stderr: `error: the run had --target, which no record can give\nGive it again, if you trust the record: ${line}\n`,
  });
  expect(await pasted(line)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAILED {2}misc\/ping/) });
  // Without a hook it only describes a service on this machine.
  writeFileSync(descriptor, `url: ${url}\nkeys: {main: some-key}\nrate: {requestsPerSecond: 50}\n`);
  expect(await platen(['replay', file, 'misc/ping'], { cwd: folder })).toMatchObject({ code: 1 });
}, 60_000);

it('goes to another machine only with every flag of the run, which the refusal has in a line to paste', async () => {
  const outer = outerAddress() ?? '0.0.0.0';
  using elsewhere = new DisposableStack();
  const far = createServer(({ headers }, response) => {
    response.statusCode = headers.authorization === undefined ? 200 : status;
    response.end('{}');
  }).listen(0, outer);
  elsewhere.defer(() => far.close());
  await once(far, 'listening');
  const address = `http://${outer}:${portOf(far)}`;
  const out = path.join(folder, 'far');
  const flags = ['--allow-writes', '--callback-host', outer, '--second-key', 'another-key'];
  await platen(['check', address, '--grep', '^misc/ping$', '--out', out, '-q', ...flags]);
  const again = ['replay', out, '--out', path.join(folder, 'far-again')];
  const { code, stderr } = await platen(again);
  const line = `platen replay ${out} --out ${path.join(folder, 'far-again')} --url ${address} --allow-writes --callback-host ${outer} --second-key "$PLATEN_SECOND_API_KEY"`;
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(`: ${line}\n`) });
  expect(await pasted(line, { PLATEN_SECOND_API_KEY: 'another-key' })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAILED/),
  });
  expect(await pasted(line)).toMatchObject({ code: 64, stderr: expect.stringContaining('the run had --second-key') });
}, 60_000);

/** What a person gets who pastes a line. */
function pasted(line: string, env: Readonly<Record<string, string>> = {}): ReturnType<typeof platen> {
  const script = `platen() { node ${path.join(PROJECT, 'bin/platen.js')} "$@"; }\n${line}`;
  return run('sh', ['-c', script], { cwd: folder, env });
}

it('compares two runs: what broke, what is fixed, what is no longer checked', async () => {
  const bad = await check('bad');
  status = 200;
  const good = await check('good');
  expect(await platen(['diff', bad.file, good.file])).toMatchObject({
    code: 0,
    stdout: 'fixed\n    misc/ping\n',
  });
  expect(await platen(['diff', good.file, bad.file])).toMatchObject({
    code: 1,
    stdout: 'failing now\n    misc/ping\n',
  });
  expect(await platen(['diff', good.file, good.file])).toMatchObject({ code: 0, stdout: 'no difference\n' });
  const empty = path.join(folder, 'empty.json');
  const record = JSON.parse(readFileSync(good.file, 'utf8')) as object;
  writeFileSync(empty, JSON.stringify({ ...record, checks: [] }));
  const { code, stdout } = await platen(['diff', good.file, empty]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'no longer judged\n    misc/ping\n' });
}, 60_000);

it('takes the folder of a run as well as its run.json', async () => {
  const run = path.join(folder, 'run');
  await platen(['check', '--grep', '^misc/ping$', '--out', run, '-q']);
  const calls = [
    ['replay', run],
    ['diff', run, run],
    ['analyze', run],
    ['report', run],
  ];
  expect(await Promise.all(calls.map(async (argv) => (await platen(argv)).code))).toEqual([0, 0, 0, 0]);
}, 60_000);

it('excuses a failure that is known, once its entry is filled in', async () => {
  await check('first');
  const template = path.join(folder, 'first/known-template.yaml');
  const known = path.join(folder, 'known.yaml');
  expect((await check('second', '--known', template)).code).toBe(64);
  const [reason, owner] = ['the new gateway', 'team gateway'];
  const filled = readFileSync(template, 'utf8')
    .replace('reason: CHANGE ME', `reason: ${reason}`)
    .replace('owner: CHANGE ME', `owner: ${owner}`)
    .replace('expires: CHANGE ME', 'expires: 2999-12-31');
  writeFileSync(known, filled);
  expect((await check('third', '--known', known)).code).toBe(0);
  status = 200;
  expect((await check('fourth', '--known', known)).code).toBe(1);
}, 60_000);

it('writes what it has when it is interrupted, and ends with 130', async () => {
  const { file } = await check('first');
  let pings = 0;
  // The second ping is that of the check; it gets no answer.
  const mute = createServer((request, response) => {
    if (request.url === '/ping' && ++pings > 1) mute.emit('silence');
    else response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const out = path.join(folder, 'interrupted');
  const address = `http://127.0.0.1:${portOf(mute)}`;
  const argv = ['bin/platen.js', 'replay', file, '--url', address, '--out', out];
  const child = spawn(process.execPath, argv, { cwd: PROJECT });
  await within(once(mute, 'silence'), { description: 'the request of the check', limit: '30s' });
  child.kill('SIGINT');
  const [code] = await within(once(child, 'exit'), { description: 'the end of the replay', limit: '30s' });
  mute.close();
  mute.closeAllConnections();
  expect(code).toBe(130);
  const record = JSON.parse(readFileSync(path.join(out, 'run.json'), 'utf8')) as { checks: unknown[] };
  expect(record.checks).toMatchObject([{ id: 'misc/ping', verdict: 'blocked' }]);
}, 60_000);

it('judges a stored run again without its target, and finds where it was changed', async () => {
  const folderOfRun = path.join(folder, 'stored');
  await platen(['check', '--grep', '^misc/ping$', '--out', folderOfRun, '-q']);
  const file = path.join(folderOfRun, 'run.json');
  expect(await platen(['analyze', folderOfRun])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1 checks .* judged by \d+ rules: no contradiction\n$/),
  });
  const record = readFileSync(file, 'utf8');
  writeFileSync(file, record.replaceAll('"verdict": "pass"', '"verdict": "fail"'));
  const changed = await platen(['analyze', file]);
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('misc/ping is stored as fail') });
  writeFileSync(file, record);
  rmSync(path.join(folderOfRun, 'exchanges.ndjson.gz'));
  expect(await platen(['analyze', file])).toMatchObject({ code: 2 });
}, 60_000);

it('judges recorded traffic, and says in words and by its exit code how it went', async () => {
  const file = path.join(folder, 'app.har');
  const save = (address: string, text: string): void =>
    writeFileSync(
      file,
      JSON.stringify({
        log: {
          entries: [
            {
              startedDateTime: '2026-01-31T08:00:00.000Z',
              time: 20,
              request: { method: 'GET', url: address, headers: [] },
              response: { status: 200, headers: [], content: { size: text.length, text } },
            },
          ],
        },
      }),
    );
  save('https://print.example/v1/printers', '{}');
  expect(await platen(['analyze', file])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /broken {3}printers\/list: body of GET \/printers: expected an array[^]*\nFAILED: 1 exchange with https:\/\/print\.example\/v1, /,
    ),
  });
  save('https://other.example/page', '{}');
  expect(await platen(['analyze', file])).toMatchObject({ code: 64, stderr: expect.stringContaining('printing API') });
  writeFileSync(file, '[]');
  expect(await platen(['analyze', file])).toMatchObject({ code: 64, stderr: expect.stringContaining('HTTP archive') });
}, 60_000);
