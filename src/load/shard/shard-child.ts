/**
 * Shard child: the process of a shard, for the run that starts it.
 */

import type { ChildProcess } from 'node:child_process';

import { ActionableError } from '../../common/actionable-error.ts';
import { startModule } from '../../common/child-module.ts';
import { nodeFlagsFor } from '../../common/node-flags.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import { sumOf } from '../../common/sums.ts';
import type { ShardResult } from './run-shard.ts';
import type { FromShard, ShardOrder, ToShard } from './shard-messages.ts';
import type { ShardProgress } from './shard-monitor.ts';

/**
 * A young generation that holds all requests in flight is copied less often. A larger one makes each whole collection
 * longer, and every job waits for it: with 64 MB two to four times as long.
 */
const BUSY_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

function nodeFlags({ scenario, shard }: ShardOrder): readonly string[] {
  return nodeFlagsFor(sumOf(scenario.computers, ({ count }) => count) / shard.count, BUSY_NODE_FLAGS);
}

export class ShardChild {
  readonly shard: number;
  /** Resolves when it waits for the start; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Its result; undefined when the process ended without one. Rejects with the error that it reports. */
  readonly result: Promise<ShardResult | undefined>;
  readonly #child: ChildProcess;

  constructor(order: ShardOrder, onProgress: (progress: ShardProgress) => void) {
    this.shard = order.shard.index;
    this.#child = startModule(siblingModule(import.meta.url, 'shard-process'), nodeFlags(order));
    const ready = Promise.withResolvers<void>();
    const result = Promise.withResolvers<ShardResult | undefined>();
    this.ready = ready.promise;
    this.result = result.promise;
    for (const promise of [this.ready, this.result]) promise.catch(() => undefined);
    this.#child.on('message', (message: FromShard) => {
      if (message.type === 'ready') ready.resolve();
      else if (message.type === 'progress') onProgress(message.progress);
      else if (message.type === 'result') result.resolve(message.result);
      else {
        const { kind, lines, nextStep } = message.failure;
        const error = new ActionableError(kind, lines, nextStep);
        ready.reject(error);
        result.reject(error);
      }
    });
    this.#child.on('exit', (code, signal) => {
      ready.reject(lost(this.shard, signal ?? code));
      result.resolve(undefined);
    });
    this.say({ type: 'begin', order });
  }

  say(message: ToShard): void {
    // A process that is ending takes no messages; its exit is handled above.
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
    'See its messages above; a machine that runs out of memory kills processes like this.',
  );
}
