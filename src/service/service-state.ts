/**
 * Service state: everything a service knows, and how its pieces hang together.
 *
 *   database ◄─ accounts, computers, printers, jobs ◄─ queue ◄─ gateway ◄─ (link)
 *                                                 ◄─ routes ◄─ (HTTP)
 */

import type { Clock } from '../common/clock.ts';
import type { ServiceChoices } from './choices.ts';
import { DeviceGateway } from './delivery/device-gateway.ts';
import { ExpiryWatch } from './delivery/expiry-watch.ts';
import { JobQueue } from './delivery/job-queue.ts';
import { Accounts } from './domain/account.ts';
import { Computers, type Computer } from './domain/computer.ts';
import { PrintJobs } from './domain/print-job.ts';
import { Printers } from './domain/printer.ts';
import type { IdempotencyKeys } from './gate/idempotency.ts';
import type { ServiceParts } from './service-parts.ts';
import type { Database } from './store/database.ts';

export class ServiceState {
  readonly clock: Clock;
  readonly parts: ServiceParts;
  readonly choices: ServiceChoices;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly computers: Computers;
  readonly printers: Printers;
  readonly jobs: PrintJobs;
  readonly queue: JobQueue;
  readonly gateway: DeviceGateway;
  readonly expiryWatch: ExpiryWatch;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Live connections of a computer. */
  readonly #connections = new Map<number, number>();

  constructor(database: Database, clock: Clock, parts: ServiceParts, choices: ServiceChoices) {
    this.clock = clock;
    this.parts = parts;
    this.choices = choices;
    this.database = database;
    this.accounts = new Accounts(database);
    this.computers = new Computers(database);
    this.printers = new Printers(database, (id) => this.computers.byId(id));
    this.idempotencyKeys = parts.idempotencyKeys(database);
    this.jobs = new PrintJobs({
      database,
      accounts: this.accounts,
      printers: this.printers,
      now: () => clock.now(),
      expiryMs: parts.expiryMs,
      cancelledState: choices.cancelledState,
    });
    this.queue = new JobQueue(this.jobs, database);
    this.gateway = new DeviceGateway({
      clock,
      database,
      computers: this.computers,
      printers: this.printers,
      jobs: this.jobs,
      queue: this.queue,
      onComputer: (computer, event) => this.#computerChanged(computer, event === 'connected' ? 1 : -1),
    });
    this.expiryWatch = new ExpiryWatch(clock, {
      nextExpiryMs: () => this.jobs.table.nextExpiryMs(),
      expire: () => database.write(() => this.jobs.expire()),
    });
  }

  /**
   * Deletes a computer with its printers. Choice: what waits for them is cancelled, its history stays.
   * Call inside a write of the database.
   */
  removeComputer(computer: Computer): void {
    const printerIds = this.printers.ofComputer(computer.id).map((printer) => printer.id);
    this.jobs.cancel({ accountId: computer.accountId, printerIds });
    this.printers.deleteAll(computer.id);
    this.computers.remove(computer);
    this.database.afterCommit(() => this.gateway.dismiss(computer.id));
  }

  close(): void {
    this.expiryWatch.stop();
    this.gateway.close();
    this.database.close();
  }

  #computerChanged(computer: Computer, difference: 1 | -1): void {
    const connections = (this.#connections.get(computer.id) ?? 0) + difference;
    if (connections > 0) this.#connections.set(computer.id, connections);
    else this.#connections.delete(computer.id);
    const isConnected = connections > 0;
    if (computer.isConnected === isConnected || !this.computers.byId(computer.id)) return;
    computer.isConnected = isConnected;
    this.database.write(() => this.computers.changed(computer));
  }
}
