/**
 * A run that a workbench starts, as a process of its own.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import type { RunSummaryView } from '../../src/record/control-types.ts';
import { Runs } from '../../src/workbench/runs/runs.ts';
import { platen, startWorkbench } from '../support/command-line.ts';

interface Process {
  readonly pid: number;
  readonly command: string;
}

async function childrenOf(parent: number): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=,args=']);
  const rows = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  return rows.flatMap(([, ppid, pid, command = '']) =>
    Number(ppid) === parent ? [{ pid: Number(pid), command }] : [],
  );
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('has nothing of the request on its command line, and ends with its workbench, however that ends', async () => {
  const workbench = await startWorkbench();
  try {
    await fetch(`${workbench.url}/_platen/runs`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'run', scenario: 'ten-seconds', seed: 4711 }),
    });
    const [run] = await childrenOf(workbench.pid);
    expect(run?.command).toMatch(/bin\/platen\.js started-run$/);
    await workbench.stop('SIGKILL');
    await expect.poll(() => isAlive(run?.pid ?? 0), { timeout: 20_000, interval: 50 }).toBe(false);
  } finally {
    await workbench.stop('SIGKILL');
  }
}, 60_000);

it('has no progress any more once it has ended', async () => {
  const reports = mkdtempSync(path.join(tmpdir(), 'platen-started-'));
  const seen: RunSummaryView[] = [];
  const runs = new Runs({ folder: reports, onChange: (run) => void seen.push(run), certificate: undefined });
  try {
    await runs.start({ kind: 'explore', days: 150 });
    await expect.poll(() => seen.at(-1)?.exitCode, { timeout: 50_000 }).toBe(0);
    const ofDays = seen.filter(({ kind }) => kind === 'explore');
    expect(ofDays.filter(({ running, progress }) => running && progress).length).toBeGreaterThan(0);
    expect(ofDays.filter(({ running, progress }) => !running && progress)).toEqual([]);
  } finally {
    await runs.close();
    rmSync(reports, { recursive: true });
  }
}, 60_000);

it('is not for a person to type', async () => {
  expect(await platen(['started-run'], { alone: true })).toMatchObject({
    code: 64,
    stderr: 'error: a workbench starts such a run\nUse platen check, run or explore.\n',
  });
});
