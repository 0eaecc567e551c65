/**
 * Event table: queued webhook events in the database, with the target each was queued for.
 *
 * The target is kept as it was when the event was queued: a later change or deletion of the webhook does not
 * affect events on their way.
 */

import type { StatementSync } from 'node:sqlite';

import type { Database } from './database.ts';

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
  readonly #insert: StatementSync;
  readonly #attempt: StatementSync;
  readonly #remove: StatementSync;
  readonly #database: Database;
  #lastId: number;

  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO webhook_events VALUES (:id, :webhookId, :url, :secret, :json, 0)');
    this.#attempt = database.prepare('UPDATE webhook_events SET attempts = ? WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM webhook_events WHERE id = ?');
    this.#lastId = Number(database.prepare('SELECT max(id) AS id FROM webhook_events').get()?.['id'] ?? 0);
  }

  /** All queued events, oldest first. */
  load(): StoredEvent[] {
    const found = this.#database.prepare('SELECT * FROM webhook_events ORDER BY id').all();
    return found.map((row) => ({
      id: Number(row['id']),
      json: String(row['json']),
      attempts: Number(row['attempts']),
      target: {
        webhookId: Number(row['webhook_id']),
        url: String(row['url']),
        secret: String(row['secret']),
      },
    }));
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
