/**
 * Child module: a module file as a process of its own, which is sent messages and sends some.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Starts it. Its errors are shown, its output is not; bytes in messages stay bytes. */
export function startModule(module: URL, nodeFlags: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(module), {
    execArgv: [...process.execArgv, ...nodeFlags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    // A terminal interrupts this process alone, which tells the others what to do.
    detached: true,
    // What this process has compiled, it need not compile again.
    env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
  });
}
