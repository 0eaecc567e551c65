/**
 * Worker: joins the runs that coordinators announce, and plays one shard of each.
 *
 *   announcement ─► join ─► a shard off the queue ─► worker session
 *                     │ refused        │ none left
 *                     └────────────────┴─► waits for the next run
 */

import { messageOf } from '../../common/error-message.ts';
import { ask, read, type Announcement } from '../nats/fleet-messages.ts';
import { ANNOUNCEMENTS, RunStore, subjectOf } from '../nats/run-store.ts';
import { WorkerSession, type WorkerSessionOptions } from './worker-session.ts';

export interface WorkerOptions extends WorkerSessionOptions {
  readonly version: string;
  readonly tags: readonly string[];
  /** Ends after one run. */
  readonly once?: boolean | undefined;
}

const TAKE_LIMIT_MS = 5_000;

/** Takes part in runs until the signal aborts; in one only with `once`. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const announcements = options.connection.subscribe(ANNOUNCEMENTS);
  options.signal.addEventListener('abort', () => announcements.unsubscribe(), { once: true });
  const refused = new Set<string>();
  for await (const message of announcements) {
    const announcement = read.announcement(message.data);
    if (!announcement || refused.has(announcement.runId) || !fits(announcement, options)) continue;
    const problem = await takePart(announcement, options);
    if (options.signal.aborted) return;
    if (problem !== undefined) {
      options.tell(`run ${announcement.runId}: ${problem}`);
      refused.add(announcement.runId);
    } else if (options.once) return;
  }
}

function fits({ tags }: Announcement, options: WorkerOptions): boolean {
  return tags.every((tag) => options.tags.includes(tag));
}

/** Why it took no part; undefined when it took part. */
async function takePart({ runId }: Announcement, options: WorkerOptions): Promise<string | undefined> {
  try {
    const refusal = await join(runId, options);
    if (refusal !== undefined) return refusal;
    const store = await RunStore.open(options.connection, runId, options.clock);
    const shard = await store.take(options.name, TAKE_LIMIT_MS);
    if (shard === undefined) return 'no shard was left';
    options.tell(`run ${runId}: has shard ${shard}`);
    await new WorkerSession(shard, store, options).work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function join(runId: string, { connection, name, version }: WorkerOptions): Promise<string | undefined> {
  const reply = await ask(connection, subjectOf(runId, 'join'), read.joinReply, { worker: name, version });
  if (!reply) return 'the coordinator sent an unexpected reply';
  return reply.taken ? undefined : reply.reason;
}
