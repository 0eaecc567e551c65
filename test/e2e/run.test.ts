/**
 * platen run, as people and scripts use it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { within } from '../../src/common/waiter.ts';
import { platen, PROJECT, startWorkbench, type Finished, type RunningWorkbench } from '../support/command-line.ts';

const LETTER = `title: A letter prints
why: A test wants to know that a letter prints.
steps:
  - submit: { as: letter, printer: Laser, document: three-pages.pdf }
  - wait: { job: letter, printouts: 1 }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scenario(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function run(...argv: readonly string[]): Promise<Finished> {
  return platen(['run', ...argv, '--out', path.join(folder, 'out')]);
}

it('refuses a file that is not YAML by its name, in one line', async () => {
  const { code, stdout, stderr } = await run('README.md');
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(/^error: README.md is not a scenario: its name must end in \.yaml or \.yml\n[^\n]+\n$/);
});

it.each([['--plan'], ['--find-knee'], ['--processes', '2'], ['--baseline', 'nope.json']])(
  'refuses %s where there is no traffic',
  async (...flags) => {
    const file = scenario('quiet.yaml', `${LETTER}expect: { jobs: { letter: done } }\n`);
    const { code, stdout, stderr } = await run(file, ...flags);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(new RegExp(String.raw`error: ${flags[0]} needs traffic, and \S+quiet\.yaml has none`));
  },
);

it('ends with its scenario, however long a fault would last', { timeout: 30_000 }, async () => {
  const fault = '  - fault: { at: printer/Laser, fault: media-low, for: 10m }\n';
  const letter = LETTER.replace('steps:\n', `steps:\n${fault}`);
  const file = scenario('long-fault.yaml', `${letter}expect: { jobs: { letter: done } }\n`);
  expect(await run(file, '--clock', 'real')).toMatchObject({ code: 0 });
});

it('does not say of a folder with a load in it that it has no traffic', async () => {
  const mixed = path.dirname(scenario('mixed/quiet.yaml', `${LETTER}expect: { jobs: { letter: done } }\n`));
  const looks = '{ name: looks, do: noop, pacer: { constant: { rate: 1 } }, for: 1s }';
  const head = 'title: A rush\nwhy: A test wants to have a load beside it.\n';
  scenario('mixed/rush.yaml', `${head}traffic: { streams: [${looks}] }\n`);
  const { code, stderr } = await run(mixed, '--plan');
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('rush.yaml is a load') });
});

it('prints a line for a scenario that passes, and writes a record', async () => {
  const file = scenario('good.yaml', `${LETTER}expect: { jobs: { letter: done }, sheets: { letter: 3 } }\n`);
  const { code, stdout, stderr } = await run(file);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('run.json') });
  expect(stdout).toMatch(/^ok {4}A letter prints +\S+ in \S+\n\n1 scenario: 1 passed\n/);
  const record: unknown = JSON.parse(readFileSync(path.join(folder, 'out/run.json'), 'utf8'));
  expect(record).toMatchObject({
    tool: 'platen',
    recordVersion: 1,
    kind: 'run',
    seed: null,
    target: { kind: 'embedded' },
    summary: { scenarios: { total: 1, pass: 1 }, exitCode: 0 },
    scenarios: [{ id: file, title: 'A letter prints', verdict: 'pass', seed: 1 }],
  });
});

it('shows what differed, keeps the sheets and exits with 1', async () => {
  const file = scenario('bad.yaml', `${LETTER}expect: { sheets: { letter: { pages: [1, 2] } } }\n`);
  const { code, stdout } = await run(file);
  expect(code).toBe(1);
  expect(stdout).toContain('at       pages (first difference on side 3) of letter');
  expect(stdout).toMatch(/expected 1, 2\n +actual +1, 2, 3\n/);
  expect(stdout).toContain('3 sheets came out of Laser');
  const picture = /sheets: (\S+side-1\.png)/.exec(stdout)?.[1] ?? '';
  expect(existsSync(picture)).toBe(true);
});

it('exits with 2 where days would have to pass in real time', async () => {
  const steps = LETTER.replace('  - submit', '  - advance: 14d\n  - submit');
  const file = scenario('long.yaml', `${steps}expect: { jobs: { letter: done } }\n`);
  const { code, stdout } = await run(file, '--clock', 'real');
  expect(code).toBe(2);
  expect(stdout).toContain('14d would have to pass in real time');
});

it('plays nothing where one scenario has a mistake, and names it with its line', async () => {
  scenario('mixed/good.yaml', `${LETTER}expect: { jobs: { letter: done } }\n`);
  const wrong = scenario('mixed/wrong.yaml', `${LETTER}expect: { jobs: { leter: done } }\n`);
  const { code, stdout, stderr } = await run(path.dirname(wrong));
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toContain(`${wrong}:6:19: expect.jobs: there is no job 'leter'; did you mean 'letter'?`);
});

it.each([
  ['a file that is not there', ['no-such.yaml'], 64],
  ['a folder without scenarios', ['src/cli'], 64],
  ['an unknown flag', ['scenarios/edge-cases', '--fast'], 64],
  ['a service that is not there', ['scenarios/edge-cases/blank-page.yaml', 'http://127.0.0.1:1'], 75],
])('refuses %s', async (_, argv, expected) => {
  const { code, stdout, stderr } = await run(...argv);
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  expect(stderr).not.toContain('    at ');
});

it('prints one JSON document and nothing else', async () => {
  const file = scenario('good.yaml', `${LETTER}expect: { jobs: { letter: done } }\n`);
  const { stdout } = await run(file, '--json', '--seed', 'monday');
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'run', seed: 'monday', scenarios: [{ seed: 'monday' }] });
});

it('plays on a running service, and leaves nothing on it', async () => {
  const workbench: RunningWorkbench = await startWorkbench();
  try {
    const room = 'room: { computers: [{ name: GUEST, printers: [{ profile: laser-a4, name: Guest }] }] }\n';
    const steps = LETTER.replace('Laser', 'Guest').replace('steps:\n', 'steps:\n  - add-webhook: { as: hook }\n');
    const called = '  - wait: { webhook: hook, requests: 1, within: 5s }\n';
    const file = scenario('remote.yaml', `${room}${steps}${called}expect: { sheets: { letter: 3 } }\n`);
    const named = ['--key', workbench.apiKey, '--callback-host', 'localhost'];
    const { code, stdout } = await run(file, workbench.url, ...named);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 passed') });
    const headers = { authorization: `Basic ${Buffer.from(`${workbench.apiKey}:`).toString('base64')}` };
    const ask = async (where: string): Promise<unknown> => (await fetch(workbench.url + where, { headers })).json();
    expect(await ask('/webhooks')).toEqual([]);
    expect(await ask('/computers')).toEqual([
      expect.objectContaining({ name: 'BACK-OFFICE' }),
      expect.objectContaining({ name: 'FRONT-DESK' }),
    ]);
  } finally {
    await workbench.stop();
  }
});

it('reaches a service by another link, on which there are no faults', async () => {
  const workbench = await startWorkbench();
  try {
    const room = `room:
  computers:
    - { name: GUEST, printers: [{ profile: laser-a4, name: Guest }], scales: [{ profile: service-test-scale, name: Bench }] }
`;
    const steps = `${LETTER.replace('Laser', 'Guest')}  - weigh: { scale: Bench, grams: 250 }
  - cut: GUEST
  - wait: { computer: GUEST }
  - submit: { as: again, printer: Guest, document: invoice.pdf }
  - wait: { job: again, state: done }
`;
    const expected = 'expect: { sheets: { letter: 3, again: 1 }, readings: { Bench: { mass: [250000000, null] } } }\n';
    const good = scenario('foreign.yaml', `${room}${steps}${expected}`);
    const argv = [workbench.url, '--key', workbench.apiKey, '--link', 'test/support/my-link.ts'];
    const { code, stdout } = await run(good, ...argv);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 passed') });
    const faulty = scenario('faulty.yaml', `${room}faults: [{ at: link/GUEST, fault: drop }]\n${steps}${expected}`);
    const told = await run(faulty, ...argv);
    expect(told.code).toBe(2);
    expect(told.stdout).toContain("there are no faults at link/GUEST: the link is not platen's own");
  } finally {
    await workbench.stop();
  }
});

it.each([
  ['without a service', ['--link', 'test/support/my-link.ts'], 'the reference service always uses its own link'],
  ['that is not there', ['http://127.0.0.1:1', '--link', './no-link.ts'], 'there is no module ./no-link.ts'],
  ['that has none', ['http://127.0.0.1:1', '--link', 'src/cli/ready.ts'], "exports no 'link'; it exports readyCommand"],
])('refuses a link %s', async (_, argv, message) => {
  const { code, stderr } = await run('scenarios/edge-cases/blank-page.yaml', ...argv);
  expect(code).toBe(64);
  expect(stderr).toContain(message);
});

it('names the scenario in which a service died, plays none of those after it, and writes the report', async () => {
  const host = createServer((_, response) => response.writeHead(404));
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const workbench = await startWorkbench();
  const room = 'room: { computers: [{ name: GUEST, printers: [{ profile: laser-a4, name: Guest }] }] }\n';
  const steps = room + LETTER.replace('Laser', 'Guest');
  const uri = `uri: 'http://127.0.0.1:${portOf(host)}/letter.pdf'`;
  const fetching = steps.replace('document: three-pages.pdf', uri).replace('A letter', 'Another letter');
  scenario('dies/1.yaml', `${steps}expect: { sheets: { letter: 3 } }\n`);
  const fatal = scenario('dies/2.yaml', `${fetching}expect: { jobs: { letter: done } }\n`);
  scenario('dies/3.yaml', `${steps}expect: { sheets: { letter: 3 } }\n`.replace('A letter', 'A third'));
  try {
    const out = path.join(folder, 'died');
    const running = platen(['run', path.dirname(fatal), workbench.url, '--key', workbench.apiKey, '--out', out]);
    await within(once(host, 'request'), { description: 'the fetch of the document', limit: '20s' });
    await workbench.stop('SIGKILL');
    const { code, stdout } = await running;
    expect(code).toBe(75);
    expect(stdout).toMatch(/^ok .*\nopen .*Another letter prints/);
    expect(stdout).toContain(`stopped answering in ${fatal}; what follows was not played`);
    expect(JSON.parse(readFileSync(path.join(out, 'run.json'), 'utf8'))).toMatchObject({
      summary: { scenarios: { total: 3, pass: 1, inconclusive: 2 }, lostIn: fatal, exitCode: 75 },
      scenarios: [{}, { id: fatal }, { message: `not played: the service stopped answering in ${fatal}` }],
    });
    const junit = readFileSync(path.join(out, 'junit.xml'), 'utf8');
    expect(junit).toContain('tests="3" failures="0" errors="0" skipped="2"');
  } finally {
    host.close();
    host.closeAllConnections();
  }
});

it('ends at once when it is interrupted, with the report written', async () => {
  const host = createServer((_, response) => response.writeHead(404).end());
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const uri = `http://127.0.0.1:${portOf(host)}/letter.pdf`;
  const steps = `steps:\n  - submit: { as: letter, printer: Laser, uri: '${uri}' }\n  - advance: 2m\n`;
  const head = LETTER.slice(0, LETTER.indexOf('steps:'));
  const file = scenario('waits.yaml', `${head}${steps}expect: { jobs: { letter: done } }\n`);
  const out = path.join(folder, 'interrupted');
  const argv = [path.join(PROJECT, 'bin/platen.js'), 'run', file, '--clock', 'real', '--out', out];
  const child = spawn(process.execPath, argv, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await within(once(host, 'request'), { description: 'the fetch of the document', limit: '10s' });
  child.kill('SIGINT');
  const [code] = await within(ended, { description: 'the end of the run', limit: '5s' });
  host.close();
  expect(code).toBe(130);
  expect(readFileSync(path.join(out, 'run.json'), 'utf8')).toContain('it was interrupted');
});
