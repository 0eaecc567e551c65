/**
 * Printers, as their computers report them.
 *
 * A report is the whole list of a computer: a printer that is no longer in it is deleted. Its id is
 * never used again; jobs go on showing it, with the state `deleted`.
 *
 * Printers of one model share the object of their capabilities: it is most of what a printer takes in memory.
 */

import { RecentMap } from '../../common/recent-map.ts';
import type { PrinterReport } from '../../link/messages.ts';
import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';
import { renderComputer, type Computer, type Computers, type Revision } from './computer.ts';
import { formatTimestamp } from './timestamp.ts';

export interface Printer {
  readonly id: number;
  readonly accountId: number;
  readonly computer: Computer;
  report: PrinterReport;
  readonly createdMs: number;
  isDeleted: boolean;
  rendered: RenderedPrinter | undefined;
}

/** JSON text kept until the printer or its computer changes. */
interface RenderedPrinter {
  readonly json: string;
  readonly computerRevision: number;
}

type StoredPrinter = Omit<Printer, 'accountId' | 'rendered'>;

type Capabilities = PrinterReport['capabilities'];

/** Capabilities to be shared: the latest of them, each no longer than this. */
const SHARED_MAX = 1_000;
const SHARED_MAX_CHARACTERS = 10_000;

export class Printers {
  readonly #records: Records<StoredPrinter>;
  readonly #revision: Revision;
  readonly #byId = new Map<number, Printer>();
  readonly #ofComputer = new Map<number, Map<string, Printer>>();
  /** By their JSON text. */
  readonly #shared = new RecentMap<string, Capabilities>(SHARED_MAX);

  /** @param revision - moved on with every change of any printer */
  constructor(database: Database, revision: Revision, computers: Computers) {
    this.#revision = revision;
    this.#records = new Records(database, 'printer');
    for (const stored of this.#records.load()) {
      const computer = computers.byId(stored.computer.id) ?? { ...stored.computer, isConnected: false };
      const report = this.#sharing(stored.report);
      this.#index({ ...stored, report, accountId: computer.accountId, computer, rendered: undefined });
    }
  }

  /** Also finds a deleted printer, which jobs go on showing. */
  byId(id: number): Printer | undefined {
    return this.#byId.get(id);
  }

  /** The present printers of a computer, by ascending id. */
  ofComputer(computerId: number): Printer[] {
    return [...(this.#ofComputer.get(computerId)?.values() ?? [])].toSorted((a, b) => a.id - b.id);
  }

  /** Takes what a computer reports: the whole list of its printers. */
  replace(computer: Computer, reports: readonly PrinterReport[], nowMs: number): void {
    const gone = new Map(this.#ofComputer.get(computer.id));
    // Two reports of one key are one printer: the last one counts.
    const latest = new Map(reports.map((report) => [report.key, report]));
    for (const report of latest.values()) {
      this.#take(computer, gone.get(report.key), report, nowMs);
      gone.delete(report.key);
    }
    for (const printer of gone.values()) this.#delete(printer);
  }

  /** Deletes all printers of a computer, as its deletion does. */
  deleteAll(computerId: number): void {
    for (const printer of this.ofComputer(computerId)) this.#delete(printer);
  }

  #take(computer: Computer, known: Printer | undefined, reported: PrinterReport, nowMs: number): void {
    const report = this.#sharing(reported);
    if (known) {
      known.report = report;
      known.rendered = undefined;
      this.#save(known);
      return;
    }
    const printer: Printer = {
      id: this.#records.nextId(),
      accountId: computer.accountId,
      computer,
      report,
      createdMs: nowMs,
      isDeleted: false,
      rendered: undefined,
    };
    this.#index(printer);
    this.#save(printer);
  }

  #sharing(report: PrinterReport): PrinterReport {
    const text = JSON.stringify(report.capabilities);
    const capabilities = this.#shared.get(text) ?? report.capabilities;
    if (text.length <= SHARED_MAX_CHARACTERS) this.#shared.set(text, capabilities);
    return { ...report, capabilities };
  }

  #delete(printer: Printer): void {
    printer.isDeleted = true;
    printer.rendered = undefined;
    this.#ofComputer.get(printer.computer.id)?.delete(printer.report.key);
    this.#save(printer);
  }

  #save({ id, computer, report, createdMs, isDeleted }: Printer): void {
    this.#revision.value++;
    this.#records.save({ id, computer, report, createdMs, isDeleted });
  }

  #index(printer: Printer): void {
    this.#byId.set(printer.id, printer);
    if (printer.isDeleted) return;
    const printers = this.#ofComputer.get(printer.computer.id) ?? new Map<string, Printer>();
    this.#ofComputer.set(printer.computer.id, printers.set(printer.report.key, printer));
  }
}

/** The Printer object as callers see it, with its whole Computer inside, as JSON text. */
export function renderPrinter(printer: Printer): string {
  const { computer, rendered } = printer;
  if (rendered?.computerRevision === computer.revision) return rendered.json;
  const { name, description, capabilities, state } = printer.report;
  const json =
    `{"id":${printer.id},"computer":${renderComputer(computer)},` +
    JSON.stringify({
      name,
      description,
      capabilities,
      default: printer.report.default,
      createTimestamp: formatTimestamp(printer.createdMs),
      state: printer.isDeleted ? 'deleted' : (state ?? 'unknown'),
    }).slice(1);
  printer.rendered = { json, computerRevision: computer.revision };
  return json;
}
