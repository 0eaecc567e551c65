/**
 * Run store: what NATS keeps of one run, by existing primitives alone.
 *
 *   object store   the bundle (scenario and documents), and the record of each finished shard
 *   KV             who has which shard, who is ready, go, drain, stop, done
 *   live KV        signs of life, which expire by themselves
 *   work queue     the shards, each handed out once and never again
 *
 * All of it goes with the run; what a coordinator that died leaves behind expires.
 */

import { StorageType } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { Objm, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';

import { sleep, type Clock } from '../../common/clock.ts';
import { ShardQueue } from './placement/shard-queue.ts';
import { SIGN_LASTS_MS } from './signs-of-life.ts';

const NANOS_PER_MS = 1_000_000;
/** What has to be stored is tried again for as long as a server may take to come back. */
const TRIES = 40;
const TRY_EVERY_MS = 500;

/** Where coordinators look for workers. */
export const ANNOUNCEMENTS = 'platen.runs';

/**
 * What nobody needs to look up later goes by subjects of the run.
 *
 *   join      requests: a worker wants to take part
 *   secrets   requests: what must not be stored, for workers that have a shard
 *   time      requests: what time it is for the coordinator
 *   progress  how far a shard has come
 */
export function subjectOf(runId: string, what: 'join' | 'secrets' | 'time' | 'progress'): string {
  return `platen.run.${runId}.${what}`;
}

interface Buckets {
  readonly facts: KV;
  readonly signs: KV;
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

  /** `keepMs` is how long what a coordinator leaves behind is kept for one that comes back */
  static async create(
    connection: NatsConnection,
    { runId, keepMs, clock }: { runId: string; keepMs: number; clock: Clock },
  ): Promise<RunStore> {
    const kvm = new Kvm(connection);
    const objects = new Objm(connection);
    const storage = StorageType.File;
    return new RunStore(runId, clock, {
      shards: await ShardQueue.create(connection, runId, keepMs),
      facts: await kvm.create(bucketOf(runId), { storage, ttl: keepMs }),
      signs: await kvm.create(signsOf(runId), { storage, ttl: SIGN_LASTS_MS }),
      files: await objects.create(bucketOf(runId), { storage, ttl: keepMs * NANOS_PER_MS }),
    });
  }

  /** @throws Error when there is no such run, or not any more */
  static async open(connection: NatsConnection, runId: string, clock: Clock): Promise<RunStore> {
    const kvm = new Kvm(connection);
    return new RunStore(runId, clock, {
      shards: await ShardQueue.open(connection, runId),
      facts: await kvm.open(bucketOf(runId)),
      signs: await kvm.open(signsOf(runId)),
      files: await new Objm(connection).open(bucketOf(runId)),
    });
  }

  /** Hands a shard out, once. */
  offer(shard: number): Promise<void> {
    return this.#buckets.shards.offer(shard);
  }

  /** A shard that is nobody's, if there is one within the time. @throws Error when somebody has it */
  async take(worker: string, waitMs: number): Promise<number | undefined> {
    const shard = await this.#buckets.shards.take(waitMs);
    if (shard !== undefined) await this.#buckets.facts.create(`shard.${shard}`, worker);
    return shard;
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#insist(() => this.#buckets.facts.put(key, JSON.stringify(value)));
  }

  /** Undefined when nobody has put it. */
  async get<Value>(key: string): Promise<Value | undefined> {
    const entry = await this.#buckets.facts.get(key);
    return entry?.operation === 'PUT' ? entry.json<Value>() : undefined;
  }

  /** Tells of all that is put, from what stands there already on, until it is stopped. */
  async watch(note: (key: string, bytes: Uint8Array) => void): Promise<{ stop(): void }> {
    const entries = await this.#insist(() => this.#buckets.facts.watch());
    void (async () => {
      for await (const { key, value, operation } of entries) if (operation === 'PUT') note(key, value);
    })();
    return entries;
  }

  async showLife(who: string): Promise<void> {
    await this.#buckets.signs.put(who, '1');
  }

  /** Whether there is a sign of life that has not expired. */
  async isAlive(who: string): Promise<boolean> {
    const entry = await this.#buckets.signs.get(who);
    return entry?.operation === 'PUT';
  }

  async putFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#insist(() => this.#buckets.files.putBlob({ name }, bytes));
  }

  /** @throws Error when there is no such file */
  async getFile(name: string): Promise<Uint8Array> {
    const bytes = await this.#insist(() => this.#buckets.files.getBlob(name));
    if (!bytes) throw new Error(`run ${this.runId} has no file '${name}' in NATS`);
    return bytes;
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

  /** Leaves nothing behind. */
  async destroy(): Promise<void> {
    const { facts, signs, files, shards } = this.#buckets;
    await Promise.allSettled([facts, signs, files, shards].map((one) => one.destroy()));
  }
}

function bucketOf(runId: string): string {
  return `platen-${runId}`;
}

function signsOf(runId: string): string {
  return `platen-signs-${runId}`;
}
