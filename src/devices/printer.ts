/**
 * Virtual printer: what a computer reports of it, what it accepts, and where its paper comes out.
 */

import type { Clock } from '../common/clock.ts';
import type { Outcome } from '../common/outcome.ts';
import type { PrinterReport } from '../link/messages.ts';
import { OutputTray } from './output-tray.ts';
import { PaperPath } from './paper-path.ts';
import type { Press } from './press.ts';
import { readPrintOptions, type ReadOptions } from './print-options.ts';
import type { PrinterCapabilities, PrinterProfile } from './printer-profile.ts';
import type { Printout } from './printout.ts';

/** A printer of a room: a model, and what this one is called. */
export interface PrinterDescription {
  readonly profile: PrinterProfile;
  /** The profile's own name unless given. */
  readonly name?: string;
  readonly default?: boolean | null;
}

export interface PrinterParts {
  readonly clock: Clock;
  readonly press: Press;
  /** How many printouts its output tray holds. */
  readonly trayCapacity: number;
}

export class VirtualPrinter {
  /** Stays the same when the printer is renamed; tells two of one name apart. */
  readonly key: string;
  readonly name: string;
  readonly default: boolean | null;
  readonly state: string | null;
  readonly tray: OutputTray;
  readonly paperPath: PaperPath;
  readonly #profile: PrinterProfile;

  constructor(key: string, description: PrinterDescription, { clock, press, trayCapacity }: PrinterParts) {
    this.key = key;
    this.name = description.name ?? description.profile.name;
    this.default = description.default ?? null;
    this.state = description.profile.state;
    this.#profile = description.profile;
    this.tray = new OutputTray(trayCapacity);
    this.paperPath = new PaperPath(clock, press, this.tray);
  }

  get description(): string {
    return this.#profile.description;
  }

  get capabilities(): PrinterCapabilities | null {
    return this.#profile.capabilities;
  }

  /** As its computer reports it to the service. */
  report(): PrinterReport {
    const { key, name, description, state, capabilities } = this;
    return { key, name, description, default: this.default, state, capabilities };
  }

  /** Holds the options of a job against what this printer can do; the error names option and value. */
  readOptions(options: Readonly<Record<string, unknown>>): Outcome<ReadOptions, string> {
    return readPrintOptions(options, this.#profile);
  }

  /** What came out, oldest first; of one job where its id is given. */
  printouts(jobId?: number): Printout[] {
    return this.tray.printouts(jobId);
  }

  /** Calls `listener` for each printout from now on. Returns the way to stop it. */
  onPrintout(listener: (printout: Printout) => void): () => void {
    return this.tray.onPrintout(listener);
  }
}
