/**
 * Client keys: what one installation of the client connects with, so that it needs no API key.
 *
 * An account gets the same key again for the same installation. A client key is good for the link alone.
 */

import { z } from 'zod';

import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';

export interface ClientKey {
  readonly id: number;
  readonly accountId: number;
  /** The uuid of the installation, in lower case. */
  readonly uuid: string;
  readonly key: string;
}

/** What a stored client key has to have. */
export const STORED_CLIENT_KEY: z.ZodType<ClientKey> = z.object({
  id: z.int(),
  accountId: z.int(),
  uuid: z.string(),
  key: z.string(),
});

export class ClientKeys {
  readonly #records: Records<ClientKey>;
  readonly #byKey = new Map<string, ClientKey>();
  /** Account id → UUID → client key. */
  readonly #ofAccount = new Map<number, Map<string, ClientKey>>();

  constructor(database: Database) {
    this.#records = new Records(database, 'client-key');
    for (const clientKey of this.#records.load(STORED_CLIENT_KEY)) this.#index(clientKey);
  }

  byKey(key: string): ClientKey | undefined {
    return this.#byKey.get(key);
  }

  /** The client key of this installation; the first time it is `newKey()`. */
  issue(accountId: number, uuid: string, newKey: () => string): ClientKey {
    const installation = uuid.toLowerCase();
    const known = this.#ofAccount.get(accountId)?.get(installation);
    if (known) return known;
    const clientKey = { id: this.#records.nextId(), accountId, uuid: installation, key: newKey() };
    this.#records.save(clientKey);
    this.#index(clientKey);
    return clientKey;
  }

  removeOf(accountId: number): void {
    for (const { id, key } of this.#ofAccount.get(accountId)?.values() ?? []) {
      this.#byKey.delete(key);
      this.#records.remove(id);
    }
    this.#ofAccount.delete(accountId);
  }

  #index(clientKey: ClientKey): void {
    this.#byKey.set(clientKey.key, clientKey);
    const keys = this.#ofAccount.get(clientKey.accountId) ?? new Map<string, ClientKey>();
    this.#ofAccount.set(clientKey.accountId, keys.set(clientKey.uuid, clientKey));
  }
}
