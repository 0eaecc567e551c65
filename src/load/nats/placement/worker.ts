/**
 * Worker: joins runs that coordinators announce, takes one shard of each, and sees it to its end.
 *
 *   announcement ─► join ─► a shard off the queue ─► shift
 *                     │ refused        │ none left
 *                     └────────────────┴─► waits on
 */

import { messageOf } from '../../../common/error-message.ts';
import { ask, read, type Announcement } from '../fleet-messages.ts';
import { ANNOUNCEMENTS, RunStore, subjectOf } from '../run-store.ts';
import { Shift, type ShiftParts } from '../shift.ts';

export interface WorkerParts extends ShiftParts {
  readonly version: string;
  readonly tags: readonly string[];
  /** Ends after one run. */
  readonly once?: boolean;
}

const TAKE_LIMIT_MS = 5_000;

/** Waits for runs and takes part in them until the signal comes, or after one run if that is enough. */
export async function runWorker(parts: WorkerParts): Promise<void> {
  const announcements = parts.connection.subscribe(ANNOUNCEMENTS);
  parts.signal.addEventListener('abort', () => announcements.unsubscribe(), { once: true });
  const refused = new Set<string>();
  for await (const message of announcements) {
    const announcement = read.announcement(message.data);
    if (!announcement || refused.has(announcement.runId) || !fits(announcement, parts)) continue;
    const problem = await takePart(announcement, parts);
    if (parts.signal.aborted) return;
    if (problem !== undefined) {
      parts.tell(`run ${announcement.runId}: ${problem}`);
      refused.add(announcement.runId);
    } else if (parts.once) return;
  }
}

function fits({ tags }: Announcement, parts: WorkerParts): boolean {
  return tags.every((tag) => parts.tags.includes(tag));
}

/** Why it took no part; undefined when it did. */
async function takePart({ runId }: Announcement, parts: WorkerParts): Promise<string | undefined> {
  try {
    const refusal = await join(runId, parts);
    if (refusal !== undefined) return refusal;
    const store = await RunStore.open(parts.connection, runId, parts.clock);
    const shard = await store.take(parts.name, TAKE_LIMIT_MS);
    if (shard === undefined) return 'no shard was left';
    parts.tell(`run ${runId}: has shard ${shard}`);
    await new Shift(shard, store, parts).work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function join(runId: string, { connection, name, version }: WorkerParts): Promise<string | undefined> {
  const reply = await ask(connection, subjectOf(runId, 'join'), read.joinReply, { worker: name, version });
  if (!reply) return 'the coordinator answered something else';
  return reply.taken ? undefined : reply.reason;
}
