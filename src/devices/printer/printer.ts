/**
 * Virtual printer: what a computer reports of it, what it accepts, and where its paper comes out.
 */

import { usageError } from '../../common/actionable-error.ts';
import type { Outcome } from '../../common/outcome.ts';
import type { PrinterReport } from '../../link/messages.ts';
import type { LabelStock } from '../press/print-settings.ts';
import type { ReceiptPaper } from '../receipt/receipt-paper.ts';
import { labelStockOf, receiptPaperOf } from './paper.ts';
import {
  PaperPath,
  type FaultDelay,
  type PaperPathOptions,
  type PaperToCome,
  type StateListener,
} from './paper-path.ts';
import { readPrintOptions, type ReadOptions } from './print-options.ts';
import { faultsAtStart, printerFault, type PrinterFault } from './printer-fault.ts';
import type { PrinterCapabilities, PrinterProfile } from './printer-profile.ts';
import type { Printout } from './printout.ts';

/** A printer of a room: a model, and what this one is called. */
export interface PrinterDescription {
  readonly profile: PrinterProfile;
  /** The profile's own name unless given. */
  readonly name?: string | undefined;
  readonly default?: boolean | null | undefined;
}

export class VirtualPrinter {
  readonly #number: number;
  #name: string;
  readonly default: boolean | null;
  readonly profile: PrinterProfile;
  readonly #options: PaperPathOptions;
  readonly #listener: StateListener;
  /** Made for the first job or fault: most printers of a large room are idle. */
  #paperPath: PaperPath | undefined;
  /** Made for the first one: few printers are exposed. */
  #onFaults: Set<() => void> | undefined;

  /**
   * @param number - counts the printers of its computer, from 1
   * @param listener - hears when the state has changed: its computer then reports the printer again
   */
  constructor(number: number, description: PrinterDescription, options: PaperPathOptions, listener: StateListener) {
    this.#number = number;
    this.#name = description.name ?? description.profile.name;
    this.default = description.default ?? null;
    this.profile = description.profile;
    this.#options = options;
    this.#listener = listener;
  }

  /** Stays the same when the printer is renamed; distinguishes two of one name. */
  get key(): string {
    return `printer-${this.#number}`;
  }

  get paperPath(): PaperPath {
    this.#paperPath ??= this.#makePaperPath();
    return this.#paperPath;
  }

  /** As its computer reports it: what its faults say, or else as in its profile. */
  get state(): string | null {
    const { state } = this.profile;
    if (this.#paperPath === undefined) return state;
    return this.#paperPath.state ?? (state === 'offline' ? 'online' : state);
  }

  /** What is wrong with it, oldest first, by the names of IPP printer-state-reasons. */
  get faults(): readonly PrinterFault[] {
    return this.#paperPath?.faults ?? faultsAtStart(this.profile);
  }

  get name(): string {
    return this.#name;
  }

  /** Gives it another name, which its computer then has to report. */
  rename(name: string): void {
    this.#name = name;
  }

  get description(): string {
    return this.profile.description;
  }

  get capabilities(): PrinterCapabilities | null {
    return this.profile.capabilities;
  }

  /** What it prints labels on; undefined when it is not a label printer. */
  get labelStock(): LabelStock | undefined {
    return labelStockOf(this.profile);
  }

  /** What it prints receipts on; undefined when it is not a receipt printer. */
  get receiptPaper(): ReceiptPaper | undefined {
    return receiptPaperOf(this.profile);
  }

  /** As its computer reports it to the service. */
  report(): PrinterReport {
    const { key, name, description, state, capabilities } = this;
    return { key, name, description, default: this.default, state, capabilities };
  }

  /** Holds the options of a job against what this printer can do; the error names option and value. */
  readOptions(options: Readonly<Record<string, unknown>>): Outcome<ReadOptions, string> {
    return readPrintOptions(options, this.profile);
  }

  /**
   * Raises a fault; `done` jobs stay done and their sheets wait.
   *
   * @param reason - an IPP printer-state-reason, such as `media-jam`
   * @param delay - what comes out first, sheets or paper of a roll; `onRaised` is called when the fault comes
   * @throws ActionableError when there is no fault of this name, or no roll
   */
  fail(reason: string, delay: FaultDelay = {}): void {
    if (delay.afterMm !== undefined && this.profile.kind !== 'receipt') {
      throw usageError(`'${this.name}' is no receipt printer`, 'Say with `after` how many sheets come out first.');
    }
    this.paperPath.fail(printerFault(reason), delay);
  }

  /** Clears a fault, or all of them; sheets go on. @throws ActionableError as `fail` does */
  clear(reason?: string): void {
    this.paperPath.clear(reason === undefined ? undefined : printerFault(reason));
  }

  /**
   * Puts sheets into a tray, and goes on if it had run empty. A tray that never ran empty until now holds
   * just these; 0 empties such a tray.
   *
   * @throws ActionableError when the printer has no such tray, or the number is invalid
   */
  loadPaper(tray: string, sheets: number): void {
    this.#checkPaper(tray, sheets);
    this.paperPath.loadPaper(tray, sheets);
  }

  /** Makes a tray hold just these sheets. @throws ActionableError as `loadPaper` does */
  setPaper(tray: string, sheets: number): void {
    this.#checkPaper(tray, sheets);
    this.paperPath.setPaper(tray, sheets);
  }

  /** Its trays: the sheets left and those at the start, each null where they are not counted. */
  trays(): { readonly name: string; readonly sheets: number | null; readonly capacity: number | null }[] {
    const { trays } = this.profile;
    const left = this.#paperPath?.paperLeft ?? new Map(Object.entries(trays));
    const names = new Set([...this.#namedTrays(), ...left.keys()]);
    return [...names].map((name) => ({
      name,
      sheets: left.get(name) ?? null,
      capacity: (Object.hasOwn(trays, name) ? trays[name] : null) ?? null,
    }));
  }

  /** The id of the job whose sheets came out last. */
  get lastJobId(): number | undefined {
    return (this.#paperPath?.unfinished() ?? this.#paperPath?.tray.newest)?.jobId ?? undefined;
  }

  /** Submissions that wait for paper, or for a fault to be cleared. */
  get waiting(): number {
    return this.#paperPath?.waiting ?? 0;
  }

  #checkPaper(tray: string, sheets: number): void {
    const names = this.#namedTrays();
    if (names.size > 0 && !names.has(tray)) {
      const known = [...names].map((name) => `'${name}'`).join(', ');
      throw usageError(`printer '${this.name}' has no tray '${tray}'`, `It has ${known}.`);
    }
    if (!Number.isSafeInteger(sheets) || sheets < 0) {
      throw usageError(`${sheets} is not a number of sheets`, 'Give 0 or more.');
    }
  }

  /** Drivers of receipt printers have ways to cut among the bins; what they print on is one roll. */
  #namedTrays(): ReadonlySet<string> {
    const { kind, trays } = this.profile;
    return new Set([...(kind === 'receipt' ? [] : (this.capabilities?.bins ?? [])), ...Object.keys(trays)]);
  }

  /** Ends printing for good: the room is taken down. */
  close(): void {
    this.paperPath.close();
  }

  /** What came out, oldest first, with that which is only half out; of one job where its id is given. */
  printouts(jobId?: number): Printout[] {
    if (!this.#paperPath) return [];
    const finished = this.#paperPath.tray.printouts(jobId);
    const unfinished = this.#paperPath.unfinished();
    const wanted = unfinished && (jobId === undefined || unfinished.jobId === jobId);
    return wanted ? [...finished, unfinished] : finished;
  }

  /** What has still to come out. */
  get toCome(): readonly PaperToCome[] {
    return this.#paperPath?.toCome ?? [];
  }

  /** Calls `listener` for each printout from now on, when its last sheet is out. Returns the way to stop it. */
  onPrintout(listener: (printout: Printout) => void): () => void {
    return this.paperPath.tray.onPrintout(listener);
  }

  /** Calls `listener` when its faults have changed. Returns the way to stop it. */
  onFaults(listener: () => void): () => void {
    const listeners = (this.#onFaults ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  #makePaperPath(): PaperPath {
    const path = new PaperPath(this.#options, this.profile, {
      refresh: () => this.#listener.refresh(),
      faultsChanged: () => {
        for (const listener of this.#onFaults ?? []) listener();
      },
    });
    const { observer } = this.#options;
    if (observer?.printed) path.tray.onPrintout((printout) => observer.printed?.(printout, this));
    return path;
  }
}
