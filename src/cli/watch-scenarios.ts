/**
 * platen run --watch: plays scenarios again whenever one of their files or documents changes, until q or Ctrl-C.
 */

import { statSync } from 'node:fs';
import path from 'node:path';

import { ActionableError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import type { ScenarioFile } from '../scenario/format/find-scenarios.ts';
import { placeOfFile } from '../scenario/vocabulary/documents.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { styled } from '../report/terminal/line.ts';
import { out } from './screen/terminal.ts';

const LOOK_EVERY_MS = 200;

export interface WatchOptions {
  /** Reads the scenarios. @throws ActionableError with every mistake in them */
  readonly read: () => Promise<readonly ScenarioFile[]>;
  readonly play: (files: readonly ScenarioFile[]) => Promise<ExitCode>;
  readonly explain: (error: unknown) => void;
  /** Files that are looked at where the scenarios cannot be read. */
  readonly named: readonly string[];
  readonly stopped: AbortSignal;
}

/** @returns the exit code of what was played last */
export async function watchScenarios({ read, play, explain, named, stopped }: WatchOptions): Promise<ExitCode> {
  using keys = new DisposableStack();
  keys.use(stopOnKey());
  const explained = (error: unknown): undefined => {
    if (!(error instanceof ActionableError)) throw error;
    explain(error);
  };
  let watched = named;
  for (;;) {
    const unread = stateOf(watched);
    const files = await read().catch(explained);
    watched = files === undefined ? watched : [...named, ...files.flatMap(filesOf)];
    const seen = files === undefined ? unread : stateOf(watched);
    const code = files === undefined ? EXIT.usage : await play(files);
    if (stopped.aborted) return code;
    const which = watched.length > 1 ? 'a file' : 'the file';
    out(['', styled('dim', `Plays again when ${which} changes; q or Ctrl-C ends.`), '']);
    await changeOf(watched, seen, stopped);
    if (stopped.aborted) return code;
  }
}

function filesOf({ file, files: { documents, pictures } }: ScenarioFile): readonly string[] {
  const named = [...documents.keys(), ...pictures.keys()];
  return [file, ...named.map((name) => placeOfFile(name, path.dirname(file)))];
}

/** Editors replace files, and some file systems report no events: so this looks, instead of being called. */
async function changeOf(files: readonly string[], seen: string, stopped: AbortSignal): Promise<void> {
  while (stateOf(files) === seen && !stopped.aborted) await sleep(systemClock, LOOK_EVERY_MS, stopped).catch(ended);
}

function ended(): void {
  // By Ctrl-C: the caller looks at the signal.
}

/** A string that changes with each file; in a folder, also when a file comes or goes. */
function stateOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found ? `${found.mtimeMs} ${found.size}` : 'missing';
    })
    .join('\n');
}

/** On a terminal q does what Ctrl-C does, which raw mode would otherwise swallow. */
function stopOnKey(): Disposable {
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
