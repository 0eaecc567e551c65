/**
 * Stopwatch: how long something really took, whatever clock the program runs on.
 */

/** Milliseconds with fractions on a scale that never jumps; only differences mean something. */
export function monotonicMs(): number {
  return performance.now();
}

/** Starts a stopwatch; the returned function reads the milliseconds since then. */
export function startStopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}
