/**
 * Outbox: the reports of a computer that its service has not acknowledged, in the order they were made.
 *
 *   add ─► waiting ──send──► in flight ──ack──► gone (its promise resolves)
 *             ▲                  │
 *             └── connection ────┘ lost: sent again on the next one, same order, same id
 *
 * Only the newest of several whole lists (printers, scales) counts: it supersedes an older one, whose promise
 * follows the newer. A reading that grew old before it could be sent is dropped; a job state never is.
 */

import type { Hold } from '../common/clock.ts';
import type { ComputerMessage } from './messages.ts';

/** Every message of a computer that is acknowledged. */
export type ReportMessage = Extract<ComputerMessage, { type: 'printers' | 'scales' | 'job-state' | 'reading' }>;

export interface Report {
  readonly type: ReportMessage['type'];
  readonly id: string;
  readonly text: string;
  readonly madeMs: number;
  waiters: PromiseWithResolvers<void>[];
  /** Present while the report is in flight: virtual time waits for its acknowledgement. */
  hold: Hold | undefined;
  superseded: boolean;
}

export class Outbox {
  /** By id, in the order they were made. */
  readonly #reports = new Map<string, Report>();

  get isEmpty(): boolean {
    return this.#reports.size === 0;
  }

  /** Adds a report, or finds the one of this id that is already there. `settled` follows its fate. */
  add(message: ReportMessage, text: string, nowMs: number): { report: Report; settled: Promise<void> } {
    const report = this.#reports.get(message.id) ?? this.#append(message, text, nowMs);
    const waiter = Promise.withResolvers<void>();
    report.waiters.push(waiter);
    // A caller that does not await it must not bring the process down.
    waiter.promise.catch(() => undefined);
    return { report, settled: waiter.promise };
  }

  /** What has to be sent on a connection that is new, in order. */
  get waiting(): readonly Report[] {
    return [...this.#reports.values()].filter(({ hold }) => !hold);
  }

  /** False when no report of this id is in flight: the peer acknowledged what it was not sent. */
  acknowledge(id: string): boolean {
    const report = this.#reports.get(id);
    if (!report?.hold) return false;
    this.#reports.delete(id);
    report.hold.release();
    for (const waiter of report.waiters) waiter.resolve();
    return true;
  }

  /** Nothing is in flight any more: all of it waits for the next connection. */
  connectionLost(): void {
    for (const report of this.#reports.values()) {
      report.hold?.release();
      report.hold = undefined;
      if (report.superseded) this.#reports.delete(report.id);
    }
  }

  /** Drops waiting readings made before this time. They are of no more use, so their promises resolve. */
  dropReadingsBefore(timeMs: number): void {
    for (const { id, type, hold, madeMs, waiters } of this.#reports.values()) {
      if (type !== 'reading' || hold || madeMs >= timeMs) continue;
      this.#reports.delete(id);
      for (const waiter of waiters) waiter.resolve();
    }
  }

  /** Empties the outbox; all promises reject. */
  giveUp(reason: Error): void {
    const reports = [...this.#reports.values()];
    this.#reports.clear();
    for (const report of reports) {
      report.hold?.release();
      for (const waiter of report.waiters) waiter.reject(reason);
    }
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
    this.#reports.set(id, report);
    return report;
  }

  /** An older list in flight stays until its acknowledgement comes; one that waits is simply replaced. */
  #supersede(newer: Report): void {
    for (const older of this.#reports.values()) {
      if (older.type !== newer.type) continue;
      older.superseded = true;
      newer.waiters.push(...older.waiters);
      older.waiters = [];
      if (!older.hold) this.#reports.delete(older.id);
    }
  }
}
