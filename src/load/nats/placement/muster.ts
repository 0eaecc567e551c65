/**
 * Mustering: from the first announcement of a run until its workers are told to go.
 *
 *   announce, announce … ─► N joined ─► each takes a shard off the queue ─► N ready ─► go, at a time agreed on
 */

import { ActionableError } from '../../../common/actionable-error.ts';
import { sleep, type Clock } from '../../../common/clock.ts';
import { formatDuration } from '../../../common/duration.ts';
import { answer, read, type Halt, type JoinReply, type JoinRequest, type Ready } from '../fleet-messages.ts';
import { ANNOUNCEMENTS, subjectOf, type RunStore } from '../run-store.ts';
import { SIGN_EVERY_MS } from '../signs-of-life.ts';
import { note, shardOf, type FleetParts } from '../watch.ts';

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

/** From the first announcement to `go`. @throws ActionableError when it does not come to that */
export async function muster(order: FleetOrder, store: RunStore, parts: FleetParts): Promise<void> {
  const { clock, connection, tell } = parts;
  const { runId } = order;
  const roll = new Roll(order, clock);
  answer(connection, subjectOf(runId, 'time'), () => ({ nowMs: clock.now() }));
  answer(connection, subjectOf(runId, 'secrets'), () => order.secrets);
  answer(connection, subjectOf(runId, 'join'), (bytes) => roll.join(bytes));
  for (let shard = 1; shard <= order.workers; shard++) await store.offer(shard);
  await store.showLife('coordinator');
  const life = clock.beat(SIGN_EVERY_MS, () => void store.showLife('coordinator').catch(() => undefined));
  const facts = await store.watch((key, bytes) => {
    if (key.startsWith('ready.')) note(roll.ready, shardOf(key), read.ready(bytes));
  });
  tell(`run ${runId}: waits for ${order.workers} workers`);
  try {
    await waitForAll(roll, order, parts);
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

async function waitForAll(roll: Roll, order: FleetOrder, parts: FleetParts): Promise<void> {
  const { runId, version, tags, title, workers } = order;
  const { clock, connection, drain, stop } = parts;
  while (roll.ready.size < workers) {
    if (stop.aborted || drain.aborted) throw interrupted();
    if (clock.now() > roll.patienceEndsMs) throw roll.tooFew();
    if (!roll.isComplete) connection.publish(ANNOUNCEMENTS, JSON.stringify({ runId, version, tags, title }));
    await sleep(clock, ANNOUNCE_EVERY_MS);
  }
  roll.refuseProblems();
}

/** Who has joined, who was turned away, who is ready. */
class Roll {
  readonly ready = new Map<number, Ready>();
  readonly #joined = new Set<string>();
  readonly #turnedAway = new Map<string, string>();
  readonly #order: FleetOrder;
  readonly #clock: Clock;
  #patienceEndsMs: number;

  constructor(order: FleetOrder, clock: Clock) {
    this.#order = order;
    this.#clock = clock;
    this.#patienceEndsMs = clock.now() + order.waitMs;
  }

  get isComplete(): boolean {
    return this.#joined.size >= this.#order.workers;
  }

  /** When the wait is over: for workers first, and then for them to be ready. */
  get patienceEndsMs(): number {
    return this.#patienceEndsMs;
  }

  /** Undefined when the request is none. */
  join(bytes: Uint8Array): JoinReply | undefined {
    const request = read.joinRequest(bytes);
    if (!request) return undefined;
    const { worker } = request;
    const reason = this.#refusal(request);
    if (reason !== undefined) {
      this.#turnedAway.set(worker, reason);
      return { taken: false, reason };
    }
    this.#joined.add(worker);
    if (this.isComplete) this.#patienceEndsMs = this.#clock.now() + READY_LIMIT_MS;
    return { taken: true };
  }

  #refusal({ worker, version }: JoinRequest): string | undefined {
    if (version !== this.#order.version) {
      return `it is platen ${version}, and the coordinator is ${this.#order.version}: they have to be the same`;
    }
    if (this.#joined.has(worker)) return `there is a worker '${worker}' already`;
    return this.isComplete ? 'there are enough workers' : undefined;
  }

  tooFew(): ActionableError {
    const { workers, waitMs } = this.#order;
    const readyNames = [...this.ready.values()].map(({ worker }) => worker);
    const notReady = [...this.#joined].filter((name) => !readyNames.includes(name));
    const waitedMs = this.isComplete ? READY_LIMIT_MS : waitMs;
    const told = [
      `${this.ready.size} of ${workers} workers were ready after ${formatDuration(waitedMs)}`,
      ...(notReady.length > 0 ? [`joined, but not ready: ${notReady.join(', ')}`] : []),
      ...[...this.#turnedAway].map(([name, reason]) => `turned away: ${name} (${reason})`),
    ];
    return new ActionableError('harness', told.join('; '), 'Start more with: platen worker --nats URL');
  }

  /** @throws ActionableError when somebody is there and cannot play its shard */
  refuseProblems(): void {
    const told = [...this.ready.values()].flatMap(({ worker, problems }) =>
      problems.map((problem) => `${worker}: ${problem}`),
    );
    if (told.length === 0) return;
    throw new ActionableError('usage', told.join('; '), 'No traffic was sent to the target.');
  }
}

function interrupted(): ActionableError {
  return new ActionableError('harness', 'interrupted before the start', 'No traffic was sent to the target.');
}
