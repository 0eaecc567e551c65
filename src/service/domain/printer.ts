/**
 * Printers, as their computers report them.
 *
 * A report is the whole list of a computer: a printer that is no longer in it is deleted. Its id is
 * never used again; jobs go on showing it, with the state `deleted`.
 *
 * Printers of one model share their capabilities: they are most of what a printer takes in memory.
 */

import { z } from 'zod';

import { RecentMap } from '../../common/recent-map.ts';
import { printerReport, type PrinterReport } from '../../link/messages.ts';
import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';
import { STORED_TIME } from '../store/stored-time.ts';
import { renderComputer, STORED_COMPUTER, type Computer, type Computers, type Revision } from './computer.ts';
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
}

/** JSON text kept until the printer or its computer changes. */
interface RenderedPrinter {
  readonly json: string;
  readonly computerRevision: number;
}

type StoredPrinter = Omit<Printer, 'accountId' | 'capabilitiesJson'>;

/** What a stored printer has to have. */
export const STORED_PRINTER: z.ZodType<StoredPrinter> = z.object({
  id: z.int(),
  computer: STORED_COMPUTER,
  report: printerReport,
  createdMs: STORED_TIME,
  isDeleted: z.boolean(),
});

type Kept = Pick<Printer, 'report' | 'capabilitiesJson'>;

/** Capabilities to be shared: the latest of them, each no longer than this. */
const SHARED_MAX = 1_000;
const SHARED_MAX_CHARACTERS = 10_000;
/** Printers as text: those of a few accounts that are looked at, not of every computer there is. */
const RENDERED_MAX = 4_000;

export class Printers {
  readonly #records: Records<StoredPrinter>;
  readonly #revision: Revision;
  readonly #byId = new Map<number, Printer>();
  /** Those that are present, by ascending id. */
  readonly #ofComputer = new Map<number, readonly Printer[]>();
  /** Reports whose capabilities are shared, by the JSON text of these. */
  readonly #shared = new RecentMap<string, Kept>(SHARED_MAX);
  readonly #rendered = new RecentMap<Printer, RenderedPrinter>(RENDERED_MAX);

  /** @param revision - moved on with every change of any printer */
  constructor(database: Database, revision: Revision, computers: Computers) {
    this.#revision = revision;
    this.#records = new Records(database, 'printer');
    for (const stored of this.#records.load(STORED_PRINTER)) {
      const computer = computers.byId(stored.computer.id) ?? { ...stored.computer, isConnected: false };
      const kept = this.#sharing(stored.report);
      this.#index({ ...stored, ...kept, accountId: computer.accountId, computer });
    }
  }

  /** Also finds a deleted printer, which jobs go on showing. */
  byId(id: number): Printer | undefined {
    return this.#byId.get(id);
  }

  /** The present printers of a computer, by ascending id. */
  ofComputer(computerId: number): readonly Printer[] {
    return this.#ofComputer.get(computerId) ?? [];
  }

  /** Takes what a computer reports: the whole list of its printers. */
  replace(computer: Computer, reports: readonly PrinterReport[], nowMs: number): void {
    const gone = new Map(this.ofComputer(computer.id).map((printer) => [printer.report.key, printer]));
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

  /** The Printer object as callers see it, with its whole Computer inside, as JSON text. */
  render(printer: Printer): string {
    const computerRevision = printer.computer.revision;
    const rendered = this.#rendered.get(printer);
    if (rendered?.computerRevision === computerRevision) return rendered.json;
    const json = renderPrinter(printer);
    this.#rendered.set(printer, { json, computerRevision });
    return json;
  }

  #take(computer: Computer, known: Printer | undefined, report: PrinterReport, nowMs: number): void {
    const kept = this.#sharing(report);
    if (known) {
      Object.assign(known, kept);
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
    const left = this.ofComputer(printer.computer.id).filter((one) => one !== printer);
    if (left.length > 0) this.#ofComputer.set(printer.computer.id, left);
    else this.#ofComputer.delete(printer.computer.id);
    this.#save(printer);
  }

  #save(printer: Printer): void {
    const { id, computer, report, createdMs, isDeleted } = printer;
    this.#rendered.delete(printer);
    this.#revision.value++;
    this.#records.save({ id, computer, report, createdMs, isDeleted });
  }

  #index(printer: Printer): void {
    this.#byId.set(printer.id, printer);
    if (printer.isDeleted) return;
    this.#ofComputer.set(printer.computer.id, this.ofComputer(printer.computer.id).concat(printer));
  }
}

function renderPrinter(printer: Printer): string {
  const { computer } = printer;
  const { name, description, state } = printer.report;
  const rest = JSON.stringify({
    default: printer.report.default,
    createTimestamp: formatTimestamp(printer.createdMs),
    state: printer.isDeleted ? 'deleted' : (state ?? 'unknown'),
  });
  // Joined by `+`, the long text of the capabilities stays where it is.
  return (
    `{"id":${printer.id},"computer":${renderComputer(computer)},"name":${JSON.stringify(name)},` +
    `"description":${JSON.stringify(description)},"capabilities":` +
    printer.capabilitiesJson +
    `,${rest.slice(1)}`
  );
}
