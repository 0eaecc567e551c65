/**
 * Print queue: takes a document into a printer, from wherever it came.
 *
 *   bytes, title, options ─► prepare: options held against the printer, sheets composed ─► submit ─► paper path
 *                              └─ refused: a message for people
 *
 * A job over the link comes here through the spooler. What an operating system sends comes through
 * src/hardware, which reads its options in its own way.
 */

import { sha256Of } from '../../common/digest.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import { LabelDrawing } from '../press/label-drawing.ts';
import type { Press } from '../press/press.ts';
import { ReceiptDrawing } from '../press/receipt-drawing.ts';
import type { OptionsRecord } from './print-options.ts';
import type { VirtualPrinter } from './printer.ts';
import type { Impression } from './printout.ts';

export interface PrintRequest {
  /** Stands on its printouts. */
  readonly jobId: number;
  readonly title: string;
  /** A PDF; or bytes in the printer's own language where `isRaw`. */
  readonly document: Uint8Array;
  readonly isRaw: boolean;
  /** By the names of the print options of the specification. */
  readonly options: Readonly<Record<string, unknown>>;
  /** How many printouts it leaves; copies within a printout are an option. */
  readonly submissions: number;
}

/** What a printer makes of a request, ready for its paper path. */
export interface PreparedPrint {
  readonly request: PrintRequest;
  readonly documentSha256: string;
  readonly impression: Impression;
  readonly options: OptionsRecord;
}

/**
 * Makes sheets of a document, or recognises what raw bytes print; nothing comes out yet.
 *
 * @returns what to submit, or why the printer cannot print it: a message for people
 * @throws DocumentError when the press cannot print the document
 */
export async function prepare(
  request: PrintRequest,
  printer: VirtualPrinter,
  press: Press,
): Promise<Outcome<PreparedPrint, string>> {
  const { document } = request;
  const documentSha256 = await sha256Of(document);
  if (request.isRaw) return prepareRaw(request, documentSha256, printer, press);
  const read = printer.readOptions(request.options);
  if (!read.ok) return read;
  const { settings, record: options } = read.value;
  const { sheets, pdf } = await press.sheetsOf(document, settings, { printer, sha256: documentSha256 });
  return success({ request, documentSha256, impression: { kind: 'sheets', sheets, pdf }, options });
}

/** Options have no effect on RAW printing: the bytes go to the printer as they are. */
async function prepareRaw(
  request: PrintRequest,
  documentSha256: string,
  printer: VirtualPrinter,
  press: Press,
): Promise<Outcome<PreparedPrint, string>> {
  const { document, options: asked } = request;
  if (document.length === 0) return failure('the document is empty');
  const reasons = Object.keys(asked).map((option) => [option, 'no effect on RAW printing']);
  const impression = await rawImpression(document, printer, press);
  const options = { asked, applied: {}, ignored: Object.fromEntries(reasons) };
  return success({ request, documentSha256, impression, options });
}

/** What bytes in a printer's own language print, as far as their text says. */
export async function rawImpression(bytes: Uint8Array, printer: VirtualPrinter, press: Press): Promise<Impression> {
  const { receiptPaper, labelStock } = printer;
  const content = await press.contentOf(bytes, receiptPaper, printer);
  const receipt = content.receipt && new ReceiptDrawing(bytes, content.receipt, receiptPaper, press);
  const label = content.language === 'zpl' ? new LabelDrawing(bytes, labelStock, press) : null;
  return { kind: 'raw', bytes, content, drawing: receipt ?? label };
}

/** Why the queue of a printer accepts no jobs; undefined when it does. */
export function whyQueueRefuses({ faults }: VirtualPrinter): string | undefined {
  return faults.includes('spool-area-full') ? 'the print queue takes no more jobs (spool-area-full)' : undefined;
}

/** Hands a prepared document to the paper path; its sheets come out when printer and paper allow. */
export function submit({ request, impression, options, documentSha256 }: PreparedPrint, printer: VirtualPrinter): void {
  const { jobId, title, submissions } = request;
  const { key: printerKey, name: printerName } = printer;
  for (let submission = 1; submission <= submissions; submission++) {
    const facts = {
      jobId,
      origin: null,
      printerKey,
      printerName,
      submission,
      title,
      options,
      documentSha256,
    };
    printer.paperPath.submit(facts, impression);
  }
}
