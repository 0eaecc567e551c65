/**
 * Outbox: the reports of a computer that its service has not acknowledged, in the order they were made.
 *
 *   add ─► waiting ──send──► in flight ──ack──► gone (its promise resolves)
 *             ▲                  │
 *             └── connection ────┘ lost: sent again on the next one, same order, same id
 *
 * Of whole lists (printers, scales) only the newest counts: an older one is superseded and its promise
 * follows the newer. A reading that grew old before it could be sent is dropped; a job state never is.
 */

import type { Hold } from '../common/clock.ts';
import type { ComputerMessage } from './messages.ts';

/** Every message of a computer that is acknowledged. */
export type ReportMessage = Extract<ComputerMessage, { type: 'printers' | 'scales' | 'job-state' | 'reading' }>;

export interface Report {
  readonly type: ReportMessage['type'];
  readonly id: string;
  /** The frame. */
  readonly text: string;
  readonly madeMs: number;
  waiters: PromiseWithResolvers<void>[];
  /** Present while the report is in flight: virtual time waits for its acknowledgement. */
  hold: Hold | undefined;
  superseded: boolean;
}

export class Outbox {
  #reports: Report[] = [];

  get isEmpty(): boolean {
    return this.#reports.length === 0;
  }

  /** Adds a report, or finds the one of this id that is already there. `settled` follows its fate. */
  add(message: ReportMessage, text: string, nowMs: number): { report: Report; settled: Promise<void> } {
    const report = this.#find(message) ?? this.#append(message, text, nowMs);
    const waiter = Promise.withResolvers<void>();
    report.waiters.push(waiter);
    // A caller that does not await it must not bring the process down.
    waiter.promise.catch(() => undefined);
    return { report, settled: waiter.promise };
  }

  /** What has to be sent on a connection that is new, in order. */
  get waiting(): readonly Report[] {
    return this.#reports.filter((report) => !report.hold);
  }

  /** False when no report of this id is in flight: the peer acknowledged what it was not sent. */
  acknowledge(id: string): boolean {
    const index = this.#reports.findIndex((report) => report.id === id && report.hold !== undefined);
    const [report] = index < 0 ? [] : this.#reports.splice(index, 1);
    if (!report) return false;
    report.hold?.release();
    for (const waiter of report.waiters) waiter.resolve();
    return true;
  }

  /** Nothing is in flight any more: all of it waits for the next connection. */
  connectionLost(): void {
    for (const report of this.#reports) {
      report.hold?.release();
      report.hold = undefined;
    }
    this.#reports = this.#reports.filter((report) => !report.superseded);
  }

  /** Drops waiting readings made before this time. They are of no more use, so their promises resolve. */
  dropReadingsBefore(timeMs: number): void {
    const stale = (report: Report): boolean => report.type === 'reading' && !report.hold && report.madeMs < timeMs;
    for (const report of this.#reports.filter(stale)) for (const waiter of report.waiters) waiter.resolve();
    this.#reports = this.#reports.filter((report) => !stale(report));
  }

  /** Empties the outbox; all promises reject. */
  giveUp(reason: Error): void {
    const reports = this.#reports;
    this.#reports = [];
    for (const report of reports) {
      report.hold?.release();
      for (const waiter of report.waiters) waiter.reject(reason);
    }
  }

  #find({ type, id }: ReportMessage): Report | undefined {
    return this.#reports.find((report) => report.type === type && report.id === id);
  }

  #append(message: ReportMessage, text: string, nowMs: number): Report {
    const { type, id } = message;
    const report: Report = {
      type,
      id,
      text,
      madeMs: nowMs,
      waiters: [],
      hold: undefined,
      superseded: false,
    };
    if (type === 'printers' || type === 'scales') this.#supersede(report);
    this.#reports.push(report);
    return report;
  }

  /** An older list in flight stays until its acknowledgement comes; one that waits is simply replaced. */
  #supersede(newer: Report): void {
    for (const older of this.#reports) {
      if (older.type !== newer.type) continue;
      older.superseded = true;
      newer.waiters.push(...older.waiters);
      older.waiters = [];
    }
    this.#reports = this.#reports.filter((report) => !report.superseded || report.hold);
  }
}
