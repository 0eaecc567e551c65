/**
 * Print jobs: their life from submission to their last state.
 *
 *   submit ─► new ─► sent_to_client ─► (what the client reports) ─► done | error
 *              ├───► expired          not delivered in time
 *              └───► deleted          cancelled before delivery (choice: gap/cancelled-state)
 *
 * Each state is recorded, and announced to webhooks in the same write of the database.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import type { JobStateReport } from '../../link/device-link.ts';
import type { ContentType, DOCUMENT_AUTHENTICATION_INPUT } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Account, Accounts } from '../domain/account.ts';
import type { Printer, Printers } from '../domain/printer.ts';
import type { ServiceObserver } from '../service-observer.ts';
import { DamagedRow } from '../store/damage.ts';
import type { Database } from '../store/database.ts';
import {
  authenticationOf,
  DELIVERY,
  optionsOf,
  type PrintJobRow,
  type PrintJobStateRow,
} from '../store/print-job-row.ts';
import { PrintJobTable, type JobScope } from '../store/print-job-table.ts';
import type { Events } from './events.ts';

export interface PrintJobsOptions {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly printers: Printers;
  readonly events: Events;
  readonly clock: Clock;
  readonly expiryMs: typeof expiryMs;
  readonly cancelledState: string;
  readonly observer: ServiceObserver | undefined;
}

export interface PrintJobRequest {
  readonly printerId: number;
  readonly contentType: ContentType;
  readonly content: string;
  readonly title: string | null;
  readonly source: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** Seconds; undefined when the default applies. */
  readonly expireAfter: number | undefined;
  readonly qty: number | undefined;
  readonly authentication: DocumentAuthentication | null;
}

export interface DocumentAuthentication {
  readonly type: (typeof DOCUMENT_AUTHENTICATION_INPUT.type.values)[number];
  readonly credentials: { readonly user: string; readonly pass: string };
}

/**
 * When a job expires, in milliseconds since the epoch.
 *
 * @param expireAfter - seconds, as the caller asked; undefined for the default of 14 days
 */
export function expiryMs(createdMs: number, expireAfter: number | undefined): number {
  return createdMs + (expireAfter ?? LIMITS.expireAfterDefaultSeconds.value) * 1_000;
}

/** After a write that could not be stored, such as on a full disk. */
const EXPIRE_AGAIN_MS = 1_000;

const EXPIRED = 'the print job could not be delivered before its expiry time';

export class PrintJobs {
  readonly table: PrintJobTable;
  readonly #options: PrintJobsOptions;
  /** Jobs ever submitted, by account and by printer: the ordinal of the newest. */
  readonly #counts = { account: new Map<number, number>(), printer: new Map<number, number>() };

  /** One timer for the next job that expires, whatever their number. */
  #expiry: Timer | undefined;
  #nextExpiryMs = Number.POSITIVE_INFINITY;

  constructor(options: PrintJobsOptions) {
    this.#options = options;
    this.table = new PrintJobTable(options.database);
    this.#watchExpiry(this.table.nextExpiryMs());
  }

  close(): void {
    this.#expiry?.cancel();
  }

  /** Registers a job in the state `new`. Call inside a write of the database. */
  submit(account: Account, printer: Printer, request: PrintJobRequest): PrintJobRow {
    const createdMs = this.#options.clock.now();
    const job: PrintJobRow = {
      id: this.table.nextId(),
      accountId: account.id,
      accountOrdinal: this.#nextOrdinal('account', account.id),
      printerOrdinal: this.#nextOrdinal('printer', printer.id),
      computerId: printer.computer.id,
      printerId: printer.id,
      title: request.title,
      source: request.source,
      contentType: request.contentType,
      options: JSON.stringify(request.options),
      authentication: request.authentication && JSON.stringify(request.authentication),
      qty: request.qty ?? LIMITS.qtyDefault.value,
      createdMs,
      expireMs: this.#options.expiryMs(createdMs, request.expireAfter),
      state: 'new',
      delivery: DELIVERY.queued,
    };
    this.table.insert(job, request.content);
    const { database, observer } = this.#options;
    if (observer) database.afterCommit(() => observer.submitted(job, request.content));
    this.#announce(job, registration(job));
    this.#watchExpiry(job.expireMs);
    return job;
  }

  /** Forgets the jobs of an account. Call inside a write of the database. */
  forget(accountId: number): void {
    this.table.remove(accountId);
    this.#counts.account.delete(accountId);
  }

  /** All states of a job, oldest first. */
  history(job: PrintJobRow): PrintJobStateRow[] {
    return [registration(job), ...this.table.laterStates(job.id)];
  }

  /** Cancels the jobs of a scope that are not delivered yet. @returns their ids, ascending */
  cancel(scope: JobScope): number[] {
    const jobs = this.table.queued(scope);
    for (const job of jobs) this.#finish(job, this.#options.cancelledState, 'the print job was cancelled');
    return jobs.map((job) => job.id);
  }

  /**
   * Ends a job that waits and whose time is over: the timer that ends jobs does not hear of a clock that was set.
   *
   * @returns whether it was over
   */
  expireIfOver(job: PrintJobRow): boolean {
    const { clock, database } = this.#options;
    if (job.delivery !== DELIVERY.queued || job.expireMs >= clock.now()) return false;
    database.guard(() => database.write(() => this.#finish(job, 'expired', EXPIRED)));
    return true;
  }

  sentToClient(job: PrintJobRow): void {
    this.table.setState(job.id, 'sent_to_client', DELIVERY.sent);
    const message = 'the print job was sent to the client';
    this.#record(job, serviceState(job.id, 'sent_to_client', message, this.#options.clock.now()), null);
  }

  /** A job; undefined where there is no such job. One that cannot be read ends, and holds up no other. */
  readable(id: number): PrintJobRow | undefined {
    return this.#read(
      () => this.table.byId(id),
      () => this.table.giveUp(id, 'error'),
    );
  }

  /** The document of a job that is whole; another one ends (choice: gap/unreadable-document). */
  documentOf(job: PrintJobRow): string | undefined {
    return this.#read(
      () => {
        optionsOf(job);
        authenticationOf(job);
        return this.table.content(job.id);
      },
      (what) => {
        this.table.giveUp(job.id, 'error');
        const message = `the print job cannot be delivered, because the service cannot read it: ${what}`;
        this.#record(job, serviceState(job.id, 'error', message, this.#options.clock.now()), null);
      },
    );
  }

  /** @param giveUp - ends what cannot be read; hears what is wrong with it */
  #read<T>(read: () => T, giveUp: (what: string) => void): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error;
      const { database } = this.#options;
      database.onFault(error);
      database.guard(() => database.write(() => giveUp(error.damage.what)));
      return undefined;
    }
  }

  /**
   * Records what a client reports, once for each report id; a job of another computer is not touched. The last state
   * reported is the current one; a state after a final one does not reopen the job.
   */
  reported(computerId: number, reports: readonly JobStateReport[], clientVersion: string | null): void {
    const latest = new Map<number, Pick<PrintJobRow, 'state' | 'delivery'>>();
    for (const report of reports) {
      const job = this.#recordReport(computerId, report, clientVersion);
      if (!job) continue;
      const { state } = report;
      const { delivery } = latest.get(job.id) ?? job;
      const isOver = delivery === DELIVERY.finished || FINAL_STATES.has(state);
      latest.set(job.id, { state, delivery: isOver ? DELIVERY.finished : DELIVERY.sent });
    }
    for (const [jobId, { state, delivery }] of latest) this.table.setState(jobId, state, delivery);
  }

  /** The job, where the report counts. */
  #recordReport(
    computerId: number,
    { id, jobId, state, message, data, createTimestamp }: JobStateReport,
    clientVersion: string | null,
  ): PrintJobRow | undefined {
    const job = this.table.byId(jobId);
    if (!job || job.computerId !== computerId || SERVICE_STATES.has(state)) return undefined;
    const createdMs = Date.parse(createTimestamp);
    const row = { jobId, state, message, data: data && JSON.stringify(data), clientVersion, createdMs };
    if (!this.#record(job, row, id)) return undefined;
    if (state === 'done') this.#countPrint(job.accountId);
    return job;
  }

  #watchExpiry(dueMs: number | undefined): void {
    if (dueMs === undefined || dueMs >= this.#nextExpiryMs) return;
    this.#expiry?.cancel();
    this.#nextExpiryMs = dueMs;
    this.#expiry = this.#options.clock.schedule(dueMs - this.#options.clock.now(), () => this.#expire());
  }

  #expire(): void {
    const { clock, database } = this.#options;
    // The time until then has passed, also where the clock of the machine was set back meanwhile.
    const dueMs = Math.max(clock.now(), this.#nextExpiryMs);
    this.#nextExpiryMs = Number.POSITIVE_INFINITY;
    const due = this.table.expired(dueMs).flatMap((id) => this.readable(id) ?? []);
    database.write(() => {
      for (const job of due) this.#finish(job, 'expired', EXPIRED);
    });
    this.#watchExpiry(this.table.nextExpiryMs());
    database.whenCommitted((error) => {
      if (error !== undefined) this.#watchExpiry(clock.now() + EXPIRE_AGAIN_MS);
    });
  }

  #nextOrdinal(collection: 'account' | 'printer', id: number): number {
    const counts = this.#counts[collection];
    const ordinal = 1 + (counts.get(id) ?? this.table.countOf(collection, id));
    counts.set(id, ordinal);
    return ordinal;
  }

  #finish(job: PrintJobRow, state: string, message: string): void {
    this.table.setState(job.id, state, DELIVERY.finished);
    this.#record(job, serviceState(job.id, state, message, this.#options.clock.now()), null);
  }

  /** @returns false when this report was recorded before */
  #record(job: PrintJobRow, row: PrintJobStateRow, reportId: string | null): boolean {
    const isNew = this.table.appendState(row, reportId);
    if (isNew) this.#announce(job, row);
    return isNew;
  }

  #announce(job: PrintJobRow, state: PrintJobStateRow): void {
    const { database, events, observer } = this.#options;
    events.printJobState(job, state);
    if (observer) database.afterCommit(() => observer.jobState(job, state));
  }

  #countPrint(accountId: number): void {
    const { accounts, database } = this.#options;
    const account = accounts.byId(accountId);
    if (!account) return;
    account.totalPrints++;
    database.beforeCommit(account, () => {
      // It may have been deleted since.
      if (accounts.byId(accountId) === account) accounts.save(account);
    });
  }
}

/** Recorded by the service alone. */
const SERVICE_STATES: ReadonlySet<string> = new Set(['new', 'sent_to_client', 'expired']);
/** A client's last word on a job. */
const FINAL_STATES: ReadonlySet<string> = new Set(['done', 'error']);

/** The state `new` follows from the job itself and is not stored beside it. */
function registration({ id, createdMs }: PrintJobRow): PrintJobStateRow {
  return serviceState(id, 'new', 'the print job was registered', createdMs);
}

function serviceState(jobId: number, state: string, message: string, createdMs: number): PrintJobStateRow {
  return { jobId, state, message, data: null, clientVersion: null, createdMs };
}
