/**
 * Mustering: from the first announcement of a run until its workers are told to go.
 *
 *   announce, announce … ─► N joined ─► each takes a shard off the queue ─► N ready ─► go, at a time agreed on
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { answer, read, type Halt, type JoinReply, type Ready } from './fleet-messages.ts';
import { ANNOUNCEMENTS, runSubjects, SIGN_EVERY_MS, type RunStore } from './run-store.ts';
import { collect, note, shardOf, type FleetParts } from './watch.ts';

export interface FleetOrder {
  readonly runId: string;
  readonly title: string;
  readonly version: string;
  /** How many workers, which is how many shards. */
  readonly workers: number;
  /** Workers need all of these. */
  readonly tags: readonly string[];
  readonly bundle: Uint8Array;
  /** Told to workers that have a shard, and stored nowhere. */
  readonly secrets: unknown;
  /** How long to wait for workers, and then for them to be ready. */
  readonly waitMs: number;
  /** How long what is left by a coordinator that died is kept. */
  readonly keepMs: number;
}

const ANNOUNCE_EVERY_MS = 250;
/** Rooms of thousands of computers take a while to connect. */
const READY_LIMIT_MS = 120_000;
/** Time for `go` to reach everybody. */
const START_AHEAD_MS = 1_000;

/** From the first announcement to `go`. */
export async function muster(order: FleetOrder, store: RunStore, parts: FleetParts): Promise<void> {
  const { connection, clock, tell } = parts;
  const subjects = runSubjects(order.runId);
  const joined = new Map<string, string>();
  const turnedAway = new Map<string, string>();
  answer(connection, subjects.time, () => ({ nowMs: clock.now() }));
  answer(connection, subjects.secrets, () => order.secrets);
  answer(connection, subjects.join, (bytes) => {
    const request = read.joinRequest(bytes);
    if (!request) return undefined;
    const reply = replyTo(request, order, joined);
    if (reply.taken) joined.set(request.worker, request.version);
    else turnedAway.set(request.worker, reply.reason);
    return reply;
  });
  for (let shard = 1; shard <= order.workers; shard++) await store.offer(shard);
  const life = clock.beat(SIGN_EVERY_MS, () => void store.showLife('coordinator').catch(() => undefined));
  const ready = new Map<number, Ready>();
  const seen = await store.watch();
  void collect(seen, (key, bytes) => {
    if (key.startsWith('ready.')) note(ready, shardOf(key), read.ready(bytes));
  });
  try {
    await store.showLife('coordinator');
    let untilMs = clock.now() + order.waitMs;
    let haveJoined = false;
    const { runId, version, tags, title } = order;
    tell(`run ${runId}: waits for ${order.workers} workers`);
    while (ready.size < order.workers) {
      if (parts.stop.aborted || parts.drain.aborted) throw interrupted();
      if (clock.now() > untilMs) throw tooFew(order, joined, ready, turnedAway);
      if (joined.size < order.workers) {
        connection.publish(ANNOUNCEMENTS, JSON.stringify({ runId, version, tags, title }));
      } else if (!haveJoined) {
        haveJoined = true;
        untilMs = clock.now() + Math.max(order.waitMs, READY_LIMIT_MS);
      }
      await sleep(clock, ANNOUNCE_EVERY_MS);
    }
    refuseProblems(ready);
    await store.put('go', { startAtMs: clock.now() + START_AHEAD_MS });
  } catch (error) {
    const halt: Halt = { how: 'stop', reason: 'the run was called off' };
    await store.put('halt', halt);
    throw error;
  } finally {
    life.cancel();
    seen.stop();
  }
}

function replyTo(
  { worker, version }: { worker: string; version: string },
  order: FleetOrder,
  joined: ReadonlyMap<string, string>,
): JoinReply {
  if (version !== order.version) {
    const reason = `it is platen ${version}, and the coordinator is ${order.version}: they have to be the same`;
    return { taken: false, reason };
  }
  if (joined.has(worker)) return { taken: false, reason: `there is a worker '${worker}' already` };
  if (joined.size >= order.workers) return { taken: false, reason: 'there are enough workers' };
  return { taken: true };
}

function tooFew(
  { workers, waitMs }: FleetOrder,
  joined: ReadonlyMap<string, string>,
  ready: ReadonlyMap<number, Ready>,
  turnedAway: ReadonlyMap<string, string>,
): ActionableError {
  const readyNames = [...ready.values()].map(({ worker }) => worker);
  const notReady = [...joined.keys()].filter((name) => !readyNames.includes(name));
  const told = [
    `${ready.size} of ${workers} workers were ready after ${formatDuration(waitMs)}`,
    ...(notReady.length > 0 ? [`joined, but not ready: ${notReady.join(', ')}`] : []),
    ...[...turnedAway].map(([name, reason]) => `turned away: ${name} (${reason})`),
  ];
  return new ActionableError('harness', told.join('; '), 'Start more with: platen worker --nats URL');
}

function refuseProblems(ready: ReadonlyMap<number, Ready>): void {
  const told = [...ready.values()].flatMap(({ worker, problems }) =>
    problems.map((problem) => `${worker}: ${problem}`),
  );
  if (told.length === 0) return;
  throw new ActionableError('usage', told.join('; '), 'Nothing was sent to the target.');
}

function interrupted(): ActionableError {
  return new ActionableError('harness', 'interrupted before the start', 'Nothing was sent to the target.');
}
