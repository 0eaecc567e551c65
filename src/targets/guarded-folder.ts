/**
 * Guarded folder: a folder for temporary files that does not outlive this process, however it ends. A shell makes it,
 * so there is no moment without a guard, and removes it when its pipe to us breaks.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';

/** Twice: programs that write there are being ended at the same time (see guarded-child.ts). */
const GUARD = `trap '' INT TERM HUP; folder=$(mktemp -d "$1") || exit; echo "$folder"
while read -r _; do :; done
for _ in 1 2; do [ -e "$folder" ] || exit; sleep 3; rm -rf "$folder"; done`;

export class GuardedFolder {
  readonly path: string;
  readonly #guard: ChildProcess;

  private constructor(made: string, guard: ChildProcess) {
    this.path = made;
    this.#guard = guard;
  }

  /** @param prefix - of its name @throws Error when it cannot be made */
  static async make(prefix: string): Promise<GuardedFolder> {
    const argv = ['-c', GUARD, 'guard', path.join(tmpdir(), `${prefix}XXXXXX`)];
    const guard = spawn('sh', argv, { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    guard.unref();
    const lines = createInterface({ input: guard.stdout });
    const [made] = (await Promise.race([once(lines, 'line'), once(guard, 'exit')])) as readonly unknown[];
    lines.close();
    guard.stdout.destroy();
    if (typeof made !== 'string') throw new Error(`cannot make a folder in ${tmpdir()}`);
    return new GuardedFolder(made, guard);
  }

  async close(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
    this.#guard.stdin?.end();
  }
}
