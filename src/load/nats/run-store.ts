/**
 * Run store: what NATS keeps of one run, in its own primitives.
 *
 *   object store   the bundle (scenario and documents), and the record of each finished shard
 *   KV             which worker has which shard, which is ready, go, drain, stop, done
 *   live KV        heartbeats, which expire by themselves
 *   work queue     the shards, each handed out once only
 *
 * All of it is deleted with the run; what a coordinator that died leaves behind expires.
 */

import { StorageType } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { Objm, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';

import { usageError } from '../../common/actionable-error.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import { ShardQueue } from './shard-queue.ts';
import { HEARTBEAT_LASTS_MS } from './heartbeat.ts';

const NANOS_PER_MS = 1_000_000;
/** A write is tried again for as long as a server may take to come back. */
const TRIES = 40;
const TRY_EVERY_MS = 500;

/** The subject on which coordinators look for workers. */
export const ANNOUNCEMENTS = 'platen.runs';

/**
 * Subjects of a run, for messages that need not be stored.
 *
 *   join      request: a worker wants to take part
 *   secrets   request: what must not be stored, for workers that have a shard
 *   time      request: the coordinator's clock
 *   progress  how far a shard has come
 */
export function subjectOf(runId: string, what: 'join' | 'secrets' | 'time' | 'progress'): string {
  return `platen.run.${runId}.${what}`;
}

interface Buckets {
  readonly facts: KV;
  readonly heartbeats: KV;
  readonly files: ObjectStore;
  readonly shards: ShardQueue;
}

export class RunStore {
  readonly runId: string;
  readonly #clock: Clock;
  readonly #buckets: Buckets;

  private constructor(runId: string, clock: Clock, buckets: Buckets) {
    this.runId = runId;
    this.#clock = clock;
    this.#buckets = buckets;
  }

  /** @param options - `keepMs`: how long the data outlives a coordinator that died, for another to resume */
  static async create(
    connection: NatsConnection,
    options: { readonly runId: string; readonly keepMs: number; readonly clock: Clock },
  ): Promise<RunStore> {
    const { runId, keepMs, clock } = options;
    const kvm = new Kvm(connection);
    const objects = new Objm(connection);
    const storage = StorageType.File;
    return new RunStore(runId, clock, {
      shards: await ShardQueue.create(connection, runId, keepMs),
      facts: await kvm.create(bucketOf(runId), { storage, ttl: keepMs }),
      heartbeats: await kvm.create(heartbeatsOf(runId), { storage, ttl: HEARTBEAT_LASTS_MS }),
      files: await objects.create(bucketOf(runId), { storage, ttl: keepMs * NANOS_PER_MS }),
    });
  }

  /** @throws Error when there is no such run, or it has ended */
  static async open(connection: NatsConnection, runId: string, clock: Clock): Promise<RunStore> {
    const kvm = new Kvm(connection);
    return new RunStore(runId, clock, {
      shards: await ShardQueue.open(connection, runId),
      facts: await kvm.open(bucketOf(runId)),
      heartbeats: await kvm.open(heartbeatsOf(runId)),
      files: await new Objm(connection).open(bucketOf(runId)),
    });
  }

  /** Offers a shard to the workers, once. */
  offer(shard: number): Promise<void> {
    return this.#buckets.shards.offer(shard);
  }

  /** A free shard, if one turns up within the time. @throws Error when another worker has it */
  async take(worker: string, waitMs: number): Promise<number | undefined> {
    const shard = await this.#buckets.shards.take(waitMs);
    if (shard !== undefined) await this.#buckets.facts.create(`shard.${shard}`, worker);
    return shard;
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#insist(() => this.#buckets.facts.put(key, JSON.stringify(value)));
  }

  /** Undefined when it was never put. */
  async get<Value>(key: string): Promise<Value | undefined> {
    const entry = await this.#buckets.facts.get(key);
    return entry?.operation === 'PUT' ? this.#whole(key, () => Promise.resolve(entry.json<Value>())) : undefined;
  }

  /** Reports every entry, those already there included, until it is stopped. */
  async watch(note: (key: string, bytes: Uint8Array) => void): Promise<{ stop(): void }> {
    const entries = await this.#insist(() => this.#buckets.facts.watch());
    void (async () => {
      for await (const { key, value, operation } of entries) if (operation === 'PUT') note(key, value);
    })();
    return entries;
  }

  async beat(who: string): Promise<void> {
    await this.#buckets.heartbeats.put(who, '1');
  }

  async isAlive(who: string): Promise<boolean> {
    const entry = await this.#buckets.heartbeats.get(who);
    return entry?.operation === 'PUT';
  }

  async putFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#insist(() => this.#buckets.files.putBlob({ name }, bytes));
  }

  /** @throws Error when there is no such file; ActionableError when it is not what was put there */
  async getFile(name: string): Promise<Uint8Array> {
    const bytes = await this.#whole(name, () => this.#insist(() => this.#buckets.files.getBlob(name)));
    if (!bytes) throw new Error(`run ${this.runId} has no file '${name}' in NATS`);
    return bytes;
  }

  /** What another member wrote in the place of ours is met by the library as if it were its own mistake. */
  async #whole<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      throw usageError(
        `'${name}' of run ${this.runId} is not what was written there: another member of the NATS server writes in its place`,
        'Give loads an account of their own on that server.',
        { cause: error },
      );
    }
  }

  async #insist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let left = TRIES; ; left--) {
      try {
        return await work();
      } catch (error) {
        if (left <= 1) throw error;
        await sleep(this.#clock, TRY_EVERY_MS);
      }
    }
  }

  /** Deletes everything. */
  async destroy(): Promise<void> {
    const { facts, heartbeats, files, shards } = this.#buckets;
    await Promise.allSettled([facts, heartbeats, files, shards].map((one) => one.destroy()));
  }
}

function bucketOf(runId: string): string {
  return `platen-${runId}`;
}

function heartbeatsOf(runId: string): string {
  return `platen-heartbeats-${runId}`;
}
