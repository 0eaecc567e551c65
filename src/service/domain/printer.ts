/**
 * Printers, as their computers report them.
 *
 * A report is the whole list of a computer: a printer that is no longer in it is deleted. Its id is
 * never used again; jobs go on showing it, with the state `deleted`.
 *
 * Printers of one model share their capabilities: they are most of what a printer takes in memory.
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
  /** Those of the report, as JSON text. */
  capabilitiesJson: string;
  readonly createdMs: number;
  isDeleted: boolean;
  rendered: RenderedPrinter | undefined;
}

/** JSON text kept until the printer or its computer changes. */
interface RenderedPrinter {
  readonly json: string;
  readonly computerRevision: number;
}

type StoredPrinter = Omit<Printer, 'accountId' | 'capabilitiesJson' | 'rendered'>;

type Kept = Pick<Printer, 'report' | 'capabilitiesJson'>;

/** Capabilities to be shared: the latest of them, each no longer than this. */
const SHARED_MAX = 1_000;
const SHARED_MAX_CHARACTERS = 10_000;

export class Printers {
  readonly #records: Records<StoredPrinter>;
  readonly #revision: Revision;
  readonly #byId = new Map<number, Printer>();
  readonly #ofComputer = new Map<number, Map<string, Printer>>();
  /** Reports whose capabilities are shared, by the JSON text of these. */
  readonly #shared = new RecentMap<string, Kept>(SHARED_MAX);

  /** @param revision - moved on with every change of any printer */
  constructor(database: Database, revision: Revision, computers: Computers) {
    this.#revision = revision;
    this.#records = new Records(database, 'printer');
    for (const stored of this.#records.load()) {
      const computer = computers.byId(stored.computer.id) ?? { ...stored.computer, isConnected: false };
      const kept = this.#sharing(stored.report);
      this.#index({ ...stored, ...kept, accountId: computer.accountId, computer, rendered: undefined });
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

  #take(computer: Computer, known: Printer | undefined, report: PrinterReport, nowMs: number): void {
    const kept = this.#sharing(report);
    if (known) {
      Object.assign(known, kept, { rendered: undefined });
      this.#save(known);
      return;
    }
    const printer: Printer = {
      id: this.#records.nextId(),
      accountId: computer.accountId,
      computer,
      ...kept,
      createdMs: nowMs,
      isDeleted: false,
      rendered: undefined,
    };
    this.#index(printer);
    this.#save(printer);
  }

  #sharing(report: PrinterReport): Kept {
    const json = JSON.stringify(report.capabilities);
    const known = this.#shared.get(json) ?? { report, capabilitiesJson: json };
    if (json.length <= SHARED_MAX_CHARACTERS) this.#shared.set(json, known);
    const { capabilitiesJson } = known;
    return { report: { ...report, capabilities: known.report.capabilities }, capabilitiesJson };
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
  const { name, description, state } = printer.report;
  const rest = JSON.stringify({
    default: printer.report.default,
    createTimestamp: formatTimestamp(printer.createdMs),
    state: printer.isDeleted ? 'deleted' : (state ?? 'unknown'),
  });
  // Joined by `+`, the long text of the capabilities stays where it is.
  const json =
    `{"id":${printer.id},"computer":${renderComputer(computer)},"name":${JSON.stringify(name)},` +
    `"description":${JSON.stringify(description)},"capabilities":` +
    printer.capabilitiesJson +
    `,${rest.slice(1)}`;
  printer.rendered = { json, computerRevision: computer.revision };
  return json;
}
