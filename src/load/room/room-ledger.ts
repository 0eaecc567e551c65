/**
 * Room ledger: enters into the ledger what the room sees of the jobs of a run.
 *
 *   title `platen <plan> <shard> <row>` ─► row ─► delivered, fetched, spooled, printed, reported
 *                                            └─► which webhook events may come, and which must
 *
 * Paper is judged here: the document in the tray by its hash, its copies, and the options that reached the printer.
 * A job without a mark of this run belongs to another caller, and is only counted.
 */

import { isDeepStrictEqual } from 'node:util';

import type { Printout } from '../../devices/printer/printout.ts';
import type { ObservedPrinter, RoomObserver } from '../../devices/printer/room-observer.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { WebhookAccount } from '../../oracle/webhook-account.ts';
import { rowOfMark } from '../plan/job-mark.ts';

/** What must be in the tray for a document of the plan. */
export interface ExpectedPaper {
  /** In lowercase hexadecimal digits. */
  readonly sha256: string;
  /** As the job carried them, except `copies`, which are counted. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RoomLedgerOptions {
  readonly ledger: Ledger;
  /** The start of every mark of this run and shard. */
  readonly markPrefix: string;
  /** The number of a printer over the whole room; undefined for one that the plan does not know. */
  readonly printerNumber: (printer: ObservedPrinter) => number | undefined;
  readonly expected: (row: number) => ExpectedPaper;
  /** Microseconds since the run began. */
  readonly nowUs: () => number;
  readonly webhooks?: WebhookAccount | undefined;
}

const NO_PRINTER = -1;

export class RoomLedger implements RoomObserver {
  readonly #options: RoomLedgerOptions;
  /** Jobs under way in the room. */
  readonly #rows = new Map<number, number>();

  constructor(options: RoomLedgerOptions) {
    this.#options = options;
  }

  delivered({ jobId, title }: DeliveredJob, printer: ObservedPrinter | undefined): void {
    const { ledger, markPrefix, webhooks, nowUs } = this.#options;
    const row = rowOfMark(title, markPrefix);
    if (row === undefined || row >= ledger.rows) return;
    const atUs = nowUs();
    this.#rows.set(jobId, row);
    ledger.identified(row, jobId);
    ledger.delivered(row, this.#numberOf(printer), atUs);
    webhooks?.mustCome(row, 'sent_to_client', atUs);
    webhooks?.mayCome(row, 'error');
  }

  fetched({ jobId }: DeliveredJob): void {
    const row = this.#rows.get(jobId);
    if (row !== undefined) this.#options.ledger.fetched(row, this.#options.nowUs());
  }

  spooled({ jobId }: DeliveredJob): void {
    const row = this.#rows.get(jobId);
    if (row === undefined) return;
    this.#options.ledger.spooled(row, this.#options.nowUs());
    this.#options.webhooks?.mayCome(row, 'done');
  }

  printed(printout: Printout, printer: ObservedPrinter): void {
    const { ledger, markPrefix, expected, nowUs } = this.#options;
    const row = rowOfMark(printout.title, markPrefix);
    if (row === undefined || row >= ledger.rows) return;
    const { sha256, options } = expected(row);
    const { copies: _counted, ...asked } = printout.options.asked;
    const paper = {
      printer: this.#numberOf(printer),
      documentMatches: printout.documentSha256 === sha256,
      copies: copiesOf(printout),
      optionsMatch: isDeepStrictEqual(asked, options),
    };
    ledger.printed(row, paper, nowUs());
  }

  reported(jobId: number, state: string): void {
    if (state !== 'done' && state !== 'error') return;
    const row = this.#rows.get(jobId);
    if (row === undefined) return;
    // The room reports nothing more about it.
    this.#rows.delete(jobId);
    const atUs = this.#options.nowUs();
    this.#options.ledger.reported(row, state, atUs);
    this.#options.webhooks?.mustCome(row, state, atUs);
  }

  #numberOf(printer: ObservedPrinter | undefined): number {
    return (printer && this.#options.printerNumber(printer)) ?? NO_PRINTER;
  }
}

/** Raw bytes come out once; sheets know which copy they belong to. */
function copiesOf(printout: Printout): number {
  return printout.kind === 'raw' ? 1 : (printout.sheets.at(-1)?.copy ?? 0);
}
