/**
 * Shard queue: a work queue of NATS that hands out each shard of a run once only.
 *
 *   coordinator ─ offer ─► │ 3 │ 2 │ 1 │ ─ take ─► worker       acknowledged at once, delivered at most once
 */

import {
  AckPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const NANOS_PER_MS = 1_000_000;
const CONSUMER = 'workers';

export class ShardQueue {
  readonly #name: string;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;

  private constructor(name: string, client: JetStreamClient, manager: JetStreamManager) {
    this.#name = name;
    this.#client = client;
    this.#manager = manager;
  }

  /** @param keepMs - how long until it expires */
  static async create(connection: NatsConnection, runId: string, keepMs: number): Promise<ShardQueue> {
    const manager = await jetstreamManager(connection);
    const name = nameOf(runId);
    await manager.streams.add({
      name,
      subjects: [`${name}.*`],
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.New,
      storage: StorageType.File,
      max_age: keepMs * NANOS_PER_MS,
    });
    await manager.consumers.add(name, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      max_deliver: 1,
    });
    return new ShardQueue(name, jetstream(connection), manager);
  }

  /** @throws Error when there is no such run, or it has ended */
  static async open(connection: NatsConnection, runId: string): Promise<ShardQueue> {
    const manager = await jetstreamManager(connection);
    await manager.streams.info(nameOf(runId));
    return new ShardQueue(nameOf(runId), jetstream(connection), manager);
  }

  /** Adds a shard; adding it again changes nothing. */
  async offer(shard: number): Promise<void> {
    const subject = `${this.#name}.${shard}`;
    await this.#client.publish(subject, String(shard), { msgID: subject });
  }

  /** A shard that was not handed out yet, if one turns up within the time. */
  async take(waitMs: number): Promise<number | undefined> {
    const consumer = await this.#client.consumers.get(this.#name, CONSUMER);
    const message = await consumer.next({ expires: waitMs });
    message?.ack();
    return message ? Number(message.string()) : undefined;
  }

  async destroy(): Promise<void> {
    await this.#manager.streams.delete(this.#name);
  }
}

function nameOf(runId: string): string {
  return `platen-shards-${runId}`;
}
