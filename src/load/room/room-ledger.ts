/**
 * Room ledger: enters into the ledger what the room sees of the jobs of a run.
 *
 *   title, or job id ─► row ─► delivered, fetched, spooled, printed, reported
 *                         └─► which webhook events may come, and which must
 *
 * Paper is judged here: the document in the tray by its hash, its copies, the options that reached the printer, and
 * whether its title still shows the mark of the job. One whose title is lost is known by its id, which may be in the
 * answer to its submission only later. A job with neither belongs to another caller.
 */

import { isDeepStrictEqual } from 'node:util';

import type { Printout } from '../../devices/printer/printout.ts';
import type { ObservedPrinter, RoomObserver } from '../../devices/printer/room-observer.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import type { Ledger, PaperTruth } from '../../oracle/ledger.ts';
import type { WebhookAccount } from '../../oracle/webhook-account.ts';
import type { JobMarks } from '../plan/job-mark.ts';

/** What must be in the tray for a document of the plan. */
export interface ExpectedPaper {
  /** In lowercase hexadecimal digits. */
  readonly sha256: string;
  /** As the job carried them, except `copies`, which are counted. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RoomLedgerOptions {
  readonly ledger: Ledger;
  /** The marks of this run and shard. */
  readonly marks: JobMarks;
  /** The number of a printer over the whole room; undefined for one that the plan does not know. */
  readonly printerNumber: (printer: ObservedPrinter) => number | undefined;
  readonly expected: (row: number) => ExpectedPaper;
  /** Microseconds since the run began. */
  readonly nowUs: () => number;
  readonly webhooks?: WebhookAccount | undefined;
}

const NO_PRINTER = -1;
/** The answer to a submission is in before this many other jobs come; to those of other callers there is no answer. */
const MOST_UNKNOWN = 10_000;

/** What the ledger needs of a printout, which may be kept for a while: it is without the sheets. */
type Paper = Pick<PaperTruth, 'printer' | 'copies'> &
  Pick<Printout, 'title' | 'documentSha256'> & { readonly asked: Printout['options']['asked'] };

export class RoomLedger implements RoomObserver {
  readonly #options: RoomLedgerOptions;
  /** Jobs under way in the room. */
  readonly #rows = new Map<number, number>();
  /** By id, what was seen of jobs that have lost their title, while the answers to their submissions are not in. */
  readonly #unknown = new Map<number, ((row: number) => void)[]>();

  constructor(options: RoomLedgerOptions) {
    this.#options = options;
  }

  delivered({ jobId, title }: DeliveredJob, printer: ObservedPrinter | undefined): void {
    const { ledger, webhooks, nowUs } = this.#options;
    const atUs = nowUs();
    const enter = (row: number): void => {
      this.#rows.set(jobId, row);
      ledger.identified(row, jobId);
      ledger.delivered(row, this.#numberOf(printer), atUs);
      webhooks?.mustCome(row, 'sent_to_client', atUs);
      webhooks?.mayCome(row, 'error');
    };
    const row = this.#rowInTitle(title) ?? ledger.rowOfJob(jobId);
    if (row !== undefined) enter(row);
    else this.#keep(jobId, enter);
  }

  fetched({ jobId }: DeliveredJob): void {
    const atUs = this.#options.nowUs();
    this.#enter(jobId, (row) => this.#options.ledger.fetched(row, atUs));
  }

  spooled({ jobId }: DeliveredJob): void {
    const { ledger, webhooks, nowUs } = this.#options;
    const atUs = nowUs();
    this.#enter(jobId, (row) => {
      ledger.spooled(row, atUs);
      webhooks?.mayCome(row, 'done');
    });
  }

  printed(printout: Printout, printer: ObservedPrinter): void {
    const { ledger, nowUs } = this.#options;
    const { jobId, title } = printout;
    const atUs = nowUs();
    const paper = this.#paperOf(printout, printer);
    const enter = (row: number): void => ledger.printed(row, this.#truthOf(paper, row), atUs);
    const named = this.#rowInTitle(title) ?? ledger.rowOfJob(jobId ?? 0);
    if (named !== undefined) enter(named);
    else this.#enter(jobId ?? 0, enter);
  }

  reported(jobId: number, state: string): void {
    if (state !== 'done' && state !== 'error') return;
    const { ledger, webhooks, nowUs } = this.#options;
    const atUs = nowUs();
    this.#enter(jobId, (row) => {
      // The room reports nothing more about it.
      this.#rows.delete(jobId);
      ledger.reported(row, state, atUs);
      webhooks?.mustCome(row, state, atUs);
    });
  }

  /** The service has accepted a job: enters what was seen of it without a title. */
  accepted(row: number, jobId: number): void {
    const entries = this.#unknown.get(jobId);
    if (entries === undefined) return;
    this.#unknown.delete(jobId);
    for (const enter of entries) enter(row);
  }

  /** Keeps an entry of a job that may be another caller's; the oldest entries are dropped. */
  #keep(jobId: number, enter: (row: number) => void): void {
    const entries = this.#unknown.get(jobId);
    if (entries) return void entries.push(enter);
    this.#unknown.set(jobId, [enter]);
    if (this.#unknown.size <= MOST_UNKNOWN) return;
    const [oldest] = this.#unknown.keys();
    if (oldest !== undefined) this.#unknown.delete(oldest);
  }

  #enter(jobId: number, enter: (row: number) => void): void {
    const row = this.#rows.get(jobId);
    if (row !== undefined) enter(row);
    else this.#unknown.get(jobId)?.push(enter);
  }

  #rowInTitle(title: string): number | undefined {
    const { marks, ledger } = this.#options;
    const row = marks.rowIn(title);
    return row !== undefined && row < ledger.rows ? row : undefined;
  }

  #paperOf(printout: Printout, printer: ObservedPrinter): Paper {
    const { title, documentSha256, options } = printout;
    const { copies: _counted, ...asked } = options.asked;
    return { printer: this.#numberOf(printer), copies: copiesOf(printout), title, documentSha256, asked };
  }

  #truthOf({ printer, copies, title, documentSha256, asked }: Paper, row: number): PaperTruth {
    const { sha256, options } = this.#options.expected(row);
    return {
      printer,
      copies,
      documentMatches: documentSha256 === sha256,
      optionsMatch: isDeepStrictEqual(asked, options),
      titleMatches: this.#rowInTitle(title) === row,
    };
  }

  #numberOf(printer: ObservedPrinter | undefined): number {
    return (printer && this.#options.printerNumber(printer)) ?? NO_PRINTER;
  }
}

/** Raw bytes come out once; sheets know which copy they belong to. */
function copiesOf(printout: Printout): number {
  return printout.kind === 'raw' ? 1 : (printout.sheets.at(-1)?.copy ?? 0);
}
