/**
 * Timing: what the page has of time. The clock of the workbench comes over the wire; this is only about
 * when the browser does something.
 */

/** Milliseconds since the page was opened; never goes back. */
export function sincePageOpened(): number {
  return performance.now();
}

/** Runs `task` every `intervalMs`; returns what ends it. */
export function every(intervalMs: number, task: () => void): () => void {
  const handle = window.setInterval(task, intervalMs);
  return () => window.clearInterval(handle);
}

/** Runs `task` once, `delayMs` from now; returns what calls it off. */
export function after(delayMs: number, task: () => void): () => void {
  const handle = window.setTimeout(task, delayMs);
  return () => window.clearTimeout(handle);
}

/**
 * A task that may be asked for as often as one likes and runs once for all that came in the meantime,
 * at the next frame. A page in the background has no frames: there a timer stands in.
 */
export function oncePerFrame(task: () => void): () => void {
  let isDue = false;
  const run = (): void => {
    if (!isDue) return;
    isDue = false;
    task();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    if (document.hidden) window.setTimeout(run, 250);
    else requestAnimationFrame(run);
  };
}

/** A task that waits until `quietMs` have passed without being asked for again. */
export function debounced(quietMs: number, task: () => void): () => void {
  let cancel: (() => void) | undefined;
  return () => {
    cancel?.();
    cancel = after(quietMs, task);
  };
}

/** A task that runs at once, and then at most every `pauseMs`, with a last run for what came in between. */
export function throttled(pauseMs: number, task: () => void): () => void {
  let isResting = false;
  let isDue = false;
  const rest = (): void => {
    isResting = true;
    after(pauseMs, () => {
      isResting = false;
      if (!isDue) return;
      isDue = false;
      run();
    });
  };
  const run = (): void => {
    task();
    rest();
  };
  return () => {
    if (isResting) isDue = true;
    else run();
  };
}
