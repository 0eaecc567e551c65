import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, expect, it } from 'vitest';

import { portOf } from '../../../src/common/port-of.ts';
import { freePort } from '../../../src/targets/free-port.ts';
import { startedTarget, type StartedTargetOptions } from '../../../src/targets/started.ts';
import type { Target } from '../../../src/targets/target.ts';
import { soon } from '../../support/soon.ts';

const SERVICE = `'${process.execPath}' '${fileURLToPath(new URL('../../support/tiny-service.ts', import.meta.url))}'`;
const FOLDER = mkdtempSync(path.join(tmpdir(), 'platen-started-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const open = (command: string, more: Partial<StartedTargetOptions> = {}): Promise<Target> =>
  startedTarget({ start: { command, ...more.start }, cwd: FOLDER, apiKey: 'the-key', clock: 'real', ...more });

async function shown({ baseUrl }: Target): Promise<{ readonly fired: boolean; readonly starts: number; date: number }> {
  const response = await fetch(`${baseUrl}/ping`);
  const date = Date.parse(response.headers.get('date') ?? '');
  return { ...((await response.json()) as { fired: boolean; starts: number }), date };
}

/** Gone, or ended and not yet taken note of by its parent. */
const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
};

function ends(pid: number): Promise<true> {
  return soon(`the end of process ${pid}`, '10s', () => isGone(pid) || undefined);
}

it('is told its port, its folder and its key, and keeps them when it is killed and started again', async () => {
  const target = await open(SERVICE);
  expect(await shown(target)).toMatchObject({ starts: 1 });
  await target.program?.kill();
  await expect(shown(target)).rejects.toThrow('fetch failed');
  expect(target.program?.lost).toBeUndefined();
  await target.restart?.();
  expect(await shown(target)).toMatchObject({ starts: 2 });
  expect(target.program?.lines).toEqual(['  | tiny service listens']);
  await target.close();
  await expect(shown(target)).rejects.toThrow('fetch failed');
});

it('takes its address and its key from a file that it writes', async () => {
  const port = await freePort();
  const said = path.join(FOLDER, 'said.json');
  const command = `echo '{"where": ${port}, "made": "its-own"}' > ${said}; API_KEY=its-own exec ${SERVICE} ${port}`;
  const target = await open(command, {
    start: { command, says: said },
    url: 'http://127.0.0.1:{where}',
    apiKey: '{made}',
  });
  expect(target).toMatchObject({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'its-own' });
  await target.close();
});

it.each([
  ['an address', { url: 'http://127.0.0.1:{were}' }, '{were}'],
  ['a key', { apiKey: '{maed}' }, '{maed}'],
])('refuses %s with a name that stands for nothing', async (_, wrong, name) => {
  await expect(open(SERVICE, wrong)).rejects.toMatchObject({
    kind: 'usage',
    message: `nothing is called ${name}`,
    nextStep: expect.stringContaining('There are {key}'),
  });
});

it('leaves nothing that the service started, not even what left its group', async () => {
  const pids = path.join(FOLDER, 'pids');
  const target = await open(`setsid sleep 1003 & echo $! > ${pids}; ${SERVICE}`);
  const [pid = 0] = readFileSync(pids, 'utf8').split(' ').map(Number);
  expect(isGone(pid)).toBe(false);
  await target.close();
  await ends(pid);
});

it('tells how the service ended that nobody had ended', async () => {
  const target = await open(`${SERVICE} & echo $! > service.pid; wait; echo out of paper; exit 9`);
  process.kill(Number(readFileSync(path.join(FOLDER, 'service.pid'), 'utf8')), 'SIGKILL');
  const lost = await soon('the end of the service', '10s', () => target.program?.lost);
  expect(lost).toEqual(['it ended with exit code 9', '  | tiny service listens', '  | out of paper']);
  await target.close();
});

const UNFIT: readonly (readonly [what: string, command: string, says: string | RegExp])[] = [
  ['a command that there is not', 'no-such-service', /it ended with exit code 127\n.*no-such-service: not found/],
  ['a command that ends', 'echo "no database" >&2; exit 3', 'it ended with exit code 3\n  | no database'],
  ['a command that wants a terminal', 'read -r line || { echo "no terminal"; exit 1; }', /exit code 1\n {2}\| no term/],
];

it.each(UNFIT)('says with its last lines why %s does not come up', async (_, command, says) => {
  await expect(open(command)).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringMatching(says) });
});

it('says that a service went into the background, and ends it', async () => {
  const pids = path.join(FOLDER, 'background');
  const opened = open(`setsid sleep 1004 & echo $! > ${pids}`);
  await expect(opened).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'the service did not come up: it ended with exit code 0 and went on in the background',
  });
  await ends(Number(readFileSync(pids, 'utf8')));
});

it('says where a service listens that does not listen where it is told', async () => {
  const port = await freePort();
  await expect(open(`${SERVICE} ${port}`)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(new RegExp(`^the service does not listen on port \\d+, .* but on ${port}$`)),
    nextStep: expect.stringContaining(`http://127.0.0.1:${port}`),
  });
  const wrong = await freePort();
  await expect(open(`${SERVICE} ${port}`, { url: `http://127.0.0.1:${wrong}` })).rejects.toMatchObject({
    message: `the service does not listen on port ${wrong}, as its address says, but on ${port}`,
    nextStep: expect.stringContaining('Correct the address'),
  });
  const target = await open(`${SERVICE} ${port}`, { url: `http://127.0.0.1:${port}` });
  expect(await shown(target)).toMatchObject({ fired: false });
  await target.close();
});

it('starts nothing beside another service at the same address', async () => {
  const other = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(other)}`;
  writeFileSync(path.join(FOLDER, 'untouched'), '');
  await expect(open('echo started > untouched', { url })).rejects.toMatchObject({
    kind: 'usage',
    message: `something listens at ${url} before the service is started`,
  });
  expect(readFileSync(path.join(FOLDER, 'untouched'), 'utf8')).toBe('');
  other.close();
});

it('moves the time of a service that was not changed for it', { tags: ['faketime'] }, async () => {
  const target = await open(SERVICE, { clock: 'moved' });
  const before = await shown(target);
  await target.timekeeper.elapse('25h');
  const after = await shown(target);
  expect(before.fired).toBe(false);
  expect(after.fired).toBe(true);
  expect(after.date - before.date).toBeGreaterThanOrEqual(25 * 3_600_000 - 1_000);
  expect(Math.abs(target.timekeeper.now() - after.date)).toBeLessThan(5_000);
  await target.restart?.();
  expect((await shown(target)).date).toBeGreaterThanOrEqual(after.date);
  await target.close();
});
