/**
 * Print jobs as callers see them, as JSON text.
 */

import type { PrintJobRow, PrintJobStateRow } from '../store/print-job-table.ts';
import { renderPrinter, type Printers } from './printer.ts';
import { formatTimestamp } from './timestamp.ts';

/** The print job record (choice: gap/print-job-record), as JSON text. */
export function renderPrintJob(job: PrintJobRow, printers: Printers): string {
  const printer = printers.byId(job.printerId);
  return (
    `{"id":${job.id},"printer":${printer ? renderPrinter(printer) : 'null'},` +
    JSON.stringify({
      title: job.title,
      contentType: job.contentType,
      source: job.source,
      expireAt: formatTimestamp(job.expireMs),
      createTimestamp: formatTimestamp(job.createdMs),
      state: job.state,
    }).slice(1)
  );
}

/** The states of one job, oldest first, as JSON text. */
export function renderStates(states: readonly PrintJobStateRow[]): string {
  const bornMs = states[0]?.createdMs ?? 0;
  return JSON.stringify(
    states.map((row) => ({
      printJobId: row.jobId,
      state: row.state,
      message: row.message ?? '',
      data: row.data === null ? {} : (JSON.parse(row.data) as unknown),
      clientVersion: row.clientVersion,
      createTimestamp: formatTimestamp(row.createdMs),
      age: row.createdMs - bornMs,
    })),
  );
}
