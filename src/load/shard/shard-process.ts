/**
 * Shard process: one shard of a load in a process of its own, started and led by a ShardChild. It ends when its
 * parent does.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { systemClock } from '../../common/clock.ts';
import { stackLines } from '../../common/error-message.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { loadForeignLink } from '../../link/foreign-link.ts';
import { webSocketLink } from '../../link/websocket-link.ts';
import { planLoad } from '../plan/load-plan.ts';
import { runShard } from './run-shard.ts';
import type { FromShard, LinkKind, ShardFailure, ShardOrder, ToShard } from './shard-messages.ts';

const stop = new AbortController();
const halt = new AbortController();
/** How long the cleanup may take after the parent is gone. */
const ALONE_LIMIT_MS = 15_000;

let isOver = false;
const start = Promise.withResolvers<number>();

/** Resolves when the message was sent, or there is no parent to receive it. */
function say(message: FromShard): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

process.on('message', (message: ToShard) => {
  if (message.type === 'begin') void run(message.order);
  else if (message.type === 'go') start.resolve(message.atUs);
  else (message.type === 'stop' ? stop : halt).abort();
});
// The parent is gone: only what was made on the target is removed, and only for a while, whatever the target does.
process.on('disconnect', () => {
  if (isOver) return;
  halt.abort();
  systemClock.schedule(ALONE_LIMIT_MS, () => process.exit(1));
});
// The terminal interrupts every process of the group; the parent decides what to do about it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function run(order: ShardOrder): Promise<void> {
  let link: DeviceLink | undefined;
  try {
    const { scenario, seed, target, ...rest } = order;
    link = await openLink(target.link);
    const result = await runShard({
      ...rest,
      plan: planLoad(scenario, seed),
      target: { ...target, link },
      go: () => {
        void say({ type: 'ready' });
        return start.promise;
      },
      stop: stop.signal,
      halt: halt.signal,
      onProgress: (progress) => void say({ type: 'progress', progress }),
    });
    await say({ type: 'result', result });
  } catch (error) {
    await say({ type: 'failed', failure: failureOf(error) });
  } finally {
    await link?.program?.close();
  }
  isOver = true;
  // A timer or socket that was forgotten must not keep the process.
  process.exit(process.connected ? 0 : 1);
}

async function openLink(link: LinkKind): Promise<DeviceLink | undefined> {
  if (link.kind === 'none') return undefined;
  if (link.kind === 'client') {
    // Loaded when needed: few loads go through a client program.
    const { clientLink } = await import('../../targets/client/client-link.ts');
    return clientLink(link);
  }
  return link.kind === 'websocket' ? webSocketLink({ clock: systemClock }) : loadForeignLink(link.file);
}

function failureOf(error: unknown): ShardFailure {
  if (error instanceof ActionableError) {
    return { kind: error.kind, lines: error.lines, nextStep: error.nextStep };
  }
  const lines = stackLines(error);
  return { kind: 'harness', lines, nextStep: 'This is a fault of platen itself.' };
}
