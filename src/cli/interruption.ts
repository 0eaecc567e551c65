/**
 * Interruption: Ctrl-C, or the signal of whoever runs us, as something a command can answer.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { EXIT } from './exit-code.ts';

/** npx passes on a signal that the terminal has sent to us as well: one press arrives twice. */
const SAME_PRESS_MS = 1_000;

/** Aborts at the first signal, so that the command can end well; a later one ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  let sinceMs: (() => number) | undefined;
  const interrupt = (): void => {
    if (sinceMs && sinceMs() > SAME_PRESS_MS) process.exit(EXIT.interrupted);
    sinceMs ??= startStopwatch();
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return controller.signal;
}
