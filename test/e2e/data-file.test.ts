import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { platen, PROJECT, run, startWorkbench } from '../support/command-line.ts';

const INVOICE = path.join(PROJECT, 'fixtures/documents/invoice.pdf');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-data-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps and delivers a job although it was killed right after it had accepted it', async () => {
  const data = path.join(folder, 'workbench.db');
  const first = await startWorkbench(['--data', data]);
  // Without --wait: this returns with the 201.
  const accepted = await platen(['print', INVOICE, '--title', 'Survivor', '--json'], { env: first.env });
  await first.stop('SIGKILL');
  const { id } = JSON.parse(accepted.stdout) as { id: number };

  const second = await startWorkbench(['--data', data]);
  const response = await fetch(`${second.url}/_platen/jobs/wait?id=${id}&state=done&timeout=5s`);
  await second.stop();
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id, title: 'Survivor', state: 'done' });
});

/** No file of these processes may grow beyond 1 MB, as on a disk that is full. */
const FULL_DISK = `
  ulimit -f 2048
  node "$1/bin/platen.js" start --port 0 --data full.db --ready-file ready.json --quiet &
  until [ -s ready.json ]; do sleep 0.05; done
  url=$(node -p 'JSON.parse(require("fs").readFileSync("ready.json", "utf8")).url')
  node "$1/bin/platen.js" print large.pdf --url "$url"
  kill $!
  wait $!
`;

it('says on its terminal why it answers 500 when the disk is full', async () => {
  writeFileSync(path.join(folder, 'large.pdf'), Buffer.concat([readFileSync(INVOICE), Buffer.alloc(2_000_000, 10)]));
  const { stderr } = await run('sh', ['-c', FULL_DISK, 'sh', PROJECT], { cwd: folder });
  const said = /^error: a fault in the service.* got 500 InternalError: the data file cannot be .*(disk|full)/m;
  expect(stderr).toMatch(said);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(stderr).toMatch(/^error: the service failed: the data file cannot be written: /m);
}, 60_000);

it('is not ready while the disk is full, says why, and is ready again after', async () => {
  const data = path.join(folder, 'workbench.db');
  const workbench = await startWorkbench(['--data', data]);
  const health = async (): Promise<readonly [number, unknown]> => {
    const answer = await fetch(`${workbench.url}/_platen/health`);
    return [answer.status, await answer.json()];
  };
  // No file of its process may grow beyond this many bytes.
  const limitFiles = (bytes: string) => run('prlimit', ['--pid', String(workbench.pid), `--fsize=${bytes}:`]);
  expect(await health()).toEqual([200, { status: 'ready' }]);
  await limitFiles(String(statSync(`${data}-wal`).size));
  const refused = await platen(['print', INVOICE], { env: workbench.env });
  const full = await health();
  await limitFiles('unlimited');
  const after = await health();
  await workbench.stop();
  expect(refused).toMatchObject({ code: 75, stdout: '' });
  expect(refused.stderr).toMatch(/^error: the service failed: the data file cannot be written: .*(disk|full).*\n.*\n$/);
  expect(full).toEqual([503, { code: 'NotReady', message: expect.stringMatching(/^the data file .*: .*(disk|full)/) }]);
  expect(after).toEqual([200, { status: 'ready' }]);
});

it('forgets everything without a data file', async () => {
  const first = await startWorkbench();
  await platen(['print', INVOICE], { env: first.env });
  await first.stop();
  const second = await startWorkbench();
  const jobs = await platen(['jobs'], { env: second.env });
  await second.stop();
  expect(jobs.stdout).toMatch(/^no jobs yet/);
});

it('shows no job again that was deleted before a restart', async () => {
  const data = path.join(folder, 'workbench.db');
  const first = await startWorkbench(['--data', data]);
  for (const title of ['Kept', 'Deleted']) {
    await platen(['print', INVOICE, '--title', title, '--wait'], { env: first.env });
  }
  await fetch(`${first.url}/_platen/jobs?q=Deleted`, { method: 'DELETE' });
  await first.stop('SIGKILL');

  const second = await startWorkbench(['--data', data]);
  const shown = await fetch(`${second.url}/_platen/jobs`);
  await second.stop();
  expect(await shown.json()).toMatchObject({ jobs: [{ title: 'Kept' }], more: false });
});
