/**
 * Spooler: takes a job from the link to the operating system's print queue.
 *
 *   received ─► downloading ─► downloaded ─► preparing_to_print ─► queued_to_print ─► done
 *               └── _uri content only ───┘            any failure ─► error, with the cause
 *
 * The upper of two layers: `done` says that the queue took the job. What then happens to paper is the
 * paper path's affair and changes no job state. A queue without space (fault `spool-area-full`) takes none. Source: states, `done` and `error`; other states are
 * those of gaps "states between sent_to_client and done".
 */

import { hash } from 'node:crypto';

import { messageOf } from '../../common/error-message.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import { decodeBase64 } from '../document/base64-content.ts';
import type { DocumentFetch } from '../document/document-fetch.ts';
import { LabelDrawing } from '../press/label-drawing.ts';
import type { Press } from '../press/press.ts';
import { recogniseRaw } from '../raw/raw-document.ts';
import type { OptionsRecord } from './print-options.ts';
import type { VirtualPrinter } from './printer.ts';
import type { Impression } from './printout.ts';
import type { RoomObserver } from './room-observer.ts';

/** What all computers of a room share to handle documents. */
export interface SpoolerTools {
  readonly press: Press;
  readonly documents: DocumentFetch;
  readonly observer?: RoomObserver | undefined;
}

/** States a computer reports for a job it has taken; `done` and `error` are the last ones. */
export type SpoolState =
  | 'received'
  | 'downloading'
  | 'downloaded'
  | 'preparing_to_print'
  | 'queued_to_print'
  | 'done'
  | 'error';

export type ReportState = (state: SpoolState, message?: string) => void;

/** Source: limits, "qty: client-side maximum 999". */
const MOST_SUBMISSIONS = 999;

/** Runs a job to its end. Never rejects: whatever goes wrong ends in the state `error`. */
export async function spoolJob(
  job: DeliveredJob,
  printer: VirtualPrinter | undefined,
  tools: SpoolerTools,
  report: ReportState,
): Promise<void> {
  report('received');
  try {
    const printed = await print(job, printer, tools, report);
    if (!printed.ok) report('error', printed.error);
  } catch (error) {
    report('error', messageOf(error));
  }
}

async function print(
  job: DeliveredJob,
  printer: VirtualPrinter | undefined,
  tools: SpoolerTools,
  report: ReportState,
): Promise<Outcome<undefined, string>> {
  if (!printer) return failure(`printer not found: this computer has none with key '${job.printerKey}'`);
  if (job.qty > MOST_SUBMISSIONS)
    return failure(`qty ${job.qty} is more than the ${MOST_SUBMISSIONS} allowed`);
  const document = await obtainDocument(job, tools.documents, report);
  if (!document.ok) return document;
  tools.observer?.fetched?.(job);
  report('preparing_to_print');
  const ready = await prepare(job, printer, document.value, tools.press);
  if (!ready.ok) return ready;
  if (printer.faults.includes('spool-area-full')) {
    return failure('the print queue takes no more jobs (spool-area-full)');
  }
  report('queued_to_print');
  tools.observer?.spooled?.(job);
  submitAll(job, printer, ready.value);
  // At once: a program that died in between would print it again.
  report('done');
  return success(undefined);
}

async function obtainDocument(
  job: DeliveredJob,
  documents: DocumentFetch,
  report: ReportState,
): Promise<Outcome<Uint8Array, string>> {
  if (job.contentType.endsWith('_base64')) return decodeBase64(job.content);
  report('downloading');
  const document = await documents.fetch(job);
  if (document.ok) report('downloaded');
  return document;
}

interface ReadyToPrint {
  readonly documentSha256: string;
  readonly impression: Impression;
  readonly options: OptionsRecord;
}

async function prepare(
  job: DeliveredJob,
  printer: VirtualPrinter,
  document: Uint8Array,
  press: Press,
): Promise<Outcome<ReadyToPrint, string>> {
  const documentSha256 = hash('sha256', document);
  if (job.contentType.startsWith('raw_')) {
    const draw = (): LabelDrawing => new LabelDrawing(document, printer.labelStock, press);
    return prepareRaw(job, document, documentSha256, draw);
  }
  const read = printer.readOptions(job.options);
  if (!read.ok) return read;
  const { sheets, pdf } = await press.sheetsOf(document, read.value.settings, documentSha256);
  return success({
    impression: { kind: 'sheets', sheets, pdf },
    options: read.value.record,
    documentSha256,
  });
}

/** Options have no effect on RAW printing: the bytes go to the printer as they are. */
function prepareRaw(
  job: DeliveredJob,
  document: Uint8Array,
  documentSha256: string,
  draw: () => LabelDrawing,
): Outcome<ReadyToPrint, string> {
  if (document.length === 0) return failure('the document is empty');
  const reasons = Object.keys(job.options).map((option) => [option, 'no effect on RAW printing']);
  const content = recogniseRaw(document);
  const drawing = content.language === 'zpl' ? draw() : null;
  return success({
    impression: { kind: 'raw', bytes: document, content, drawing },
    options: { asked: job.options, applied: {}, ignored: Object.fromEntries(reasons) },
    documentSha256,
  });
}

function submitAll(
  job: DeliveredJob,
  printer: VirtualPrinter,
  { impression, options, documentSha256 }: ReadyToPrint,
): void {
  for (let submission = 1; submission <= job.qty; submission++) {
    printer.paperPath.submit(
      {
        jobId: job.jobId,
        printerKey: printer.key,
        printerName: printer.name,
        submission,
        title: job.title,
        options,
        documentSha256,
      },
      impression,
    );
  }
}
