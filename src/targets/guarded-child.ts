/**
 * Guarded child: a program that does not outlive this process, however it ends. A shell beside it holds a pipe to
 * us; when that breaks, the shell ends the program with its children.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { within } from '../common/waiter.ts';

export interface GuardedChildOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The programs of a group end together. The guard that ends them is deaf to TERM then, and else ends by it. */
const GUARD = `exec 3<&0
"$@" </dev/null 3<&- & child=$!
(while read -r _ <&3; do :; done; trap '' TERM; kill -TERM 0; sleep 2; kill -KILL 0) >/dev/null 2>&1 & guard=$!
exec 3<&-; trap 'kill -TERM $child' TERM; wait $child; code=$?
if [ $code -gt 128 ]; then wait $child; code=$?; fi; kill -TERM $guard; exit $code`;

const KEPT_LINES = 30;
const END_LIMIT = '10s';

export class GuardedChild {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #exited: Promise<unknown>;

  constructor({ command, environment, cwd }: GuardedChildOptions) {
    const argv = ['-c', GUARD, 'guard', ...command];
    this.#child = spawn('sh', argv, { cwd, env: environment, stdio: 'pipe', detached: true });
    this.#exited = once(this.#child, 'exit').catch(() => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => this.#heard(String(text)));
    this.#child.stdin?.on('error', () => undefined);
  }

  /** The number of the guard, which leads the group. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Undefined while it runs; else how it ended. */
  get end(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return undefined;
    return signalCode === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signalCode}`;
  }

  /** How many lines it has begun to print. */
  lineCount = 0;

  /** Null while it runs, and where a signal ended it. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** The last lines that it printed. */
  get lines(): readonly string[] {
    return this.#lines.filter((line) => line.trim() !== '').slice(-KEPT_LINES);
  }

  onEnd(listener: () => void): void {
    void this.#exited.then(listener);
  }

  /** Resolves when it has ended. */
  get exited(): Promise<unknown> {
    return this.#exited;
  }

  /** SIGKILL ends it as a crash does, with all that it has started. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): void {
    if (signal === 'SIGKILL') this.#killGroup();
    else if (this.end === undefined) this.#child.kill(signal);
  }

  /** Ends it as its users do, with SIGTERM; one that does not end is killed. */
  async stop(): Promise<void> {
    this.kill('SIGTERM');
    await within(this.#exited, { description: 'the end of a client program', limit: END_LIMIT }).catch(() => undefined);
    // The shell that guards it, and what the program has left.
    this.#killGroup();
    await this.#exited;
  }

  #killGroup(): void {
    const { pid } = this.#child;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  }

  #heard(text: string): void {
    const last = this.#lines.pop() ?? '';
    const lines = (last + text).split('\n');
    this.lineCount += lines.length - 1;
    this.#lines.push(...lines);
    this.#lines.splice(0, this.#lines.length - KEPT_LINES - 1);
  }
}
