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

import {
  AckPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type Consumer,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { Kvm, type KV, type KvWatchEntry } from '@nats-io/kv';
import { Objm, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection, QueuedIterator } from '@nats-io/transport-node';

import { sleep, type Clock } from '../../common/clock.ts';

/** A sign of life is given more often than four times within the time it lasts. */
export const SIGN_LASTS_MS = 2_000;
export const SIGN_EVERY_MS = 450;
const NANOS_PER_MS = 1_000_000;
const CONSUMER = 'workers';
/** What has to be stored is tried again for as long as a server may take to come back. */
const TRIES = 40;
const TRY_EVERY_MS = 500;

/** Subjects of the run, for what nobody needs to look up later. */
export interface RunSubjects {
  /** Requests: a worker wants to take part. */
  readonly join: string;
  /** Requests: what must not be stored, for workers that have a shard. */
  readonly secrets: string;
  /** Requests: what time it is for the coordinator. */
  readonly time: string;
  readonly progress: string;
}

/** Where coordinators look for workers. */
export const ANNOUNCEMENTS = 'platen.runs';

export function runSubjects(runId: string): RunSubjects {
  const prefix = `platen.run.${runId}`;
  return {
    join: `${prefix}.join`,
    secrets: `${prefix}.secrets`,
    time: `${prefix}.time`,
    progress: `${prefix}.progress`,
  };
}

export class RunStore {
  readonly runId: string;
  readonly #clock: Clock;
  readonly #jetstream: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #facts: KV;
  readonly #signs: KV;
  readonly #files: ObjectStore;

  private constructor(
    runId: string,
    clock: Clock,
    [client, manager]: readonly [JetStreamClient, JetStreamManager],
    [facts, signs, files]: readonly [KV, KV, ObjectStore],
  ) {
    this.runId = runId;
    this.#clock = clock;
    this.#jetstream = client;
    this.#manager = manager;
    this.#facts = facts;
    this.#signs = signs;
    this.#files = files;
  }

  /** `keepMs` is how long what a coordinator leaves behind is kept for one that comes back */
  static async create(
    connection: NatsConnection,
    { runId, keepMs, clock }: { runId: string; keepMs: number; clock: Clock },
  ): Promise<RunStore> {
    const client = jetstream(connection);
    const manager = await jetstreamManager(connection);
    const kvm = new Kvm(client);
    const storage = StorageType.File;
    await manager.streams.add({
      name: queueOf(runId),
      subjects: [`${queueOf(runId)}.*`],
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.New,
      storage,
      max_age: keepMs * NANOS_PER_MS,
    });
    await manager.consumers.add(queueOf(runId), {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      max_deliver: 1,
    });
    return new RunStore(
      runId,
      clock,
      [client, manager],
      [
        await kvm.create(`platen-${runId}`, { storage, ttl: keepMs }),
        await kvm.create(`platen-signs-${runId}`, { storage, ttl: SIGN_LASTS_MS }),
        await new Objm(client).create(`platen-${runId}`, { storage, ttl: keepMs * NANOS_PER_MS }),
      ],
    );
  }

  /** @throws Error when there is no such run, or not any more */
  static async open(connection: NatsConnection, runId: string, clock: Clock): Promise<RunStore> {
    const client = jetstream(connection);
    const manager = await jetstreamManager(connection);
    await manager.streams.info(queueOf(runId));
    const kvm = new Kvm(client);
    return new RunStore(
      runId,
      clock,
      [client, manager],
      [
        await kvm.open(`platen-${runId}`),
        await kvm.open(`platen-signs-${runId}`),
        await new Objm(client).open(`platen-${runId}`),
      ],
    );
  }

  /** Puts a shard into the queue; doing it again changes nothing. */
  async offer(shard: number): Promise<void> {
    const subject = `${queueOf(this.runId)}.${shard}`;
    await this.#jetstream.publish(subject, String(shard), { msgID: subject });
  }

  /** A shard that is nobody's, if there is one within the time. */
  async take(worker: string, waitMs: number): Promise<number | undefined> {
    const consumer: Consumer = await this.#jetstream.consumers.get(queueOf(this.runId), CONSUMER);
    const message = await consumer.next({ expires: waitMs });
    if (!message) return undefined;
    message.ack();
    const shard = Number(message.string());
    await this.#facts.create(`shard.${shard}`, worker);
    return shard;
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#insist(() => this.#facts.put(key, JSON.stringify(value)));
  }

  /** Undefined when nobody has put it. */
  async get<Value>(key: string): Promise<Value | undefined> {
    const entry = await this.#facts.get(key);
    return entry?.operation === 'PUT' ? entry.json<Value>() : undefined;
  }

  /** All that is put, from what stands there already on. */
  watch(): Promise<QueuedIterator<KvWatchEntry>> {
    return this.#facts.watch();
  }

  async showLife(who: string): Promise<void> {
    await this.#signs.put(who, '1');
  }

  /** Whether there is a sign of life that has not expired. */
  async isAlive(who: string): Promise<boolean> {
    const entry = await this.#signs.get(who);
    return entry?.operation === 'PUT';
  }

  async putFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#insist(() => this.#files.putBlob({ name }, bytes));
  }

  /** @throws Error when there is no such file */
  async getFile(name: string): Promise<Uint8Array> {
    const bytes = await this.#insist(() => this.#files.getBlob(name));
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
    const parts = [this.#facts, this.#signs, this.#files].map((part) => part.destroy());
    await Promise.allSettled([...parts, this.#manager.streams.delete(queueOf(this.runId))]);
  }
}

function queueOf(runId: string): string {
  return `platen-shards-${runId}`;
}
