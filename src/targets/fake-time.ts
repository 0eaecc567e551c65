/**
 * Fake time: the time of a program that platen starts, moved without a change to the program. libfaketime stands
 * between the program and the C library, and adds to every time what a file says.
 *
 *   move(90s) ─► file: +90 ─► the program is stopped and goes on, which ends its wait ─► it asks what time it is
 *
 * The program's clock runs on by itself; only what is added to it changes. Programs that ask the kernel without the C
 * library (most in Go, and static ones) see nothing of it, and waits of threads on condition variables last as long as
 * they were meant to.
 */

import { existsSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';

/** Where Debian, Fedora and Alpine have it: the library for programs with threads. */
const LIBRARIES = [
  '/usr/lib/*/faketime/libfaketimeMT.so.1',
  '/usr/lib64/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];

/** What to install where there is no library. */
export const INSTALL_FAKE_TIME = 'apt-get install faketime (Alpine: apk add libfaketime)';

/** Its path on this machine, if it is there. */
export function fakeTimeLibrary(): string | undefined {
  return process.platform === 'linux' ? globSync(LIBRARIES)[0] : undefined;
}

export class FakeTime {
  readonly #file: string;
  readonly #library: string;
  #addedMs = 0;

  /** @param folder - for the file, as long as a program runs */
  private constructor(library: string, folder: string) {
    this.#library = library;
    this.#file = path.join(folder, 'added-time');
    this.#write();
  }

  /** Undefined where this machine has no libfaketime. */
  static in(folder: string): FakeTime | undefined {
    const library = fakeTimeLibrary();
    return library === undefined ? undefined : new FakeTime(library, folder);
  }

  /** For the program, and all that it starts. */
  get environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      // Times of files stay as they are: a server that restarts when its source changes would do so at every move.
      NO_FAKE_STAT: '1',
    };
  }

  /** From now on it is this much later in the program, which notices when it looks. */
  add(ms: number): void {
    this.#addedMs += ms;
    this.#write();
  }

  /** In one step: the program reads the file at any time. */
  #write(): void {
    writeFileSync(`${this.#file}.next`, `+${(this.#addedMs / 1_000).toFixed(3)}`);
    renameSync(`${this.#file}.next`, this.#file);
  }
}

/** Time that runs faster in a program, from its start on. */
export interface FastTime {
  readonly factor: number;
  /** For the program, and all that it starts. */
  readonly environment: Readonly<Record<string, string>>;
}

/** @throws ActionableError where this machine has no libfaketime */
export function fastTime(factor: number): FastTime {
  const library = fakeTimeLibrary();
  if (library === undefined) throw usageError('there is no libfaketime on this machine', INSTALL_FAKE_TIME);
  return { factor, environment: { LD_PRELOAD: library, FAKETIME: `+0 x${factor}`, NO_FAKE_STAT: '1' } };
}

/** Removes what libfaketime leaves of a program that was killed, by the id of the process that was started first. */
export function removeSharedMemory(pid: number): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`]) {
    const file = path.join('/dev/shm', name);
    if (existsSync(file)) rmSync(file, { force: true });
  }
}

/**
 * Ends the waits of a group of processes for something to happen, as a debugger does: stopped and continued, a program
 * that waits for its sockets looks at its timers again.
 */
export function wakeGroup(pid: number): void {
  for (const signal of ['SIGSTOP', 'SIGCONT'] as const) process.kill(-pid, signal);
}
