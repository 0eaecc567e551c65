/**
 * Job views: a print job as people and programs see it: what the service says of it, and what came out
 * of the printers.
 *
 *   service (row, states) ─┐
 *   room (printouts) ──────┼─► JobSummary, JobDetail
 *   logs (deliveries …) ───┘
 */

import { countOf } from '../../common/count-of.ts';
import { sumOf } from '../../common/sums.ts';
import type { PaperToCome } from '../../devices/printer/paper-path.ts';
import type { PrinterEvent } from '../../devices/receipt/receipt-paper.ts';
import type { Sheet } from '../../devices/press/sheet-plan.ts';
import { countInWords, type Printout } from '../../devices/printer/printout.ts';
import type {
  DeliveryEntry,
  DocumentView,
  JobDetail,
  JobSummary,
  PrintoutView,
  SheetView,
  TimelineEntry,
} from '../../record/control-types.ts';
import type { ServiceAdmin } from '../../service/service-admin.ts';
import { optionsOf, type PrintJobRow } from '../../service/store/print-job-row.ts';
import type { ConnectionLog } from '../logs/connection-log.ts';
import type { DeliveryLog } from '../logs/delivery-log.ts';
import { isAddress, type KeptDocuments } from '../logs/kept-documents.ts';
import { printCommand, testSnippet } from './job-recipes.ts';
import { sidesOf } from './printed-document.ts';
import type { Redaction } from '../logs/redaction.ts';

/** What a printer has still to print. */
export interface PaperAtPrinter extends PaperToCome {
  readonly printerName: string;
}

export interface JobViewOptions {
  readonly service: ServiceAdmin;
  readonly documents: KeptDocuments;
  readonly deliveries: DeliveryLog;
  readonly connections: ConnectionLog;
  readonly redaction: Redaction;
  readonly url: () => string;
  readonly now: () => number;
}

export class JobViews {
  readonly #options: JobViewOptions;

  constructor(options: JobViewOptions) {
    this.#options = options;
  }

  /** @param toCome - what its printers have still to print of it */
  summary(row: PrintJobRow, printouts: readonly Printout[], toCome: readonly PaperAtPrinter[]): JobSummary {
    const sheets = sumOf(printouts, (printout) => sheetsOf(printout).length);
    const printer = this.#options.service.printer(row.printerId);
    const { id, title, state, createdMs, contentType, source, qty, accountId } = row;
    return {
      id,
      title,
      printer: { id: row.printerId, name: printer?.report.name ?? '' },
      computer: { id: row.computerId, name: printer?.computer.name ?? '' },
      state,
      createdMs,
      ageMs: this.#options.now() - createdMs,
      contentType,
      source,
      qty,
      sheets,
      sheetsDue: sheets + sumOf(toCome, (paper) => paper.sheets),
      held: heldBy(toCome),
      problem: state === 'error' ? (this.#options.service.states(row).at(-1)?.message ?? null) : null,
      sides: sumOf(printouts, sidesOf),
      raw: contentType.startsWith('raw_'),
      accountId,
    };
  }

  detail(row: PrintJobRow, printouts: readonly Printout[], toCome: readonly PaperAtPrinter[]): JobDetail {
    const summary = this.summary(row, printouts, toCome);
    const asked = optionsOf(row);
    const deliveries = this.#options.deliveries.ofJob(row.id);
    return {
      ...summary,
      expireAtMs: row.expireMs,
      options: printouts[0]?.options ?? { asked, applied: {}, ignored: {} },
      timeline: this.#timeline(row, printouts, deliveries),
      printouts: printouts.map(printoutView),
      document: this.#document(row),
      curl: printCommand(row, this.#options.url(), this.#options.documents.content(row.id), this.#options.redaction),
      snippet: testSnippet(summary),
      deliveries,
    };
  }

  #document(row: PrintJobRow): DocumentView {
    const { contentType } = row;
    const content = this.#options.documents.content(row.id);
    if (content === undefined) return { available: false, bytes: 0, contentType };
    if (!isAddress(row)) {
      return { available: true, bytes: Buffer.byteLength(content, 'base64'), contentType };
    }
    return { available: false, bytes: 0, contentType, url: this.#options.redaction.foreignUrl(content) };
  }

  #timeline(row: PrintJobRow, printouts: readonly Printout[], deliveries: readonly DeliveryEntry[]): TimelineEntry[] {
    const states = this.#options.service.states(row);
    const endMs = states.at(-1)?.createdMs ?? row.createdMs;
    const entry = (
      atMs: number,
      what: TimelineEntry['what'],
      message: string | null,
      more: Pick<TimelineEntry, 'state' | 'client'> = {},
    ): TimelineEntry => ({ atMs, ageMs: atMs - row.createdMs, what, message, ...more });
    const entries = [
      ...states.map(({ createdMs, state, message, clientVersion }) =>
        entry(createdMs, 'state', message, {
          state,
          ...(clientVersion !== null && { client: clientVersion }),
        }),
      ),
      ...this.#options.connections
        .of(row.computerId, row.createdMs, endMs)
        .map(({ atMs, name, isConnected }) =>
          entry(atMs, 'link', `${name} ${isConnected ? 'connected' : 'was disconnected'}`),
        ),
      ...printouts.map((printout) => entry(printout.printedAtMs, 'paper', paperMessage(printout, row.qty))),
      ...deliveries.map((delivery) => entry(delivery.endedMs, 'webhook', webhookMessage(delivery))),
    ];
    // Stable: what happened at one time stays in the order of its causes.
    return entries.toSorted((a, b) => a.atMs - b.atMs);
  }
}

/** Why paper does not come: `Laser has media-jam`; null when nothing holds it. */
export function heldBy(toCome: readonly PaperAtPrinter[]): string | null {
  const held = toCome.filter(({ heldBy: faults }) => faults.length > 0);
  const reasons = new Set(held.map(({ printerName, heldBy: faults }) => `${printerName} has ${faults.join(', ')}`));
  return reasons.size === 0 ? null : [...reasons].join('; ');
}

function paperMessage(printout: Printout, qty: number): string {
  const which = qty > 1 ? ` of submission ${printout.submission}` : '';
  const lost = printout.sheetsLost > 0 ? `; ${printout.sheetsLost} spoiled by a jam` : '';
  if (printout.kind === 'raw') {
    const events = (printout.content.receipt?.events ?? []).map(eventInWords);
    return [`${printout.length} bytes${which} printed by ${printout.printerName}`, ...events].join('; ');
  }
  const more = printout.complete ? '' : ', more to come';
  return `${countOf(printout.sheets.length, 'sheet')}${which} out of ${printout.printerName}${more}${lost}`;
}

function eventInWords({ what, number }: PrinterEvent): string {
  return what === 'drawer' ? `drawer ${number} opened` : 'buzzer sounded';
}

function webhookMessage({ webhookId, status, error, outcome, attempt }: DeliveryEntry): string {
  return `webhook ${webhookId}, attempt ${attempt}: ${status ?? error ?? 'no answer'}, ${outcome}`;
}

function printoutView(printout: Printout): PrintoutView {
  const sheets = sheetsOf(printout);
  const { asked, applied, ignored } = printout.options;
  return {
    submission: printout.submission,
    kind: printout.kind,
    sides: sidesOf(printout),
    sheets: sheets.length,
    sheetsDue: printout.kind === 'sheets' ? printout.sheetsDue : 0,
    paper: sheets[0]?.paper.name ?? null,
    sheetList: sheets.map(sheetView),
    options: { asked, applied, ignored },
    documentSha256: printout.documentSha256,
    complete: printout.complete,
    sheetsLost: printout.sheetsLost,
    ...(printout.kind === 'raw' && { raw: rawView(printout) }),
  };
}

export function rawView({
  length,
  content,
  drawn,
}: Extract<Printout, { kind: 'raw' }>): NonNullable<PrintoutView['raw']> {
  const { language, counted, count, note } = content;
  const parts = [counted === null ? null : countInWords(count ?? 0, counted), note];
  return {
    bytes: length,
    language,
    summary: parts.filter((part) => part !== null).join('; '),
    events: content.receipt?.events ?? [],
    notDrawn: drawn?.notDrawn ?? null,
  };
}

function sheetView({ number, copy, sides, paper, tray, color }: Sheet): SheetView {
  return {
    number,
    copy,
    sides: sides.map(({ face, sourcePages }) => ({ face, pages: sourcePages })),
    paper: paper.name,
    tray,
    color,
  };
}

function sheetsOf(printout: Printout): readonly Sheet[] {
  return printout.kind === 'sheets' ? printout.sheets : [];
}
