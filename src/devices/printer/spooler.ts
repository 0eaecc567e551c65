/**
 * Spooler: takes a job from the link to the operating system's print queue.
 *
 *   received ─► downloading ─► downloaded ─► preparing_to_print ─► queued_to_print ─► done
 *               └── _uri content only ───┘            any failure ─► error, with the cause
 *
 * `done` says that the queue took the job. What then happens to paper is the paper path's affair and changes
 * no job state. A queue without space (fault `spool-area-full`) takes no job. Source: states, `done` and
 * `error`; the other states are those of the gap "states between sent_to_client and done".
 */

import { messageOf } from '../../common/error-message.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import { decodeBase64 } from '../document/base64-content.ts';
import type { STATES_ON_THE_WAY } from '../known-states.ts';
import type { DocumentFetch } from '../document/document-fetch.ts';
import type { Press } from '../press/press.ts';
import { prepare, submit, whyQueueRefuses } from './print-queue.ts';
import type { VirtualPrinter } from './printer.ts';
import type { RoomObserver } from './room-observer.ts';

/** What all computers of a room share to handle documents. */
export interface SpoolerTools {
  readonly press: Press;
  readonly documents: DocumentFetch;
  readonly observer?: RoomObserver | undefined;
}

/** States a computer reports for a job it has taken; `done` and `error` are the last ones. */
export type SpoolState = (typeof STATES_ON_THE_WAY)[number] | 'done' | 'error';

export type ReportState = (state: SpoolState, message?: string) => void;

/** Source: limits, "qty: client-side maximum 999". */
const MOST_SUBMISSIONS = 999;

/** Runs a job to its end. Never rejects: any failure ends in the state `error`. */
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
  if (job.qty > MOST_SUBMISSIONS) return failure(`qty ${job.qty} is more than the ${MOST_SUBMISSIONS} allowed`);
  const document = await obtainDocument(job, tools.documents, report);
  if (!document.ok) return document;
  tools.observer?.fetched?.(job);
  report('preparing_to_print');
  const { jobId, title, options, qty: submissions } = job;
  const isRaw = job.contentType.startsWith('raw_');
  const request = { jobId, title, document: document.value, isRaw, options, submissions };
  const prepared = await prepare(request, printer, tools.press);
  if (!prepared.ok) return prepared;
  const refusal = whyQueueRefuses(printer);
  if (refusal !== undefined) return failure(refusal);
  report('queued_to_print');
  tools.observer?.spooled?.(job);
  submit(prepared.value, printer);
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
