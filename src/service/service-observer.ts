/**
 * Service observer: told what happens in a service, by whoever runs it and shows it to people.
 *
 * It is told after the fact, when what it is told is committed, and hears secrets: what it shows of them
 * is its own affair. It must neither throw nor take long.
 */

import type { Delivery } from './delivery/webhook-dispatcher.ts';
import type { JournalEntry } from './request-journal.ts';
import type { PrintJobRow, PrintJobStateRow } from './store/print-job-table.ts';

/** A request that was answered, as it was on the wire. */
export interface AnsweredRequest extends JournalEntry {
  /** The request target, with the query. */
  readonly target: string;
  /** Names and values in turn, as they came. */
  readonly requestHeaders: readonly string[];
  /** Undefined where there was none, or it was not read. */
  readonly requestBody: Uint8Array | undefined;
  /** Names and values in turn. */
  readonly responseHeaders: readonly string[];
  readonly responseBody: string;
}

/** A computer as the service knows it. */
export interface KnownComputer {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly isConnected: boolean;
}

export interface ServiceObserver {
  /** A request was answered; those with `X-Dont-Log` are not told of. */
  answered(request: AnsweredRequest): void;
  /** A print job was submitted. @param content - base64 text or an address, as it came */
  submitted(job: PrintJobRow, content: string): void;
  /** A state of a job was recorded. */
  jobState(job: PrintJobRow, state: PrintJobStateRow): void;
  /** A connection of a computer has begun or ended. */
  connection(computer: KnownComputer, atMs: number): void;
  /** A request to a webhook has ended. */
  delivered(delivery: Delivery): void;
}
