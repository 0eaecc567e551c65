/**
 * Computers: known since their client first connected, identified by its installation.
 */

import { z } from 'zod';

import type { ClientReport } from '../../link/messages.ts';
import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';
import { STORED_TIME } from '../store/stored-time.ts';
import { formatTimestamp } from './timestamp.ts';

export interface Computer {
  readonly id: number;
  readonly accountId: number;
  readonly installationId: string;
  name: string;
  inet: string | null;
  inet6: string | null;
  hostname: string | null;
  version: string | null;
  readonly createdMs: number;
  /** Changes with everything a caller can see, so that rendered JSON can be kept until then. */
  revision: number;
  isConnected: boolean;
}

/** One connection of a computer's client. */
export interface Connection {
  readonly serverUuid: string;
  readonly hostname: string | null;
  readonly connectedMs: number;
  readonly edition: string | null;
  readonly version: string | null;
}

/** Moves on with every change of what it stands for; text made of that can be kept until then. */
export interface Revision {
  value: number;
}

const text = z.string().nullable();

/** What a stored computer has to have. */
export const STORED_COMPUTER: z.ZodType<Computer> = z.object({
  id: z.int(),
  accountId: z.int(),
  installationId: z.string(),
  name: z.string(),
  inet: text,
  inet6: text,
  hostname: text,
  version: text,
  createdMs: STORED_TIME,
  revision: z.number(),
  isConnected: z.boolean(),
});

export class Computers {
  readonly #records: Records<Computer>;
  readonly #revision: Revision;
  readonly #byId = new Map<number, Computer>();
  readonly #ofAccount = new Map<number, Map<string, Computer>>();

  /** @param revision - moved on with every change of any computer */
  constructor(database: Database, revision: Revision) {
    this.#revision = revision;
    this.#records = new Records(database, 'computer');
    for (const computer of this.#records.load(STORED_COMPUTER)) this.#index({ ...computer, isConnected: false });
  }

  byId(id: number): Computer | undefined {
    return this.#byId.get(id);
  }

  /** All computers of an account, by ascending id. */
  ofAccount(accountId: number): Computer[] {
    return [...(this.#ofAccount.get(accountId)?.values() ?? [])];
  }

  /** The computer of this client, created if it is new, with what it reports about itself. */
  register(accountId: number, client: ClientReport, nowMs: number): Computer {
    const known = this.#ofAccount.get(accountId)?.get(client.installationId);
    const computer = known ?? this.#create(accountId, client, nowMs);
    computer.name = client.computerName;
    computer.inet = client.inet;
    computer.inet6 = client.inet6;
    computer.hostname = client.hostname;
    computer.version = client.version;
    this.changed(computer);
    return computer;
  }

  changed(computer: Computer): void {
    computer.revision++;
    this.#revision.value++;
    this.#records.save(computer);
  }

  remove(computer: Computer): void {
    this.#revision.value++;
    this.#byId.delete(computer.id);
    this.#ofAccount.get(computer.accountId)?.delete(computer.installationId);
    this.#records.remove(computer.id);
  }

  #create(accountId: number, client: ClientReport, nowMs: number): Computer {
    const computer: Computer = {
      id: this.#records.nextId(),
      accountId,
      installationId: client.installationId,
      name: client.computerName,
      inet: null,
      inet6: null,
      hostname: null,
      version: null,
      createdMs: nowMs,
      revision: 0,
      isConnected: false,
    };
    this.#index(computer);
    return computer;
  }

  #index(computer: Computer): void {
    this.#byId.set(computer.id, computer);
    const computers = this.#ofAccount.get(computer.accountId) ?? new Map<string, Computer>();
    this.#ofAccount.set(computer.accountId, computers.set(computer.installationId, computer));
  }
}

/** The Computer object as callers see it, as JSON text. */
export function renderComputer(computer: Computer): string {
  return JSON.stringify({
    id: computer.id,
    name: computer.name,
    inet: computer.inet,
    inet6: computer.inet6,
    hostname: computer.hostname,
    version: computer.version,
    jre: null,
    createTimestamp: formatTimestamp(computer.createdMs),
    state: computer.isConnected ? 'connected' : 'disconnected',
  });
}

/** A connection as callers see it. */
export function describeConnection({ serverUuid, hostname, connectedMs, edition, version }: Connection): object {
  return { serverUuid, hostname, connectionTimestamp: formatTimestamp(connectedMs), edition, version };
}
