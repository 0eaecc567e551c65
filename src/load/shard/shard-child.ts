/**
 * Shard child: a shard's process, as the run that started it sees it.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { ActionableError } from '../../common/actionable-error.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import { ROOM_NODE_FLAGS } from './node-flags.ts';
import type { ShardProgress, ShardResult } from './run-shard.ts';
import type { FromShard, ShardOrder, ToShard } from './shard-messages.ts';

/** A young generation that holds what is under way: fewer copies, and fewer stops in the middle of a second. */
const BUSY_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=64'];
/** From here on memory counts for more than time in the collector. */
const LARGE_ROOM = 5_000;

function nodeFlags({ scenario, shard }: ShardOrder): readonly string[] {
  const computers = scenario.computers.reduce((sum, { count }) => sum + count, 0) / shard.count;
  return computers >= LARGE_ROOM ? ROOM_NODE_FLAGS : BUSY_NODE_FLAGS;
}

export class ShardChild {
  readonly shard: number;
  /** Resolves when it waits for the start. Rejects when it never will. */
  readonly ready: Promise<void>;
  /** Its result; undefined when its process went away without one. Rejects with what it says went wrong. */
  readonly result: Promise<ShardResult | undefined>;
  readonly #child: ChildProcess;

  constructor(order: ShardOrder, onProgress: (progress: ShardProgress) => void) {
    this.shard = order.shard.index;
    this.#child = fork(fileURLToPath(siblingModule(import.meta.url, 'shard-process')), {
      execArgv: [...process.execArgv, ...nodeFlags(order)],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ledgers travel as bytes.
      serialization: 'advanced',
    });
    const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<void>();
    const { promise: result, resolve: give, reject: fail } = Promise.withResolvers<ShardResult | undefined>();
    this.ready = ready;
    this.result = result;
    for (const promise of [ready, result]) promise.catch(() => undefined);
    this.#child.on('message', (message: FromShard) => {
      if (message.type === 'ready') isReady();
      else if (message.type === 'progress') onProgress(message.progress);
      else if (message.type === 'result') give(message.result);
      else {
        const { kind, message: text, nextStep } = message.failure;
        const error = new ActionableError(kind, text, nextStep);
        isNotReady(error);
        fail(error);
      }
    });
    this.#child.on('exit', (code, signal) => {
      isNotReady(lost(this.shard, signal ?? code));
      give(undefined);
    });
    this.say({ type: 'begin', order });
  }

  say(message: ToShard): void {
    // One that is on its way out hears nothing more; its exit says the rest.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Ends its process at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

function lost(shard: number, how: string | number | null): ActionableError {
  return new ActionableError(
    'harness',
    `the process of shard ${shard} ended before it was ready (${String(how)})`,
    'See what it says above; a machine with too little memory ends processes in this way.',
  );
}
