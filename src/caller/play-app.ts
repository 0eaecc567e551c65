/**
 * Playing an app: its command runs once, with a fresh workbench and one thing that goes wrong, or none.
 *
 *   workbench ── virtual clock, twenty times as fast ──┐
 *   command ── PLATEN_URL, PLATEN_API_KEY ─────────────┼─► history, and how the command ended
 *   workbenches that the command itself starts ────────┘
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { readHistory, type AppEnd, type CallerHistory, type Said, type SeenRun } from '../record/caller-history.ts';
import { momentText, type Moment } from '../record/moments.ts';
import { removeSharedMemory, type FastTime } from '../targets/fake-time.ts';
import { killMarked, MARK } from '../targets/marked-processes.ts';
import { HISTORY_VARIABLE, MOMENT_VARIABLE, MomentStage } from '../workbench/moment/moment-stage.ts';
import type { Platen } from '../workbench/library/platen.ts';
import { startOn } from '../workbench/start.ts';
import type { StartOptions } from '../workbench/workbench.ts';

/** How a command is started, on this system. */
export interface AppCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments: boolean;
}

export interface PlayOptions {
  readonly command: AppCommand;
  readonly workbench: Pick<StartOptions, 'room' | 'limits' | 'seed'>;
  /** Where the time of the command runs faster than ours. */
  readonly fast?: FastTime | undefined;
  /** A command that runs longer is killed. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Printers and retries of the service take a twentieth of their time. */
const BEAT_MS = 50;
const BEAT_STEP = `${BEAT_MS * 20}ms`;
/** For the last output of a process that was killed. */
const CLOSING_MS = 1_000;
const OUTPUT_MOST = 20_000;

/** @param look - at the run, while its workbench is still there */
export async function playApp<Result>(
  moment: Moment | undefined,
  options: PlayOptions,
  look: (run: SeenRun, platen: Platen) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-history-'));
  const stage = new MomentStage(moment, { speed: options.fast?.factor });
  try {
    const given = { ...options.workbench, port: 0, clock: 'virtual' } as const;
    // What another till sends must not use up the requests of the app.
    const limits = moment?.fault === 'crowd' ? 'off' : given.limits;
    await using platen = await startOn(stage, { ...given, limits });
    const stopBeating = beat(platen, stage);
    const running = runCommand(options, {
      PLATEN_URL: platen.url,
      PLATEN_API_KEY: platen.apiKey,
      [MOMENT_VARIABLE]: moment ? momentText(moment) : '',
      [HISTORY_VARIABLE]: folder,
      [MARK]: folder,
      ...options.fast?.environment,
    });
    const end = await ended(running, stopBeating);
    options.signal.throwIfAborted();
    const files = readdirSync(folder).map((name) => readHistory(readFileSync(path.join(folder, name), 'utf8')));
    return await look({ ...together([await stage.history(), ...files]), end }, platen);
  } finally {
    // What has left the group of the command.
    killMarked(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ended(running: Promise<AppEnd>, stopBeating: () => Promise<void>): Promise<AppEnd> {
  try {
    return await running;
  } finally {
    await stopBeating();
  }
}

/** Lets the clock of a workbench run, and stand while an app is asked something. @returns what stops it */
function beat(platen: Platen, stage: MomentStage): () => Promise<void> {
  const stopped = new AbortController();
  const beating = (async () => {
    for (;;) {
      await sleep(systemClock, BEAT_MS, stopped.signal);
      if (!stage.isWaitedFor) await platen.clock.advance(BEAT_STEP);
    }
  })().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return async () => {
    stopped.abort(new Error('the command has ended'));
    await beating;
  };
}

async function runCommand(
  { command: { file, args, windowsVerbatimArguments }, fast, limitMs, signal }: PlayOptions,
  environment: Readonly<Record<string, string>>,
): Promise<AppEnd> {
  const tookMs = startStopwatch();
  const child = spawn(file, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which can be ended as a whole.
    detached: process.platform !== 'win32',
    windowsVerbatimArguments,
  });
  const output = keepOutput(child);
  const hurry = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(limitMs))]);
  const kill = (): void => endGroup(child);
  hurry.addEventListener('abort', kill, { once: true });
  const closed = once(child, 'close').catch(() => undefined);
  try {
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    const isHung = hurry.aborted && killedBy !== null;
    // What it has left behind would hold its output open.
    endGroup(child);
    await Promise.race([closed, sleep(systemClock, CLOSING_MS)]);
    const exitCode = isHung ? null : (code ?? SIGNALLED);
    return { code: exitCode, said: saidBy(output(), exitCode), output: output(), durationMs: tookMs() };
  } catch (error) {
    throw usageError(
      `'${file}' cannot be run: ${messageOf(error)}`,
      'Write the command after --, as in: platen exec --provoke -- npm test',
    );
  } finally {
    hurry.removeEventListener('abort', kill);
    if (fast && child.pid !== undefined) removeSharedMemory(child.pid);
  }
}

/** The code where a signal has ended a command, which then has none itself. */
const SIGNALLED = 128;

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

/** @returns a function that gives the last of what it wrote */
function keepOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-OUTPUT_MOST);
    });
  }
  return () => text;
}

const SAID = /^.*\bplaten: said=(printed|failed|waiting)\b/gm;

function saidBy(output: string, code: number | null): Said {
  const last = [...output.matchAll(SAID)].at(-1)?.[1] as Said | undefined;
  return last ?? (code === 0 ? 'printed' : 'failed');
}

/** Ids of jobs are of their workbench; those of the first stay as they are. */
export const IDS_EACH = 1_000_000;

function together(histories: readonly CallerHistory[]): CallerHistory {
  const apart = histories.map(({ requests, jobs, ...rest }, index) => ({
    ...rest,
    requests: requests.map((request) => ({
      ...request,
      jobId: request.jobId === null ? null : request.jobId + index * IDS_EACH,
    })),
    jobs: jobs.map((job) => ({ ...job, id: job.id + index * IDS_EACH })),
  }));
  return {
    requests: apart.flatMap(({ requests }) => requests),
    deliveries: apart.flatMap(({ deliveries }) => deliveries),
    jobs: apart.flatMap(({ jobs }) => jobs),
    isReached: isReachedIn(apart),
  };
}

/** A moment of the room is reached in the workbench that the app uses. */
function isReachedIn(histories: readonly CallerHistory[]): boolean {
  const used = histories.filter(({ requests }) => requests.length > 0);
  return used.some(({ isReached }) => isReached);
}
