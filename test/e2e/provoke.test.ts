/**
 * platen exec --provoke with apps that cannot be judged, or that leave something behind.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { start } from '../../src/workbench/start.ts';
import { platen, type Finished } from '../support/command-line.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'platen-provoke-'));

afterAll(() => rmSync(folder, { recursive: true }));

const SUBMIT = `
  const submit = (key = process.env.PLATEN_API_KEY) => fetch(process.env.PLATEN_URL + '/printjobs', {
    method: 'POST',
    headers: { authorization: 'Basic ' + btoa(key + ':'), 'content-type': 'application/json' },
    body: JSON.stringify({ printerId: 2, title: 'Label', contentType: 'raw_base64', content: btoa('^XA^XZ') }),
  });
`;

function judge(script: string, moment = 'POST /printjobs#1 busy', flags: readonly string[] = []): Promise<Finished> {
  const app = ['node', '--input-type=module', '--eval', SUBMIT + script];
  return platen(['exec', `--provoke=${moment}`, '--out', folder, ...flags, '--', ...app]);
}

it.each([
  { app: 'sends nothing', script: '', says: 'not one request came' },
  { app: 'has another key', script: "await submit('of another')", says: 'talked to PLATEN_URL with another key' },
  { app: 'is red', script: 'await submit(); process.exit(3)', says: 'fails though nothing goes wrong (exit code 3)' },
  { app: 'crashes', script: 'await submit(); process.abort()', says: 'fails though nothing goes wrong' },
])('judges no app that $app', async ({ script, says }) => {
  const { code, stderr } = await judge(script);
  expect(stderr).toContain(says);
  expect(code).toBe(2);
});

it('says that a moment was never reached', async () => {
  const { code, stdout } = await judge('await submit()', 'POST /printjobs#9 busy');
  expect(stdout).toContain('POST /printjobs#9 busy  the tests never reached it');
  expect(code).toBe(2);
});

it('shows what it judges on the page of a workbench', async () => {
  await using workbench = await start({ port: 0, room: 'none' });
  const { stderr } = await judge('await submit()', undefined, ['--open', workbench.url]);
  expect(stderr).toContain(`Live at ${workbench.url}/_platen/runs/caller-`);
  const runs: unknown = await (await fetch(`${workbench.url}/_platen/runs`)).json();
  expect(runs).toMatchObject([{ kind: 'caller', exitCode: 1, running: false, headline: '1 lost' }]);
});

it.runIf(process.platform === 'linux')('leaves no process that an app has left behind', async () => {
  const file = path.join(folder, 'pids');
  const { code } = await judge(`
    import { spawn } from 'node:child_process';
    import { appendFileSync } from 'node:fs';
    const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    appendFileSync(${JSON.stringify(file)}, pid + ' ');
    process.exit((await submit()).ok ? 0 : 1);
  `);
  expect(code).toBe(0);
  const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number);
  expect(pids).toHaveLength(3);
  expect(pids.map(commandOf)).toEqual(['', '', '']);
});

/** Empty once it has ended, also where nobody has asked how. */
function commandOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

it.each([
  [['--fast'], '--fast are for a command that is judged'],
  [['--provoke', '--clock', 'real'], '--clock means nothing with --provoke'],
  [['--provoke=POST /printjobs#1 bsuy'], "is called 'bsuy'; did you mean 'busy'"],
])('refuses %s', async (flags, says) => {
  const { code, stderr } = await platen(['exec', ...flags, '--', 'true']);
  expect(stderr).toContain(says);
  expect(code).toBe(64);
});
