/**
 * Print jobs: their life from submission to their last state.
 *
 *   submit ─► new ─► sent_to_client ─► (what the client reports) ─► done | error
 *              ├───► expired          not delivered in time
 *              └───► deleted          cancelled before delivery (choice: gap/cancelled-state)
 */

import { LIMITS } from '../../spec/limits.ts';
import type { expiryMs } from '../gate/expiry.ts';
import type { JobStateReport } from '../../link/device-link.ts';
import { badRequest } from '../gate/api-error.ts';
import type { Page, PageOf } from '../gate/pagination.ts';
import type { Database } from '../store/database.ts';
import {
  DELIVERY,
  PrintJobTable,
  type Delivery,
  type JobScope,
  type PrintJobRow,
  type PrintJobStateRow,
} from '../store/print-job-table.ts';
import type { Account, Accounts } from './account.ts';
import type { PrintJobRequest } from './print-job-request.ts';
import { renderPrinter, type Printer, type Printers } from './printer.ts';
import { formatTimestamp } from './timestamp.ts';

export interface PrintJobsOptions {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly printers: Printers;
  readonly now: () => number;
  readonly expiryMs: typeof expiryMs;
  readonly cancelledState: string;
  /** Told about every job that is submitted, inside the write that registers it. */
  readonly onSubmitted?: ((job: PrintJobRow, content: string) => void) | undefined;
  /** Told about every state that is recorded, inside the write that records it. */
  readonly onState: (job: PrintJobRow, state: PrintJobStateRow) => void;
}

export class PrintJobs {
  readonly table: PrintJobTable;
  readonly #options: PrintJobsOptions;
  /** Jobs ever submitted, by account and by printer: the ordinal of the newest. */
  readonly #counts = { account: new Map<number, number>(), printer: new Map<number, number>() };

  constructor(options: PrintJobsOptions) {
    this.#options = options;
    this.table = new PrintJobTable(options.database);
  }

  /**
   * The printer that a request names.
   *
   * @throws ApiError 400 when the account has no such printer
   */
  printerFor(account: Account, request: PrintJobRequest): Printer {
    const printer = this.#options.printers.byId(request.printerId);
    if (printer && !printer.isDeleted && printer.accountId === account.id) return printer;
    throw badRequest(`printerId: there is no printer ${request.printerId}`);
  }

  /** Registers a job in the state `new`. Call inside a write of the database. */
  submit(account: Account, printer: Printer, request: PrintJobRequest): PrintJobRow {
    const createdMs = this.#options.now();
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
    this.#options.onSubmitted?.(job, request.content);
    this.#options.onState(job, registration(job));
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

  page(scope: JobScope, page: Page): PageOf<PrintJobRow> {
    return this.table.page(scope, page);
  }

  /** Cancels the jobs of a scope that are not delivered yet. @returns their ids, ascending */
  cancel(scope: JobScope): number[] {
    const jobs = this.table.queued(scope);
    for (const job of jobs) this.#finish(job, this.#options.cancelledState, 'the print job was cancelled');
    return jobs.map((job) => job.id);
  }

  /** Lets the jobs expire whose time is over. */
  expire(): void {
    for (const job of this.table.expired(this.#options.now())) {
      this.#finish(job, 'expired', 'the print job could not be delivered before its expiry time');
    }
  }

  sentToClient(job: PrintJobRow): void {
    this.table.setState(job.id, 'sent_to_client', DELIVERY.sent);
    const row = serviceState(
      job.id,
      'sent_to_client',
      'the print job was sent to the client',
      this.#options.now(),
    );
    this.#record(job, row, null);
  }

  takenByClient(job: PrintJobRow): void {
    if (job.delivery === DELIVERY.sent) this.table.setState(job.id, job.state, DELIVERY.taken);
  }

  /** Records what a client reports, once for each report id; a job of another computer is not touched. */
  reported(computerId: number, report: JobStateReport, clientVersion: string | null): void {
    const job = this.table.byId(report.jobId);
    if (!job || job.computerId !== computerId) return;
    const row: PrintJobStateRow = {
      jobId: job.id,
      state: report.state,
      message: report.message,
      data: report.data && JSON.stringify(report.data),
      clientVersion,
      createdMs: Date.parse(report.createTimestamp),
    };
    if (!this.#record(job, row, report.id)) return;
    if (FINAL_STATES.has(report.state)) this.#settle(job, report.state);
    else this.table.setState(job.id, report.state, Math.max(job.delivery, DELIVERY.sent) as Delivery);
    if (report.state === 'done') this.#countPrint(job.accountId);
  }

  #nextOrdinal(collection: 'account' | 'printer', id: number): number {
    const counts = this.#counts[collection];
    const ordinal = 1 + (counts.get(id) ?? this.table.countOf(collection, id));
    counts.set(id, ordinal);
    return ordinal;
  }

  #finish(job: PrintJobRow, state: string, message: string): void {
    this.#settle(job, state);
    this.#record(job, serviceState(job.id, state, message, this.#options.now()), null);
  }

  /** @returns false when this report was recorded before */
  #record(job: PrintJobRow, row: PrintJobStateRow, reportId: string | null): boolean {
    const isNew = this.table.appendState(row, reportId);
    if (isNew) this.#options.onState(job, row);
    return isNew;
  }

  #settle(job: PrintJobRow, state: string): void {
    this.table.setState(job.id, state, DELIVERY.finished);
    this.table.dropContent(job.id);
  }

  #countPrint(accountId: number): void {
    const account = this.#options.accounts.byId(accountId);
    if (!account) return;
    account.totalPrints++;
    this.#options.accounts.save(account);
  }
}

/** A client's last word on a job. */
const FINAL_STATES: ReadonlySet<string> = new Set(['done', 'error']);

/** The state `new` follows from the job itself and is not stored beside it. */
function registration({ id, createdMs }: PrintJobRow): PrintJobStateRow {
  return serviceState(id, 'new', 'the print job was registered', createdMs);
}

function serviceState(jobId: number, state: string, message: string, createdMs: number): PrintJobStateRow {
  return { jobId, state, message, data: null, clientVersion: null, createdMs };
}

/** The print job record (choice: gap/print-job-record), as JSON text. */
export function renderPrintJob(job: PrintJobRow, printers: Printers): string {
  const printer = printers.byId(job.printerId);
  return (
    `{"id":${job.id},"printer":${printer ? renderPrinter(printer) : 'null'},` +
    JSON.stringify({
      title: job.title,
      contentType: job.contentType,
      source: job.source,
      expireAt: formatTimestamp(job.expireMs),
      createTimestamp: formatTimestamp(job.createdMs),
      state: job.state,
    }).slice(1)
  );
}

/** The states of one job, oldest first, as JSON text. */
export function renderStates(states: readonly PrintJobStateRow[]): string {
  const bornMs = states[0]?.createdMs ?? 0;
  return JSON.stringify(
    states.map((row) => ({
      printJobId: row.jobId,
      state: row.state,
      message: row.message ?? '',
      data: row.data === null ? {} : (JSON.parse(row.data) as unknown),
      clientVersion: row.clientVersion,
      createTimestamp: formatTimestamp(row.createdMs),
      age: row.createdMs - bornMs,
    })),
  );
}
