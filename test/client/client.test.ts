/**
 * Targets with a client program of their own, in short: `npm run prove client` runs every check.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { keysOf } from '../../src/common/keys-of.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { lackOfKernelHost } from '../../src/hardware/usb/kernel-host.ts';
import { cleanEnvironment, platen, PROJECT, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { CLIENT_PAGE } from './client-page.ts';
import { startClientTarget } from './client-target.ts';
import { soon } from '../support/soon.ts';

const LIMIT_MS = 180_000;
/** Away and back, cancelled, in order, on paper, what no print queue shows, and a scale. */
const CHECKS = '^(computers/reconnect|cancelling/set|print-jobs/delivery|printing/|printers/dpis|scales/most-recent)';

const NO_SCALE = 'needs a scale, and this machine cannot attach one';

const PLATEN_CLIENT = `[node, ${path.join(PROJECT, 'bin/platen.js')}, client, '{url}', --key, '{key}', --name, '{computer}', --data, '{folder}']`;

function eventuallyThere(pattern: string): Promise<true> {
  return soon(pattern, '60s', () => globSync(pattern).length > 0 || undefined, { every: '5ms' });
}

describe('a service with a client program', { tags: ['print-system'], timeout: LIMIT_MS }, () => {
  it('is judged as over the link, and what a print queue does not show is not judged', async () => {
    const target = await startClientTarget();
    const lack = lackOfKernelHost();
    try {
      const { outcomes, leftBehind } = await runConformance({ target, seed: 1, grep: CHECKS });
      const verdicts = outcomes.map(({ check, verdict, message }) => `${check.id} ${verdict} ${message}`.trim());
      expect(verdicts.filter((line) => !line.endsWith(' pass'))).toEqual([
        'printers/dpis untestable takes made-up capabilities, and a client program reports those of its queues',
        ...(lack === undefined ? [] : [`scales/most-recent untestable ${NO_SCALE}: ${lack}`]),
      ]);
      expect(leftBehind).toEqual([]);
    } finally {
      await target.close();
    }
  });

  it('has a page of what is not judged', () => {
    expect(readBaselineRows(CLIENT_PAGE).flat()).toContain('`printers/dpis`');
  });
});

describe('a client program', { tags: ['print-system'], timeout: LIMIT_MS }, () => {
  let service: RunningWorkbench;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    service = await startWorkbench(['--limits', 'off']);
  });

  afterAll(() => service.stop());

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-clients-'));
    mkdirSync(path.join(folder, 'tmp'));
    // The filters of CUPS run as another user.
    chmodSync(folder, 0o755);
    file = path.join(folder, 'target.yaml');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Folders for temporary files, and programs that were started for this target. */
  const remains = (): readonly string[] => [
    ...readdirSync(path.join(folder, 'tmp')).filter((name) => name.startsWith('platen-c')),
    ...execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(folder)),
  ];

  /** What it leaves behind, once it has had time to remove it. */
  const leftOvers = (): Promise<readonly string[]> =>
    soon(
      'an empty folder, and no program',
      '20s',
      () => {
        const left = remains();
        return left.length === 0 ? left : undefined;
      },
      { lastSeen: () => remains().join('\n') },
    );

  /** Describes the service and its client program. @returns the environment of a run on it */
  function describeTarget(command: string): Record<string, string> {
    writeFileSync(file, `url: ${service.url}\nclient:\n  command: ${command}\n`);
    return { ...service.env, TMPDIR: path.join(folder, 'tmp') };
  }

  /** Runs platen on the described target. */
  function on(command: string, ...argv: readonly string[]): ReturnType<typeof platen> {
    const env = describeTarget(command);
    return platen([...argv, '--target', file, '--out', path.join(folder, 'out')], { env });
  }

  it.each([
    ['ends', `[sh, -c, 'echo no licence; exit 3']`, /it ended with exit code 3\n {2}\| no licence/],
    ['does not exist', '[no-such-client]', /it ended with exit code 127/],
    [
      'never shows up',
      `[sh, -c, 'echo waiting; sleep 100']`,
      /does not show the computer '.*' within 20s\n {2}\| waiting/,
    ],
  ])('is named where it %s, with its last lines, and nothing is left', async (_how, command, message) => {
    const { code, stderr } = await on(command, 'check', '--grep', 'computers/reconnect');
    expect(code).toBe(75);
    expect(stderr).toMatch(message);
    expect(await leftOvers()).toEqual([]);
  });

  it('has its part in a scenario', async () => {
    const starts = path.join(folder, 'starts');
    const script = `echo "$6" >> ${starts}; exec node ${path.join(PROJECT, 'bin/platen.js')} "$@"`;
    const words = `client, '{url}', --key, '{key}', --name, '{computer}', --data, '{folder}'`;
    const scenario = 'scenarios/edge-cases/raw-is-never-touched.yaml';
    const { code, stdout, stderr } = await on(`[sh, -c, '${script}', sh, ${words}]`, 'run', scenario);
    expect({ code, failures: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, failures: '' });
    expect(readFileSync(starts, 'utf8').split('\n')).toContain('TILL');
  });

  it.each([
    ['as they are', 'exec "$@"', 0, { 'delivered-once': 15, 'lost-title': 0 }],
    ['lost', `PATH=${path.join(import.meta.dirname, 'untitled')}:$PATH exec "$@"`, 1, { 'lost-title': 15, lost: 0 }],
  ])('prints a load with titles %s, and each job is in its class', async (_how, script, code, classes) => {
    const scenario = path.join(import.meta.dirname, 'load.yaml');
    const run = await on(PLATEN_CLIENT.replace('[', `[sh, -c, '${script}', sh, `), 'run', scenario);
    const record = z.object({ ledger: z.object({ totals: z.object({ classes: z.record(z.string(), z.number()) }) }) });
    const { ledger } = record.parse(JSON.parse(readFileSync(path.join(folder, 'out/run.json'), 'utf8')));
    expect({ code: run.code, stderr: run.stderr, classes: ledger.totals.classes }).toMatchObject({ code, classes });
    expect(await leftOvers()).toEqual([]);
  });

  it('is not started for a load that is too large for this machine', async () => {
    const { code, stderr } = await on(PLATEN_CLIENT, 'run', 'reconnect-storm');
    expect(code).toBe(64);
    expect(stderr).toMatch(
      /has 1000 computers with \d+ printers, .*: this machine carries \d+ computers and 100 printers\n/,
    );
    expect(await leftOvers()).toEqual([]);
  });

  /** When a run is ended: what there has to be in the folder for temporary files, or undefined for its first output. */
  const MOMENTS = {
    'its print system starts': 'platen-cups-*/cupsd.conf',
    'its client connects': 'platen-client-*/client.json',
    'checks are under way': undefined,
  } as const;
  const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;

  it.each(keysOf(MOMENTS).flatMap((moment) => SIGNALS.map((signal) => ({ signal, moment }))))(
    'leaves nothing behind when the run ends by $signal while $moment',
    async ({ signal, moment }) => {
      const env = cleanEnvironment(describeTarget(PLATEN_CLIENT));
      const out = path.join(folder, 'out');
      const argv = ['bin/platen.js', 'check', '--target', file, '--grep', 'computers/', '--out', out];
      const run = spawn(process.execPath, argv, { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(run, 'exit');
      const pattern = MOMENTS[moment];
      if (pattern === undefined) await Promise.race([once(run.stdout, 'data'), ended]);
      else await eventuallyThere(path.join(folder, 'tmp', pattern));
      expect({ endedBefore: run.exitCode }).toEqual({ endedBefore: null });
      run.kill(signal);
      await ended;
      expect(await leftOvers()).toEqual([]);
    },
  );
});
