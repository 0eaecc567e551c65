/**
 * Service observer: hears what happens in a service, for the program that runs it and shows it to people.
 *
 * It hears of things once they are committed, secrets included: what it shows of them is up to it. It must
 * neither throw nor take long.
 */

import type { TargetKey } from './store/event-table.ts';
import type { PrintJobRow, PrintJobStateRow } from './store/print-job-row.ts';

/** A request that was answered, as it was on the wire. */
export interface AnsweredRequest {
  /** Milliseconds since the epoch, on the service's clock. */
  readonly timeMs: number;
  readonly requestId: string;
  /** Empty, like the target, for bytes that were not an HTTP request. */
  readonly method: string;
  readonly status: number;
  /** Undefined when the request was not authenticated. */
  readonly accountId: number | undefined;
  /** Handling time in real milliseconds. */
  readonly durationMs: number;
  /** The request target, with the query. */
  readonly target: string;
  /** Names and values in turn, as they came. */
  readonly requestHeaders: readonly string[];
  /** Undefined where there was none, or it was not read. */
  readonly requestBody: Uint8Array | undefined;
  /** Names and values in turn. */
  readonly responseHeaders: readonly string[];
  /** Cut to the beginning if it is a long list. */
  readonly responseBody: string;
  readonly responseBytes: number;
}

/** What came back from a caller's server. */
export interface WebhookAnswer {
  /** Null when no answer came, and `error` says why. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly error: string | null;
}

/** A request that was made to a webhook. */
export interface WebhookDelivery {
  readonly target: TargetKey;
  readonly body: string;
  /** How often the most tried of its events has been sent, this time included. */
  readonly attempt: number;
  readonly outcome: 'success' | 'failure';
  readonly answer: WebhookAnswer;
  readonly dueMs: number;
  readonly startedMs: number;
  readonly endedMs: number;
  /** When what failed is due again; undefined when nothing is left to try. */
  readonly againMs: number | undefined;
}

/** A computer as the service knows it. */
export interface KnownComputer {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly isConnected: boolean;
}

export interface ServiceObserver {
  /** A request was answered; those with `X-Dont-Log` are left out. */
  answered(request: AnsweredRequest): void;
  /** A print job was submitted. @param content - base64 text or an address, as it came */
  submitted(job: PrintJobRow, content: string): void;
  jobState(job: PrintJobRow, state: PrintJobStateRow): void;
  connection(computer: KnownComputer, atMs: number): void;
  /** A request to a webhook has ended. */
  delivered(delivery: WebhookDelivery): void;
}
