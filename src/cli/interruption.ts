/**
 * Interruption: Ctrl-C or a signal. Whatever a command is at, it is over within two seconds.
 *
 *   nothing to put in order ─► the process ends at once
 *   something to put in order ─► an AbortSignal; what is not done soon is left
 *   nothing but computing ─► the system ends the process, as no handler would be called
 */

import { systemClock } from '../common/clock.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** npx forwards a signal that the terminal has also sent to us: one press arrives twice. */
const SAME_PRESS_MS = 1_000;
/** How long a command may put things in order. */
const TIDY_LIMIT_MS = 1_700;
const STEP_MS = 100;
/** How long a load may wait for what is under way; the rest is for its report. */
const DRAIN_LIMIT_MS = 500;

/** Why a command gave up; it ends with the exit code of an interruption. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super('interrupted');
    this.signal = signal;
  }
}

/** Signals end the process, until a command takes them. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, endInterrupted);
}

/** For work that computes without a pause. */
export function leaveSignalsToSystem(): void {
  for (const signal of SIGNALS) process.off(signal, endInterrupted);
}

/**
 * Aborts at the first signal, so that the command can put things in order; a later one ends the process at once.
 *
 * @param code - with which it ends where that takes too long
 */
export function interruption(code: ExitCode = EXIT.interrupted): AbortSignal {
  const controller = new AbortController();
  let sinceMs: (() => number) | undefined;
  takeSignals((by) => {
    if (sinceMs && sinceMs() > SAME_PRESS_MS) endNow(EXIT.interrupted);
    if (sinceMs) return;
    sinceMs = startStopwatch();
    whenSpent(TIDY_LIMIT_MS, () => {
      try {
        last();
      } finally {
        endNow(code);
      }
    });
    controller.abort(new Interrupted(by));
  });
  return controller.signal;
}

let last: () => void = () => undefined;

/** What is done where the time was not enough to put things in order. It must take no more than a moment. */
export function lastly(task: () => void): void {
  last = task;
}

/** Time in which others kept this process from running does not count. Keeps no process alive. */
function whenSpent(limitMs: number, task: () => void): void {
  let spentMs = 0;
  let before = process.cpuUsage();
  systemClock.beat(STEP_MS, () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    spentMs += Math.max(STEP_MS, (user + system) / MICROSECONDS_PER_MS);
    if (spentMs >= limitMs) task();
  });
}

const MICROSECONDS_PER_MS = 1_000;

function takeSignals(interrupt: (by: NodeJS.Signals) => void): void {
  leaveSignalsToSystem();
  for (const signal of SIGNALS) process.on(signal, interrupt);
}

function endInterrupted(): void {
  endNow(EXIT.interrupted);
}

/** Kinds of work that threads of Node do: files, and names of hosts. */
const OF_THREADS = /^(FSReq|GetAddrInfo|GetNameInfo)/;

/** Ends the process. Node itself would wait for its threads, such as one that looks up the name of a host. */
export function endNow(code: number): never {
  const isHeld = process.getActiveResourcesInfo().some((kind) => OF_THREADS.test(kind));
  if (isHeld && process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  process.exit(code);
}

/** What a person who pressed Ctrl-C can still do; nothing for other signals. */
export function againHint({ reason }: AbortSignal): string {
  const isPressed = reason instanceof Interrupted && reason.signal === 'SIGINT';
  return isPressed ? ' Press Ctrl-C again to stop at once.' : '';
}

export interface Interruptions {
  /** Aborts at the first signal: send nothing more. */
  readonly stop: AbortSignal;
  /** Aborts soon after: wait for nothing more. */
  readonly halt: AbortSignal;
}

/** For a load, which has sent what comes back a little later. */
export function interruptions(): Interruptions {
  const stop = interruption();
  const halt = new AbortController();
  stop.addEventListener('abort', () => systemClock.schedule(DRAIN_LIMIT_MS, () => halt.abort(stop.reason)));
  return { stop, halt: halt.signal };
}
