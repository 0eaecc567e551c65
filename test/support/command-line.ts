/**
 * The command line that a person runs: bin/platen.js in a process of its own.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { within } from '../../src/common/waiter.ts';
import { callStanding } from './standing-platen.ts';
import { soon } from './soon.ts';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PLATEN = path.join(PROJECT, 'bin/platen.js');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** How long it may take. */
  readonly limit?: string;
  /** In a process that nothing else was called in: where that is what is tried. */
  readonly alone?: boolean;
}

/** Runs `platen` with these arguments to its end. */
export function platen(argv: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { cwd = PROJECT, env = {}, limit = '60s' } = options;
  if (needsProcess(argv, options)) return run(process.execPath, [PLATEN, ...argv], options);
  return callStanding({ argv, cwd, env: cleanEnvironment(env) }, limit);
}

/** Whether a call depends on its standard input, or changes its process for good, as what it trusts. */
function needsProcess(argv: readonly string[], { alone, input, env = {} }: RunOptions): boolean {
  if (alone === true || input !== undefined || argv.includes('--ca')) return true;
  return Object.keys(env).some((name) => name.startsWith('NODE_') || name === 'PLATEN_CA');
}

/** Runs a program to its end, with this Node first on the path and nothing of the caller's platen around. */
export async function run(
  program: string,
  argv: readonly string[],
  { cwd = PROJECT, env = {}, input = '', limit = '60s' }: RunOptions = {},
): Promise<Finished> {
  const child = spawn(program, argv, { cwd, env: cleanEnvironment(env) });
  // It may end without having read anything: then the pipe is broken, which does not matter.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await within(
    Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]),
    { description: `the end of ${program} ${argv.join(' ')}`, limit },
  );
  return { code: code as number | null, stdout, stderr };
}

/** The environment of a person who has never used platen. */
export function cleanEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const {
    PLATEN_URL: _url,
    PLATEN_API_KEY: _key,
    FORCE_COLOR: _color,
    GITHUB_ACTIONS: _actions,
    GITHUB_STEP_SUMMARY: _summary,
    ...rest
  } = process.env;
  return { ...rest, NO_COLOR: '1', PATH: `${path.dirname(process.execPath)}:${rest['PATH'] ?? ''}`, ...env };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** A workbench in a process of its own. */
export interface RunningWorkbench {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  /** What clients have to trust; empty without TLS. */
  readonly caFile: string;
  /** What PLATEN_URL and PLATEN_API_KEY have to be for other commands to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it with a signal and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** It takes less than a second where the machine does not stand still. */
const START_LIMIT = '25s';

/** Starts `platen start` on a free port; resolves when its ready file is there. */
export async function startWorkbench(argv: readonly string[] = []): Promise<RunningWorkbench> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-ready-'));
  const readyFile = path.join(folder, 'ready.json');
  const child = spawn(process.execPath, [PLATEN, 'start', '--port', '0', '--ready-file', readyFile, ...argv], {
    cwd: PROJECT,
    env: cleanEnvironment({}),
    // Not inherited: a workbench that a failing test leaves behind would keep the test runner waiting.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.pipe(process.stderr, { end: false });
  try {
    const { url, apiKey, pid, caFile = '' } = await readyOf(child, readyFile);
    const env = { PLATEN_URL: url, PLATEN_API_KEY: apiKey };
    return { url, apiKey, pid, caFile, env, stop: (signal = 'SIGTERM') => stop(child, signal) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ready {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly caFile?: string;
}

function readyOf(child: ChildProcess, readyFile: string): Promise<Ready> {
  return soon(
    'the ready file',
    START_LIMIT,
    () => {
      if (child.exitCode !== null) throw new Error(`platen start ended with ${child.exitCode}`);
      if (!existsSync(readyFile)) return undefined;
      return JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
    },
    { every: '5ms' },
  );
}

/** It takes some 50 ms where the machine does not stand still. */
const STOP_LIMIT = '20s';

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await within(ended, { description: `the end of platen after ${signal}`, limit: STOP_LIMIT });
  return code as number | null;
}
