/**
 * Shard process: one shard of a load in a process of its own, started by run-load.ts and led by its messages.
 * It ends with whoever started it.
 */

import { pathToFileURL } from 'node:url';

import { ActionableError } from '../../common/actionable-error.ts';
import { systemClock } from '../../common/clock.ts';
import { stackOf } from '../../common/error-message.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { webSocketLink } from '../../link/websocket-link.ts';
import { planLoad } from '../plan/load-plan.ts';
import { LOAD_STAGE } from './load-stage.ts';
import { runShard } from './run-shard.ts';
import type { FromShard, LinkKind, ShardFailure, ShardOrder, ToShard } from './shard-messages.ts';

const stop = new AbortController();
const halt = new AbortController();
/** What is left to be done without whoever started it takes no longer. */
const ALONE_LIMIT_MS = 15_000;

let isOver = false;
let go: (atUs: number) => void = () => undefined;
const start = new Promise<number>((resolve) => {
  go = resolve;
});

/** Resolves when the message has left, or nobody is there to have it. */
function say(message: FromShard): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

process.on('message', (message: ToShard) => {
  if (message.type === 'begin') void run(message.order);
  else if (message.type === 'go') go(message.atUs);
  else (message.type === 'stop' ? stop : halt).abort();
});
// Nobody is there to be told: what was made on the target is removed, and that is all. It is not for long,
// whatever the target does.
process.on('disconnect', () => {
  if (isOver) return;
  halt.abort();
  systemClock.schedule(ALONE_LIMIT_MS, () => process.exit(1));
});
// The terminal sends an interruption to every process; what to do about it is for the run to say.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function run(order: ShardOrder): Promise<void> {
  try {
    const { link, ...target } = order.target;
    const result = await runShard({
      plan: planLoad(order.scenario, order.seed),
      shard: order.shard,
      runId: order.runId,
      target: { ...target, link: await openLink(link) },
      stage: LOAD_STAGE,
      calibrates: order.calibrates,
      go: () => {
        void say({ type: 'ready' });
        return start;
      },
      stop: stop.signal,
      halt: halt.signal,
      onProgress: (progress) => void say({ type: 'progress', progress }),
    });
    await say({ type: 'result', result });
  } catch (error) {
    await say({ type: 'failed', failure: failureOf(error) });
  }
  isOver = true;
  if (process.connected) process.disconnect();
  else process.exit(1);
}

async function openLink(link: LinkKind): Promise<DeviceLink | undefined> {
  if (link.kind === 'none') return undefined;
  if (link.kind === 'websocket') return webSocketLink({ clock: systemClock });
  const module = (await import(pathToFileURL(link.file).href)) as { readonly link?: DeviceLink };
  if (typeof module.link?.open === 'function') return module.link;
  throw new ActionableError(
    'usage',
    `${link.file} exports no \`link\``,
    'Export a DeviceLink of that name: an object with open(request).',
  );
}

function failureOf(error: unknown): ShardFailure {
  if (error instanceof ActionableError) {
    return { kind: error.kind, message: error.message, nextStep: error.nextStep };
  }
  const message = stackOf(error);
  return { kind: 'harness', message, nextStep: 'This is a fault of platen itself.' };
}
