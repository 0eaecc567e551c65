/**
 * Event table: queued webhook events in the database, with the target each was queued for.
 *
 * The target is kept as it was when the event was queued: a later change or deletion of the webhook does not
 * affect events on their way.
 */

import { DamagedRow, storedJson, WRONG_TYPE } from './damage.ts';
import type { Database } from './database.ts';
import type { Row, Statement } from './statement.ts';

export interface TargetKey {
  readonly webhookId: number;
  readonly url: string;
  readonly secret: string;
}

export interface QueuedEvent {
  readonly id: number;
  /** The event object, as JSON text. */
  readonly json: string;
  /** Requests that it was part of. */
  readonly attempts: number;
}

export interface StoredEvent extends QueuedEvent {
  readonly target: TargetKey;
}

export class EventTable {
  readonly #insert: Statement;
  readonly #attempt: Statement;
  readonly #remove: Statement;
  readonly #database: Database;
  #lastId: number;

  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO webhook_events VALUES (:id, :webhookId, :url, :secret, :json, 0)');
    this.#attempt = database.prepare('UPDATE webhook_events SET attempts = ? WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM webhook_events WHERE id = ?');
    this.#lastId = Number(database.prepare('SELECT max(id) AS id FROM webhook_events').get()?.['id'] ?? 0);
  }

  /** All queued events, oldest first. @throws DamagedRow */
  load(): StoredEvent[] {
    return this.#database.prepare('SELECT * FROM webhook_events ORDER BY id').all().map(storedEvent);
  }

  add(target: TargetKey, json: string): QueuedEvent {
    const event: QueuedEvent = { id: ++this.#lastId, json, attempts: 0 };
    const { webhookId, url, secret } = target;
    this.#database.write(() => this.#insert.run({ id: event.id, webhookId, url, secret, json }));
    return event;
  }

  /** Counts one more request for these events, before it is made. */
  countAttempt(events: readonly QueuedEvent[]): QueuedEvent[] {
    const tried = events.map((event) => ({ ...event, attempts: event.attempts + 1 }));
    this.#database.write(() => {
      for (const event of tried) this.#attempt.run(event.attempts, event.id);
    });
    return tried;
  }

  remove(events: readonly QueuedEvent[]): void {
    this.#database.write(() => {
      for (const event of events) this.#remove.run(event.id);
    });
  }
}

function storedEvent({ id, webhook_id: webhookId, url, secret, json, attempts }: Row): StoredEvent {
  const row = String(id);
  const isWhole =
    typeof webhookId === 'number' &&
    typeof url === 'string' &&
    typeof secret === 'string' &&
    typeof json === 'string' &&
    typeof attempts === 'number';
  if (!isWhole) throw new DamagedRow({ table: 'webhook_events', row, what: WRONG_TYPE });
  storedJson(json, 'webhook_events', row);
  return { id: Number(id), json, attempts, target: { webhookId, url, secret } };
}
