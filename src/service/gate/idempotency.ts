/**
 * Idempotency: a key that an account used for a job is refused for 24 hours.
 *
 * Keys live in the database, in the transaction of the job they belong to: both survive or neither.
 */

import { LIMITS } from '../../specification/limits.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';

const WINDOW_MS = LIMITS.idempotencyHours.value * 3_600_000;

/** Keys forgotten at most at once, so that no request pays for a long backlog. */
const FORGET_BATCH = 100;
/** A look for old keys finds none most of the time: it is not for every request. */
const FORGET_EVERY_MS = 1_000;

export interface IdempotencyKeys {
  /** Takes the key for this account; false when it was already used within the window. */
  claim(accountId: number, key: string, nowMs: number): boolean;
}

export class StoredIdempotencyKeys implements IdempotencyKeys {
  readonly #take: Statement;
  readonly #forget: Statement;
  /** When to look for old keys again. */
  #forgetMs = 0;

  constructor(database: Database) {
    this.#take = database.prepare(
      `INSERT INTO idempotency_keys (account_id, key, used_ms) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms WHERE excluded.used_ms - used_ms >= ${WINDOW_MS}`,
    );
    this.#forget = database.prepare(
      `DELETE FROM idempotency_keys WHERE (account_id, key) IN
         (SELECT account_id, key FROM idempotency_keys WHERE used_ms <= ? LIMIT ${FORGET_BATCH})`,
    );
  }

  claim(accountId: number, key: string, nowMs: number): boolean {
    if (nowMs >= this.#forgetMs) this.#forgetOld(nowMs);
    return this.#take.run(accountId, key, nowMs).changes === 1;
  }

  #forgetOld(nowMs: number): void {
    const { changes } = this.#forget.run(nowMs - WINDOW_MS);
    if (changes < FORGET_BATCH) this.#forgetMs = nowMs + FORGET_EVERY_MS;
  }
}
