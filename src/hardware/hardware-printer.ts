/**
 * Hardware printer: a virtual printer as the protocols of operating systems see it.
 *
 *   IPP │ raw 9100 │ LPD │ USB ─► document ─► PDF, raster: press │ anything else: raw ─► paper path ─► sheets
 *
 * The same press, paper path and faults as for jobs that come over the link; what is missing is the
 * computer's client between them.
 */

import { sha256Of } from '../common/digest.ts';
import { DocumentError, rasterFormatOf, type RasterFormat } from '../devices/press/press-messages.ts';
import type { Press } from '../devices/press/press.ts';
import type { PrintSettings } from '../devices/press/print-settings.ts';
import { settingsFrom, type OptionsRecord } from '../devices/printer/print-options.ts';
import { isReported, stopsSheets, type ConnectionFault, type ReportedFault } from '../devices/printer/printer-fault.ts';
import { rawImpression } from '../devices/printer/print-queue.ts';
import type { PrinterProfile } from '../devices/printer/printer-profile.ts';
import type { SubmittedPrintout } from '../devices/printer/paper-path.ts';
import type { VirtualPrinter } from '../devices/printer/printer.ts';
import type { HardwareOrigin, Impression } from '../devices/printer/printout.ts';
import { Connections } from './connections.ts';
import { hasAny, SWITCHED_OFF } from './fault-groups.ts';
import { PrintBuffer } from './print-buffer.ts';

export interface HardwareJob extends HardwareOrigin {
  readonly title: string;
  readonly bytes: Uint8Array;
  /** A media type; of `application/octet-stream`, and without one, the first bytes decide. */
  readonly format?: string | undefined;
  /** The printer's own defaults unless given. */
  readonly options?: JobOptions | undefined;
}

/** What a job is printed with, and what became of what it asked for. */
export interface JobOptions {
  readonly settings: PrintSettings;
  readonly record: OptionsRecord;
}

/** A job on its way through the printer. */
export interface PrintingJob {
  /** Sides that are to come out; of raw bytes the labels or pages. */
  readonly impressions: number;
  readonly paper: SubmittedPrintout;
}

const NOTHING_ASKED: OptionsRecord = { asked: {}, applied: {}, ignored: {} };
const PDF_MAGIC = '%PDF-';
/** How far into a file the header of a PDF may stand. */
const PDF_WITHIN_BYTES = 1_024;

/** A printer takes no more than this of a job, by whatever protocol. */
export const MOST_DOCUMENT_BYTES = 128 * 1024 * 1024;

export class HardwarePrinter {
  readonly #printer: VirtualPrinter;
  readonly #press: Press;
  readonly connections = new Connections((fault) => this.has(fault));
  /** The computer that it is attached to in the room. */
  readonly computer: string;
  readonly #buffer = new PrintBuffer();
  readonly #listeners = new Set<() => void>();

  constructor(printer: VirtualPrinter, computer: string, press: Press) {
    this.#printer = printer;
    this.#press = press;
    this.computer = computer;
    printer.onFaults(() => {
      if (this.isSwitchedOff) this.#buffer.clear();
      this.#changed();
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` when it goes on, stops, or has lost what it held. Returns the way to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How much more it reads of a document, in bytes, once it has `taken` a part. */
  roomAfter(taken: number): number {
    const { kind, receipt } = this.profile;
    if (kind !== 'receipt' || !this.isStopped) return Number.POSITIVE_INFINITY;
    return Math.max(0, receipt.bufferBytes - this.#buffer.bytes - taken);
  }

  /** Loses all that it has taken and not printed. */
  clearBuffer(): void {
    this.#buffer.clear();
    this.#changed();
  }

  get name(): string {
    return this.#printer.name;
  }

  get key(): string {
    return this.#printer.key;
  }

  get profile(): PrinterProfile {
    return this.#printer.profile;
  }

  /** What it reports of itself. */
  get faults(): readonly ReportedFault[] {
    return this.#printer.faults.filter(isReported);
  }

  has(fault: ConnectionFault): boolean {
    return this.#printer.faults.includes(fault);
  }

  /** Jobs in its queue, the one that prints included. */
  get waiting(): number {
    return this.#printer.waiting;
  }

  /** Nothing answers at its address. */
  get isSwitchedOff(): boolean {
    return hasAny(this.faults, SWITCHED_OFF);
  }

  get isStopped(): boolean {
    return this.faults.some(stopsSheets);
  }

  /**
   * Prints a document; `onOut` is called when its last sheet is out. @throws DocumentError when it cannot be printed
   */
  async print(job: HardwareJob, onOut: () => void): Promise<PrintingJob> {
    // What comes by IPP has a state, and is kept.
    if (this.profile.kind !== 'receipt' || job.protocol === 'ipp') return this.#print(job, onOut);
    const held = this.#buffer.hold(job.bytes.length);
    let isLost = false;
    held.lose = () => (isLost = true);
    try {
      const printing = await this.#print(job, () => {
        held.release();
        onOut();
      });
      held.lose = () => printing.paper.cancel();
      if (isLost) printing.paper.cancel();
      return printing;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  async #print(job: HardwareJob, onOut: () => void): Promise<PrintingJob> {
    const documentSha256 = await sha256Of(job.bytes);
    const { protocol, id, user, title } = job;
    const impression = await this.#impressionOf(job, documentSha256);
    const paper = this.#printer.paperPath.submit(
      {
        jobId: null,
        origin: { protocol, id, user },
        printerKey: this.key,
        printerName: this.name,
        submission: 1,
        title,
        options: job.options?.record ?? NOTHING_ASKED,
        documentSha256,
      },
      impression,
      onOut,
    );
    return { impressions: impressionsIn(impression), paper };
  }

  async #impressionOf(job: HardwareJob, sha256: string): Promise<Impression> {
    const { bytes } = job;
    if (bytes.length === 0) throw new DocumentError('the document is empty');
    const kind = kindOf(job);
    const printer = this.#printer;
    if (kind === 'pdf' && this.has('refuses-pdf')) throw new DocumentError('the printer does not read PDF');
    if (kind === 'raw') return rawImpression(bytes, printer, this.#press);
    const settings = job.options?.settings ?? settingsFrom({}, this.profile);
    const pdf = kind === 'pdf' ? bytes : await this.#press.pdfOf(bytes, kind, { printer });
    const sheets = await this.#press.sheetsOf(pdf, settings, { printer, sha256: kind === 'pdf' ? sha256 : undefined });
    return { kind: 'sheets', ...sheets };
  }
}

function kindOf({ bytes, format }: HardwareJob): RasterFormat | 'pdf' | 'raw' {
  if (format === 'application/pdf') return 'pdf';
  if (format === 'image/pwg-raster' || format === 'image/urf' || format === 'image/jpeg') return format;
  const head = Buffer.from(bytes.subarray(0, PDF_WITHIN_BYTES)).toString('latin1');
  return head.includes(PDF_MAGIC) ? 'pdf' : (rasterFormatOf(bytes) ?? 'raw');
}

function impressionsIn(impression: Impression): number {
  if (impression.kind === 'raw') return impression.content.count ?? 1;
  return impression.sheets.reduce((sum, { sides }) => sum + sides.length, 0);
}
