/**
 * Service admin: what the program that runs a service sees and does in it, beyond what callers can.
 *
 * It looks across accounts and asks for no key. It outlives a reset of the service: every call works on the
 * state that there is then.
 */

import { messageOf } from '../common/error-message.ts';
import type { Account, NewAccount } from './domain/account.ts';
import type { Printer } from './domain/printer.ts';
import { printerFor, readPrintJobRequest } from './requests/print-job-request.ts';
import type { KnownComputer, WebhookDelivery } from './service-observer.ts';
import type { ServiceState } from './service-state.ts';
import type { DamagedRow } from './store/damage.ts';
import { authenticationOf, optionsOf, type PrintJobRow, type PrintJobStateRow } from './store/print-job-row.ts';

/** Which jobs are listed; a missing field does not restrict. */
export interface JobsWanted {
  readonly accountId?: number | undefined;
  /** Only jobs with a lower id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export class ServiceAdmin {
  readonly #state: () => ServiceState;

  readonly #damage: () => DamagedRow | undefined;

  /**
   * @param state - called for every use, since a reset replaces the state
   * @param damage - a row that could not be read
   */
  constructor(state: () => ServiceState, damage: () => DamagedRow | undefined) {
    this.#state = state;
    this.#damage = damage;
  }

  /** Resolves once all that was changed so far is stored; undefined when nothing waits to be. */
  committed(): Promise<void> | undefined {
    return this.#state().database.committed();
  }

  /** What keeps the service from storing anything, or from reading what it has stored. */
  trouble(): string | undefined {
    const { database } = this.#state();
    try {
      if (database.isLasting) database.tryWrite();
    } catch (error) {
      return `the data file cannot be written: ${messageOf(error)}`;
    }
    return this.#damage()?.message;
  }

  /** When the last thing happened to a print job; undefined without one. */
  latestMs(): number | undefined {
    const row = this.#state().database.prepare('SELECT max(created_ms) AS latest FROM print_job_states').get();
    return typeof row?.['latest'] === 'number' ? row['latest'] : undefined;
  }

  accounts(): Account[] {
    return this.#state().accounts.all();
  }

  createAccount(fields: NewAccount): Account {
    const { accounts, database } = this.#state();
    return database.write(() => accounts.create(fields));
  }

  /** Deletes an account with everything it has. @returns false when no account has this id */
  removeAccount(id: number): boolean {
    const state = this.#state();
    const account = state.accounts.byId(id);
    if (!account) return false;
    state.database.write(() => state.removeAccount(account));
    return true;
  }

  /** Resets an account: its keys stay, everything else it has is forgotten. */
  clearAccount(id: number): void {
    const state = this.#state();
    const { accounts, database, jobs } = state;
    const account = accounts.byId(id);
    if (!account) return;
    database.write(() => {
      state.removeAccount(account);
      jobs.forget(id);
      accounts.restore({ ...account, state: 'active', totalPrints: 0, tags: new Map() });
    });
  }

  /** Newest first, without hidden ones. */
  jobs({ accountId, before, limit }: JobsWanted): PrintJobRow[] {
    return this.#state().jobs.table.newest(limit, before, accountId);
  }

  /** Undefined for a hidden one as well. */
  job(id: number): PrintJobRow | undefined {
    const { table } = this.#state().jobs;
    return table.isHidden(id) ? undefined : table.byId(id);
  }

  /** Hides a job here for good, and cancels it if it was not delivered yet; its account goes on seeing it. */
  hide({ id, accountId }: PrintJobRow): void {
    const { database, jobs } = this.#state();
    database.write(() => {
      jobs.cancel({ accountId, jobIds: [id] });
      jobs.table.hide(id);
    });
  }

  /** The states a job went through, oldest first. */
  states(job: PrintJobRow): PrintJobStateRow[] {
    return this.#state().jobs.history(job);
  }

  /** Also finds a deleted printer. */
  printer(id: number): Printer | undefined {
    return this.#state().printers.byId(id);
  }

  /** The present printers of an account, by ascending id. */
  printersOf(accountId: number): Printer[] {
    const { computers, printers } = this.#state();
    return computers
      .ofAccount(accountId)
      .flatMap(({ id }) => printers.ofComputer(id))
      .toSorted((a, b) => a.id - b.id);
  }

  computersOf(accountId: number): readonly KnownComputer[] {
    return this.#state().computers.ofAccount(accountId);
  }

  /**
   * Submits a job once more, as a new one.
   *
   * @param content - as it was submitted; the service has dropped it
   * @throws ApiError when its printer does not exist any more
   */
  submitAgain(job: PrintJobRow, content: string): number {
    const state = this.#state();
    const account = state.accounts.byId(job.accountId);
    if (!account) throw new Error(`account ${job.accountId} no longer exists`);
    const request = readPrintJobRequest({
      printerId: job.printerId,
      contentType: job.contentType,
      content,
      title: job.title,
      source: job.source,
      options: optionsOf(job),
      qty: job.qty,
      authentication: authenticationOf(job),
      expireAfter: Math.round((job.expireMs - job.createdMs) / 1_000),
    });
    const printer = printerFor(state.printers, account, request);
    return state.database.write(() => state.submit(account, printer, request)).id;
  }

  /** Makes a request to a webhook once more, outside its queue: it is not counted and not retried. */
  deliverAgain(delivery: WebhookDelivery): Promise<WebhookDelivery> {
    return this.#state().dispatcher.repeat(delivery);
  }
}
