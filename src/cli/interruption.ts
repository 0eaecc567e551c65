/**
 * Interruption: Ctrl-C or a signal, as an AbortSignal.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { EXIT } from './exit-code.ts';

/** npx forwards a signal that the terminal has also sent to us: one press arrives twice. */
const SAME_PRESS_MS = 1_000;

/** Why a command gave up; it ends with the exit code of an interruption. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super('interrupted');
    this.signal = signal;
  }
}

/** Aborts at the first signal, so that the command can clean up; a later one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  let sinceMs: (() => number) | undefined;
  const interrupt = (by: NodeJS.Signals): void => {
    if (sinceMs && sinceMs() > SAME_PRESS_MS) process.exit(EXIT.interrupted);
    sinceMs ??= startStopwatch();
    controller.abort(new Interrupted(by));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return controller.signal;
}

/** What a person who pressed Ctrl-C can still do; nothing for other signals. */
export function againHint({ reason }: AbortSignal): string {
  const isPressed = reason instanceof Interrupted && reason.signal === 'SIGINT';
  return isPressed ? ' Press Ctrl-C again to stop at once.' : '';
}

export interface Interruptions {
  /** Aborts at the first signal: end in good order. */
  readonly stop: AbortSignal;
  /** Aborts at the second: end at once. */
  readonly halt: AbortSignal;
}

/** For commands that take a while to clean up; a third signal ends the process. */
export function interruptions(): Interruptions {
  const presses = [new AbortController(), new AbortController()] as const;
  let sinceMs: (() => number) | undefined;
  const interrupt = (by: NodeJS.Signals): void => {
    if (sinceMs && sinceMs() <= SAME_PRESS_MS) return;
    sinceMs = startStopwatch();
    const next = presses.find(({ signal }) => !signal.aborted);
    if (next) next.abort(new Interrupted(by));
    else process.exit(EXIT.interrupted);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return { stop: presses[0].signal, halt: presses[1].signal };
}
