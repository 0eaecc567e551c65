/**
 * Watches a run from `go` to the last record. A worker without a heartbeat is reported as lost; the others go on.
 * While the NATS server is away, no worker counts as lost.
 */

import { addAbortListener } from 'node:events';

import type { NatsConnection } from '@nats-io/transport-node';

import type { Clock } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { read, type Done, type Halt, type Ready, type Started } from '../nats/fleet-messages.ts';
import { subjectOf, type RunStore } from '../nats/run-store.ts';
import { startHeartbeat, HEARTBEAT_LASTS_MS } from '../nats/heartbeat.ts';

export interface CoordinatorOptions {
  readonly connection: NatsConnection;
  readonly clock: Clock;
  /** Called with each line to log. */
  readonly tell: (line: string) => void;
  /** How long the run goes on without the NATS server. */
  readonly leaseMs: number;
  readonly onProgress: (shard: number, progress: unknown) => void;
  /** Starts nothing new. */
  readonly drain: AbortSignal;
  /** Ends at once. */
  readonly stop: AbortSignal;
}

export interface ShardEnd {
  readonly shard: number;
  /** Undefined when no worker took it. */
  readonly ready: Ready | undefined;
  readonly startLateMs: number | undefined;
  /** Undefined when the shard is missing. */
  readonly record: Uint8Array | undefined;
  /** Why it is missing; empty when it is not. */
  readonly finding: string;
  /** About when its worker wrote its last heartbeat, since the start; only when it was lost. */
  readonly lostAtMs?: number;
}

/** Once the server is back, every worker has this long to write a heartbeat. */
const GRACE_MS = 2 * HEARTBEAT_LASTS_MS;

export class Watch {
  readonly #workers: number;
  readonly #store: RunStore;
  readonly #options: CoordinatorOptions;
  readonly #ready = new Map<number, Ready>();
  readonly #started = new Map<number, Started>();
  readonly #done = new Map<number, Done>();
  readonly #lost = new Map<number, Pick<ShardEnd, 'finding' | 'lostAtMs'>>();
  #startAtMs: number;
  /** No worker counts as lost before. */
  #graceEndsMs: number;
  readonly #ended = Promise.withResolvers<void>();

  constructor(workers: number, store: RunStore, options: CoordinatorOptions) {
    this.#workers = workers;
    this.#store = store;
    this.#options = options;
    this.#startAtMs = options.clock.now();
    this.#graceEndsMs = this.#startAtMs + HEARTBEAT_LASTS_MS;
  }

  async run(): Promise<readonly ShardEnd[]> {
    const { connection, clock, leaseMs, drain, stop } = this.#options;
    // First, as the server may go away during the rest of this.
    void this.#watchConnection();
    const facts = await this.#store.watch((key, bytes) => this.#note(key, bytes));
    const progress = connection.subscribe(subjectOf(this.#store.runId, 'progress'), {
      callback: (_, { data }) => this.#pass(data),
    });
    const exchange = (): Promise<boolean> => this.#exchange();
    const onExpiry = (): void => this.#giveUp();
    const heartbeats = startHeartbeat({ clock, exchange, leaseMs, onExpiry });
    const listeners = [
      addAbortListener(drain, () => this.#halt('drain')),
      addAbortListener(stop, () => this.#halt('stop')),
    ];
    try {
      await this.#ended.promise;
      return await this.#ends();
    } finally {
      heartbeats.cancel();
      facts.stop();
      progress.unsubscribe();
      for (const listener of listeners) listener[Symbol.dispose]();
    }
  }

  #note(key: string, bytes: Uint8Array): void {
    const shard = shardOf(key);
    if (key === 'go') this.#startAtMs = read.go(bytes)?.startAtMs ?? this.#startAtMs;
    if (key.startsWith('ready.')) note(this.#ready, shard, read.ready(bytes));
    if (key.startsWith('started.')) note(this.#started, shard, read.started(bytes));
    if (key.startsWith('done.')) note(this.#done, shard, read.done(bytes));
    this.#endIfAll();
  }

  #pass(bytes: Uint8Array): void {
    const message = read.progress(bytes);
    if (message) this.#options.onProgress(message.shard, message.progress);
  }

  #halt(how: Halt['how']): void {
    this.#options.tell(`run ${this.#store.runId}: telling the workers to ${how}`);
    const halt: Halt = { how, reason: 'the coordinator was interrupted' };
    void this.#store.put('halt', halt).catch(() => undefined);
  }

  #giveUp(): void {
    for (const shard of this.#open()) this.#lose(shard, 'the NATS server is gone');
  }

  async #exchange(): Promise<boolean> {
    try {
      await this.#checkHeartbeats();
      return true;
    } catch {
      // While the server is away, missing heartbeats say nothing about the workers.
      this.#giveGrace();
      return false;
    }
  }

  async #checkHeartbeats(): Promise<void> {
    const { clock } = this.#options;
    await this.#store.beat('coordinator');
    for (const shard of this.#open()) {
      const alive = await this.#store.isAlive(`worker.${shard}`);
      if (alive || this.#done.has(shard) || clock.now() < this.#graceEndsMs) continue;
      const lostAtMs = clock.now() - HEARTBEAT_LASTS_MS - this.#startAtMs;
      this.#lose(shard, `no heartbeat for ${formatDuration(HEARTBEAT_LASTS_MS)}`, { lostAtMs });
    }
  }

  #lose(shard: number, why: string, when: Pick<ShardEnd, 'lostAtMs'> = {}): void {
    const name = this.#ready.get(shard)?.worker ?? 'its worker';
    const finding = `${name} was lost with shard ${shard}: ${why}`;
    this.#lost.set(shard, { finding, ...when });
    this.#options.tell(`run ${this.#store.runId}: ${finding}`);
    this.#endIfAll();
  }

  async #watchConnection(): Promise<void> {
    for await (const { type } of this.#options.connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') this.#giveGrace();
    }
  }

  #giveGrace(): void {
    this.#graceEndsMs = this.#options.clock.now() + GRACE_MS;
  }

  /** Shards that have neither ended nor been lost. */
  #open(): readonly number[] {
    return this.#shards().filter((shard) => !this.#done.has(shard) && !this.#lost.has(shard));
  }

  #shards(): readonly number[] {
    return Array.from({ length: this.#workers }, (_, index) => index + 1);
  }

  #endIfAll(): void {
    if (this.#open().length === 0) this.#ended.resolve();
  }

  #ends(): Promise<readonly ShardEnd[]> {
    return Promise.all(
      this.#shards().map(async (shard) => ({
        shard,
        ready: this.#ready.get(shard),
        startLateMs: this.#started.get(shard)?.lateMs,
        ...(await this.#outcomeOf(shard)),
      })),
    );
  }

  /** A lost shard stays lost, even if its worker comes back. */
  async #outcomeOf(shard: number): Promise<Pick<ShardEnd, 'record' | 'finding' | 'lostAtMs'>> {
    const lost = this.#lost.get(shard);
    const done = this.#done.get(shard);
    if (lost) return { record: undefined, ...lost };
    if (!done?.ok) return { record: undefined, finding: `shard ${shard} failed: ${done?.message ?? ''}` };
    try {
      return { record: await this.#store.getFile(`record.${shard}`), finding: '' };
    } catch (error) {
      return { record: undefined, finding: `the record of shard ${shard} is lost: ${String(error)}` };
    }
  }
}

export function note<Value>(map: Map<number, Value>, shard: number, value: Value | undefined): void {
  if (value !== undefined) map.set(shard, value);
}

export function shardOf(key: string): number {
  return Number(key.split('.')[1]);
}
