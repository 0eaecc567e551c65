/**
 * Watching: what --watch waits for is looked at again and again, until it is different, or until q or Ctrl-C.
 */

import { readdirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';

import { sleep, systemClock } from '../common/clock.ts';
import { startStopwatch } from '../common/stopwatch.ts';

export const LOOK_EVERY_MS = 200;
/** So that looks at many files are a small part of the time. */
const PAUSE_PER_MS = 10;

/** Lets time pass, less where Ctrl-C ends it: the caller looks at the signal. */
export async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  await sleep(systemClock, ms, stopped).catch(() => undefined);
}

/** Editors replace files, and some file systems report no events: so this looks, instead of being called. */
export async function untilOtherwise(look: () => string, seen: string, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const elapsedMs = startStopwatch();
    if (look() !== seen) return;
    await pause(Math.max(LOOK_EVERY_MS, elapsedMs() * PAUSE_PER_MS), stopped);
  }
}

/** A string that changes with each file; in a folder, also when a file comes or goes. */
export function stateOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found ? `${found.mtimeMs} ${found.size}` : 'missing';
    })
    .join('\n');
}

/** The files that a person writes there: none that are hidden, or that belong to packages. */
export function filesBelow(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(place) : [place];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A build may delete it while it is looked at, and others may not be read.
    return [];
  }
}

/** On a terminal q does what Ctrl-C does, which raw mode would otherwise swallow. */
export function stopOnKey(): Disposable {
  const { stdin } = process;
  if (!stdin.isTTY) return { [Symbol.dispose]: () => undefined };
  stdin.setRawMode(true).on('data', onKey).resume();
  return {
    [Symbol.dispose]: () => {
      stdin.off('data', onKey).setRawMode(false).pause();
    },
  };
}

function onKey(bytes: Buffer): void {
  if (bytes.includes('q') || bytes.includes(0x03)) process.kill(process.pid, 'SIGINT');
}
