/**
 * Interruption: Ctrl-C, or the signal of whoever runs us, as something a command can answer.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { EXIT } from './exit-code.ts';

/** npx passes on a signal that the terminal has sent to us as well: one press arrives twice. */
const SAME_PRESS_MS = 1_000;

/** Why a command gives up what it was about to begin; it ends with the exit code of an interruption. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Aborts at the first signal, so that the command can end well; a later one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  let sinceMs: (() => number) | undefined;
  const interrupt = (): void => {
    if (sinceMs && sinceMs() > SAME_PRESS_MS) process.exit(EXIT.interrupted);
    sinceMs ??= startStopwatch();
    controller.abort(new Interrupted('interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return controller.signal;
}

/** Two things that can be asked of a command under way. */
export interface Interruptions {
  /** Aborts at the first signal: end in order. */
  readonly stop: AbortSignal;
  /** Aborts at the second: end at once. */
  readonly halt: AbortSignal;
}

/** For commands that take a while to end well; a third signal ends the process. */
export function interruptions(): Interruptions {
  const presses = [new AbortController(), new AbortController()] as const;
  let sinceMs: (() => number) | undefined;
  const interrupt = (): void => {
    if (sinceMs && sinceMs() <= SAME_PRESS_MS) return;
    sinceMs = startStopwatch();
    const next = presses.find(({ signal }) => !signal.aborted);
    if (next) next.abort();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return { stop: presses[0].signal, halt: presses[1].signal };
}
