/**
 * Stopwatch: how long something really took, whatever clock the program runs on.
 */

/** Where the scale of this process stands on the scale of the machine. */
const PROCESS_START_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/**
 * Milliseconds with fractions on a scale that never jumps and that all processes of this machine share; only
 * differences mean something.
 */
export function monotonicMs(): number {
  return PROCESS_START_MS + performance.now();
}

/** The same scale in whole microseconds. */
export function machineMicroseconds(): number {
  return Math.round(monotonicMs() * 1_000);
}

/** Starts a stopwatch; the returned function reads the milliseconds since then. */
export function startStopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}
