/**
 * platen run and room on a service that a descriptor describes; and what stands for --link where it is not given.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { start } from '../../src/index.ts';
import { hasWebSocketLink } from '../../src/targets/link-probe.ts';
import { platen, startWorkbench, type Finished, type RunningWorkbench } from '../support/command-line.ts';

let workbench: RunningWorkbench;
let folder: string;
let target: string;

beforeAll(async () => {
  workbench = await startWorkbench(['--clock', 'virtual', '--limits', 'off']);
  folder = mkdtempSync(path.join(tmpdir(), 'platen-target-'));
  target = path.join(folder, 'target.yaml');
  writeFileSync(
    target,
    `url: ${workbench.url}
keys: { main: ${workbench.apiKey} }
hooks:
  advanceClock:
    http:
      url: '{url}/_platen/clock/advance'
      headers: { Content-Type: application/json }
      body: '{"by": "{ms}ms"}'
`,
  );
});

afterAll(async () => {
  await workbench.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('plays a scenario of hours in seconds, with the clock hook of the descriptor', async () => {
  const elapsedMs = startStopwatch();
  const out = path.join(folder, 'out');
  const { code, stdout } = await platen(['run', 'stale-label-expires', '--target', target, '--out', out]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 passed') });
  expect(elapsedMs()).toBeLessThan(30_000);
  const record = JSON.parse(readFileSync(path.join(out, 'run.json'), 'utf8')) as { target: unknown };
  expect(record.target).toMatchObject({ kind: 'remote', baseUrl: workbench.url });
}, 60_000);

it('asks what time it is at a service whose clock was moved before', async () => {
  const file = path.join(folder, 'later.yaml');
  writeFileSync(
    file,
    `title: Later
why: A clock that was moved before shows another time than this machine.
room: { computers: [{ name: DESK, printers: [{ profile: laser-a4, name: Laser }] }] }
steps:
  - submit: { as: letter, printer: Laser, document: invoice.pdf }
  - wait: { job: letter, state: done }
expect: { service: sound }
`,
  );
  await fetch(`${workbench.url}/_platen/clock/advance`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"by": "30d"}',
  });
  const { code, stdout } = await platen(['run', file, '--target', target]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 passed') });
}, 60_000);

it('says what a scenario leaves in the account of the key; one in a Child Account leaves nothing', async () => {
  const own = path.join(folder, 'own.yaml');
  writeFileSync(
    own,
    readFileSync('scenarios/edge-cases/blank-page.yaml', 'utf8').replace('\nroom:', '\naccount: own\nroom:'),
  );
  const { code, stderr } = await platen(['run', own, '--target', target, '--out', path.join(folder, 'own')]);
  const stays = `Left in the account at ${workbench.url}: the print jobs of one scenario; webhooks and computers were deleted.`;
  expect(stderr).toContain(stays);
  expect(code).toBe(0);
  const clean = await platen(['run', 'blank-page', '--target', target, '--out', path.join(folder, 'child')]);
  expect(clean).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Left') });
}, 60_000);

it('repeats a scenario with the flags that it was given', async () => {
  const failing = path.join(folder, 'failing.yaml');
  const text = readFileSync('scenarios/edge-cases/blank-page.yaml', 'utf8');
  writeFileSync(failing, text.replace(/\nexpect:[^]*$/, '\nexpect: { jobs: { report: expired } }\n'));
  const flags = ['--target', target, '--link', 'websocket', '--callback-host', '127.0.0.1'];
  const out = path.join(folder, 'failing');
  const { stdout } = await platen(['run', failing, ...flags, '--out', out]);
  const again = `platen run ${failing} ${flags.join(' ')} --seed `;
  expect(stdout).toContain(again);
  expect((await platen(['report', out])).stdout).toContain(again);
}, 60_000);

it('does not say that things were deleted from a service that stopped answering', async () => {
  await using dying = await start({ port: 0, clock: 'real', limits: 'off' });
  const hook = createServer((_, response) => void dying.close().then(() => response.end())).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  const described = path.join(folder, 'dying.yaml');
  const restart = { http: { url: `http://127.0.0.1:${portOf(hook)}` } };
  writeFileSync(described, JSON.stringify({ url: dying.url, keys: { main: dying.apiKey }, hooks: { restart } }));
  const scenario = path.join(folder, 'dies.yaml');
  writeFileSync(
    scenario,
    `title: It is gone
why: What was made cannot be removed any more.
account: own
room: { computers: [{ name: DESK, printers: [{ profile: laser-a4, name: Laser }] }] }
steps:
  - restart: service
  - submit: { as: letter, printer: Laser, document: invoice.pdf }
expect: { jobs: { letter: done } }
`,
  );
  const { code, stderr } = await platen(['run', scenario, '--target', described, '--out', path.join(folder, 'dies')]);
  hook.close();
  const stays = `Left in the account at ${dying.url}: what the scenarios had there when it stopped answering.`;
  expect({ code, stderr }).toEqual({ code: 75, stderr: expect.stringContaining(stays) });
}, 60_000);

/** A load of one stream, on the workbench without its link. */
function loadOutside(operation: string): Promise<Finished> {
  const file = path.join(folder, 'outside.yaml');
  const stream = `{ name: calls, do: ${operation}, pacer: { constant: { rate: 5 } }, for: 1s }`;
  writeFileSync(
    file,
    `title: Outside
why: A service without a link is loaded all the same.
traffic:
  documents: { label: { size: 100B, language: raw } }
  streams: [${stream}]
expect: { thresholds: [lateness.p99 <= 10s] }
`,
  );
  const flags = ['--key', workbench.apiKey, '--link', 'none', '--no-calibration', '-q'];
  return platen(['run', file, workbench.url, ...flags]);
}

it('runs a load without a link as far as it can, and says before what cannot be seen', async () => {
  const reads = await loadOutside('list-jobs');
  expect(reads).toMatchObject({ code: 0, stderr: expect.stringContaining('no job can be submitted') });
  const submits = await loadOutside('submit, document: label');
  const refused = "the stream 'calls' submits jobs, and the service has no link";
  expect(submits).toMatchObject({ code: 64, stderr: expect.stringContaining(refused) });
}, 60_000);

it('connects a room to the service of a descriptor', async () => {
  const bin = path.resolve('bin/platen.js');
  const child = spawn(process.execPath, [bin, 'room', '--target', target, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ url: workbench.url });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}, 30_000);

const check = (...argv: readonly string[]): Promise<Finished> =>
  platen(['check', '--target', target, '-g', '^link/welcome$', '--json', ...argv]);

it('connects computers to a service that has the device link, unless `link: none` forbids it', async () => {
  expect(await hasWebSocketLink(workbench.url, workbench.apiKey)).toBe(true);
  const found = await check();
  expect(JSON.parse(found.stdout)).toMatchObject({ target: { link: 'websocket' } });
  const without = await check('--link', 'none');
  expect(JSON.parse(without.stdout)).toMatchObject({ summary: { checks: { 'not-applicable': 1 } } });
}, 60_000);

it('plays a scenario with a printer that somebody else runs, by the word of the service', async () => {
  const file = path.join(folder, 'shop.yaml');
  writeFileSync(
    file,
    `title: A label of a shop
why: Somebody else runs the printer, and only the service tells of it.
room: { computers: [{ name: SHOP, printers: [{ profile: laser-a4, name: Any }] }] }
steps:
  - add-webhook: { as: told, messages: [print job state] }
  - submit: { as: label, printer: Any, document: invoice.pdf }
  - wait: { job: label, state: done }
expect: { jobs: { label: done }, service: sound }
`,
  );
  const borrowing = path.join(folder, 'borrowing.yaml');
  writeFileSync(borrowing, `${readFileSync(target, 'utf8')}use: { printer: Laser }\n`);
  const { code, stdout, stderr } = await platen(['run', file, '--target', borrowing]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 passed') });
  expect(stderr).toContain("Jobs go to the printer 'Laser', which platen does not run: what becomes of them");
}, 60_000);

const scenarioOf = (step: string): string => `title: One step
why: It is all that the service is asked for.
room: { computers: [{ name: A, printers: [{ profile: laser-a4, name: Any }] }] }
steps: [{ ${step} }]
expect: { service: sound }
`;

it('plays what needs no computer without a link, and says what cannot be seen of the rest', async () => {
  const file = path.join(folder, 'http-alone.yaml');
  writeFileSync(file, scenarioOf('request: { path: /whoami, answers: 200 }'));
  const alone = ['--target', target, '--link', 'none'];
  const read = await platen(['run', file, ...alone]);
  expect(read).toMatchObject({ code: 0, stderr: expect.stringContaining('so no job can be submitted') });
  writeFileSync(file, scenarioOf('submit: { as: label, printer: Any, document: invoice.pdf }'));
  const printed = await platen(['run', file, ...alone]);
  expect(printed).toMatchObject({ code: 2, stdout: expect.stringContaining("the printer 'Any' cannot be seen") });
}, 60_000);
