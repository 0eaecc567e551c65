/**
 * Joining: from the first announcement of a run until its workers get the signal to start.
 *
 *   announce, announce … ─► N joined ─► each takes a shard off the queue ─► N ready ─► go, at an agreed time
 */

import { ActionableError, usageError } from '../../common/actionable-error.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { answer, read, type Halt, type JoinReply, type JoinRequest, type Ready } from '../nats/fleet-messages.ts';
import { ANNOUNCEMENTS, subjectOf, type RunStore } from '../nats/run-store.ts';
import { HEARTBEAT_EVERY_MS } from '../nats/heartbeat.ts';
import { note, shardOf, type CoordinatorOptions } from './watch.ts';

export interface FleetOrder {
  readonly runId: string;
  readonly title: string;
  readonly version: string;
  /** The number of workers, and so of shards. */
  readonly workers: number;
  /** Workers need all of these. */
  readonly tags: readonly string[];
  readonly bundle: Uint8Array;
  /** Sent to workers that have a shard; never stored. */
  readonly secrets: unknown;
  /** How long to wait for workers to join. */
  readonly waitMs: number;
  /** How long the data outlives a coordinator that died. */
  readonly keepMs: number;
}

const ANNOUNCE_EVERY_MS = 250;
/** Rooms of thousands of computers take a while to connect. */
const READY_LIMIT_MS = 120_000;
/** Time for `go` to reach every worker. */
const START_AHEAD_MS = 1_000;

/** Resolves once `go` was said. @throws ActionableError when it could not be said */
export async function gatherWorkers(order: FleetOrder, store: RunStore, options: CoordinatorOptions): Promise<void> {
  const { clock, connection, tell } = options;
  const { runId } = order;
  const members = new Members(order, clock);
  answer(connection, subjectOf(runId, 'time'), () => ({ nowMs: clock.now() }));
  answer(connection, subjectOf(runId, 'secrets'), () => order.secrets);
  answer(connection, subjectOf(runId, 'join'), (bytes) => members.join(bytes));
  for (let shard = 1; shard <= order.workers; shard++) await store.offer(shard);
  await store.beat('coordinator');
  const life = clock.beat(HEARTBEAT_EVERY_MS, () => void store.beat('coordinator').catch(() => undefined));
  const facts = await store.watch((key, bytes) => {
    if (key.startsWith('ready.')) note(members.ready, shardOf(key), read.ready(bytes));
  });
  tell(`run ${runId}: waiting for ${order.workers} workers`);
  try {
    await waitForAll(members, order, options);
    await store.put('go', { startAtMs: clock.now() + START_AHEAD_MS });
  } catch (error) {
    const halt: Halt = { how: 'stop', reason: 'the run was called off' };
    await store.put('halt', halt);
    throw error;
  } finally {
    life.cancel();
    facts.stop();
  }
}

async function waitForAll(members: Members, order: FleetOrder, options: CoordinatorOptions): Promise<void> {
  const { runId, version, tags, title, workers } = order;
  const { clock, connection, drain, stop } = options;
  while (members.ready.size < workers) {
    if (stop.aborted || drain.aborted) throw interrupted();
    if (clock.now() > members.deadlineMs) throw members.tooFew();
    if (!members.isComplete) connection.publish(ANNOUNCEMENTS, JSON.stringify({ runId, version, tags, title }));
    await sleep(clock, ANNOUNCE_EVERY_MS);
  }
  members.refuseProblems();
}

/** The workers that joined, were refused, and are ready. */
class Members {
  readonly ready = new Map<number, Ready>();
  readonly #joined = new Set<string>();
  readonly #refused = new Map<string, string>();
  readonly #order: FleetOrder;
  readonly #clock: Clock;
  #deadlineMs: number;

  constructor(order: FleetOrder, clock: Clock) {
    this.#order = order;
    this.#clock = clock;
    this.#deadlineMs = clock.now() + order.waitMs;
  }

  get isComplete(): boolean {
    return this.#joined.size >= this.#order.workers;
  }

  /** The end of the wait: first for workers to join, then for them to be ready. */
  get deadlineMs(): number {
    return this.#deadlineMs;
  }

  /** Undefined when the message is not a request to join. */
  join(bytes: Uint8Array): JoinReply | undefined {
    const request = read.joinRequest(bytes);
    if (!request) return undefined;
    const { worker } = request;
    const reason = this.#refusal(request);
    if (reason !== undefined) {
      this.#refused.set(worker, reason);
      return { taken: false, reason };
    }
    this.#joined.add(worker);
    if (this.isComplete) this.#deadlineMs = this.#clock.now() + READY_LIMIT_MS;
    return { taken: true };
  }

  #refusal({ worker, version }: JoinRequest): string | undefined {
    if (version !== this.#order.version) {
      return `it runs platen ${version}, and the coordinator ${this.#order.version}: the versions must match`;
    }
    if (this.#joined.has(worker)) return `a worker '${worker}' has already joined`;
    return this.isComplete ? 'enough workers have joined' : undefined;
  }

  tooFew(): ActionableError {
    const { workers, waitMs } = this.#order;
    const readyNames = [...this.ready.values()].map(({ worker }) => worker);
    const notReady = [...this.#joined].filter((name) => !readyNames.includes(name));
    const waitedMs = this.isComplete ? READY_LIMIT_MS : waitMs;
    const findings = [
      `${this.ready.size} of ${workers} workers were ready after ${formatDuration(waitedMs)}`,
      ...(notReady.length > 0 ? [`joined, but not ready: ${notReady.join(', ')}`] : []),
      ...[...this.#refused].map(([name, reason]) => `refused: ${name} (${reason})`),
    ];
    return new ActionableError('harness', findings.join('; '), 'Start more with: platen worker --nats URL');
  }

  /** @throws ActionableError when a worker cannot play its shard */
  refuseProblems(): void {
    const problems = [...this.ready.values()].flatMap(({ worker, problems: own }) =>
      own.map((problem) => `${worker}: ${problem}`),
    );
    if (problems.length === 0) return;
    throw usageError(problems.join('; '), 'No traffic was sent to the target.');
  }
}

function interrupted(): ActionableError {
  return new ActionableError('harness', 'interrupted before the start', 'No traffic was sent to the target.');
}
