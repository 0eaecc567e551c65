/**
 * Job: a print job as the bench knows it: what the service says of it, and what came out of the printers.
 */

import type { Printout } from '../devices/printout.ts';
import type { PrintJob, PrintJobState } from './service-client.ts';

/** Plain data, the shape that the control API answers with. */
export interface Job {
  readonly id: number;
  readonly title: string | null;
  readonly source: string | null;
  readonly contentType: string;
  readonly state: string;
  readonly createTimestamp: string;
  readonly expireAt: string | null;
  readonly printer: { readonly id: number; readonly name: string };
  readonly computer: { readonly id: number; readonly name: string; readonly state: string };
  /** What came out, a printout for each of the job's `qty` submissions that has been printed so far. */
  readonly printouts: readonly PrintoutSummary[];
  /** Sides with print on them, over all printouts: the pictures there are. */
  readonly sides: number;
}

export interface PrintoutSummary {
  readonly submission: number;
  readonly kind: 'sheets' | 'raw';
  /** Sheets of paper; 0 for bytes in the printer's own language. */
  readonly sheets: number;
  readonly sides: number;
  /** Bytes of a raw printout; 0 for sheets. */
  readonly bytes: number;
  readonly options: Printout['options'];
  readonly documentSha256: string;
}

export interface JobWithTimeline extends Job {
  /** The states it went through, oldest first. */
  readonly timeline: readonly PrintJobState[];
}

export function jobOf(record: PrintJob, printouts: readonly Printout[]): Job {
  const { id, title, source, contentType, state, createTimestamp, expireAt } = record;
  const { computer } = record.printer;
  const summaries = printouts.map(summarise);
  return {
    id,
    title,
    source,
    contentType,
    state,
    createTimestamp,
    expireAt,
    printer: { id: record.printer.id, name: record.printer.name },
    computer: { id: computer.id, name: computer.name, state: computer.state },
    printouts: summaries,
    sides: summaries.reduce((sum, printout) => sum + printout.sides, 0),
  };
}

function summarise(printout: Printout): PrintoutSummary {
  const { submission, kind, options, documentSha256 } = printout;
  const sheets = kind === 'sheets' ? printout.sheets : [];
  return {
    submission,
    kind,
    sheets: sheets.length,
    sides: sheets.reduce((sum, sheet) => sum + sheet.sides.length, 0),
    bytes: kind === 'raw' ? printout.length : 0,
    options,
    documentSha256,
  };
}
