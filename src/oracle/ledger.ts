/**
 * Ledger: the account of every job of a load run, from the intent to the paper.
 *
 *   intend ─► sent ─► accepted ─► delivered ─► fetched ─► spooled ─► printed ─► reported ─► webhook
 *      │        │ └─► (no answer) ─► settledAs               │
 *      └► shed  └───► refused        cancelled, expired ─────┘ (must not print)
 *
 * What is observed is reported here, in any order (a computer may have a job before the answer to its
 * submission has arrived); the ledger decides what it means. All times are
 * microseconds since the run began; there is no clock here.
 *
 * About 60 bytes a job, the index by job id included.
 */

import { sumsOf } from '../common/sums.ts';
import type { JobCounters, LedgerRowView, LedgerTotals } from '../record/load-record.ts';
import { LEDGER_CLASSES, LEDGER_STAMPS, type Phase, type LedgerClass, type LedgerStamp } from '../record/words.ts';
import { JobIndex } from './job-index.ts';
import { classOf, FLAG } from './ledger-classes.ts';
import { LedgerColumns } from './ledger-columns.ts';

/** `printer` by its number over the whole room; `copies` that must come out: the option of that name times `qty`. */
export interface JobIntent extends Pick<LedgerRowView, 'intendedUs' | 'account' | 'printer' | 'document' | 'copies'> {}

/** What came out of a printer for a job. */
export interface PaperTruth {
  readonly printer: number;
  readonly documentMatches: boolean;
  readonly copies: number;
  readonly optionsMatch: boolean;
  /** Its title still shows which job it is. */
  readonly titleMatches: boolean;
}

export interface LedgerOptions {
  /** Whose a printer is; without it a wrong printer is never one of a wrong account. */
  readonly accountOfPrinter?: (printer: number) => number;
  /** Hears of each phase of a job's life as it ends. */
  readonly onPhase?: (phase: Phase, durationUs: number, intendedUs: number) => void;
}

/** How far jobs have come: each counts those that have come so far at least. */
export interface LedgerProgress extends JobCounters {
  readonly sent: number;
  /** Reported, cancelled or expired: nothing more is to come. */
  readonly over: number;
}

/** All copies are on the right paper, once. */
const WELL_PRINTED: readonly LedgerClass[] = ['delivered-once', 'lost-title'];
const MOST_COPIES = 0xffff;
const FILE_MARK = 'PLG1';
const HEADER_BYTES = 16;

export class Ledger {
  readonly #columns = new LedgerColumns();
  readonly #index = new JobIndex((row) => this.#columns.jobId(row));
  readonly #options: LedgerOptions;
  readonly #progress = { intended: 0, sent: 0, accepted: 0, delivered: 0, printed: 0, reported: 0, over: 0 };
  #clashes = 0;
  #isDrained = false;

  constructor(options: LedgerOptions = {}) {
    this.#options = options;
  }

  get progress(): LedgerProgress {
    return this.#progress;
  }

  get rows(): number {
    return this.#columns.rows;
  }

  /** Bytes held, the index by job id included. */
  get bytes(): number {
    return this.#columns.bytes + this.#index.bytes;
  }

  /** A job that will be submitted. @returns its row, which all other calls name */
  intend({ intendedUs, account, printer, document, copies }: JobIntent): number {
    const row = this.#columns.add();
    this.#columns.setIntendedUs(row, Math.max(0, Math.round(intendedUs)));
    this.#columns.set('account', row, account);
    this.#columns.set('printer', row, printer);
    this.#columns.set('document', row, document);
    this.#columns.set('copies', row, Math.max(1, Math.min(MOST_COPIES, copies)));
    this.#progress.intended++;
    return row;
  }

  sent(row: number, atUs: number): void {
    if (!this.#first(row, FLAG.sent)) return;
    this.#progress.sent++;
    this.#columns.setStamp(row, 'sent', atUs);
    this.#phaseEnded(row, 'submit', this.#columns.intendedUs(row), atUs);
  }

  accepted(row: number, jobId: number, atUs: number): void {
    const known = this.#index.rowOf(jobId);
    if (known !== undefined && known !== row) this.#clashes++;
    if (!this.#first(row, FLAG.accepted)) return;
    this.#progress.accepted++;
    this.#columns.setJobId(row, jobId);
    this.#index.put(jobId, row);
    this.#columns.setStamp(row, 'accepted', atUs);
    this.#phaseEnded(row, 'accept', this.#columns.stamp(row, 'sent'), atUs);
    // The computer was quicker than the answer: the way there took no time that anybody could notice.
    if (this.#columns.stamp(row, 'delivered') !== undefined) this.#phaseEnded(row, 'deliver', atUs, atUs);
  }

  /** The service did not take it, or it never left: status 0. */
  refused(row: number): void {
    this.#first(row, FLAG.refused);
  }

  shed(row: number): void {
    this.#first(row, FLAG.shed);
  }

  /** What a second request with the same idempotency key has shown of a job whose submission got no answer. */
  settledAs(row: number, outcome: 'accepted' | 'never'): void {
    if (outcome === 'never') this.#first(row, FLAG.refused);
    else if (this.#first(row, FLAG.accepted)) this.#progress.accepted++;
  }

  /** The job id of a row whose answer was lost, found out by other means. */
  identified(row: number, jobId: number): void {
    if (this.#columns.jobId(row) !== 0) return;
    this.#columns.setJobId(row, jobId);
    this.#index.put(jobId, row);
  }

  delivered(row: number, printer: number, atUs: number): void {
    this.#columns.add1('deliveries', row);
    this.#judgePrinter(row, printer);
    if (this.#columns.stamp(row, 'delivered') !== undefined) return;
    this.#progress.delivered++;
    this.#columns.setStamp(row, 'delivered', atUs);
    this.#phaseEnded(row, 'deliver', this.#columns.stamp(row, 'accepted'), atUs);
  }

  fetched(row: number, atUs: number): void {
    this.#once(row, 'fetched', 'fetch', this.#columns.stamp(row, 'delivered'), atUs);
  }

  spooled(row: number, atUs: number): void {
    const before = this.#columns.stamp(row, 'fetched') ?? this.#columns.stamp(row, 'delivered');
    this.#once(row, 'spooled', 'spool', before, atUs);
  }

  /** Paper came out; several times for a job whose `qty` is more than 1. */
  printed(row: number, paper: PaperTruth, atUs: number): void {
    this.#judgePrinter(row, paper.printer);
    if (!paper.documentMatches) this.#first(row, FLAG.wrongBytes);
    if (!paper.optionsMatch) this.#first(row, FLAG.wrongOptions);
    if (!paper.titleMatches) this.#first(row, FLAG.lostTitle);
    const before = this.#columns.get('copiesPrinted', row);
    const after = Math.min(MOST_COPIES, before + paper.copies);
    this.#columns.set('copiesPrinted', row, after);
    const copies = this.#columns.get('copies', row);
    if (before >= copies || after < copies) return;
    this.#progress.printed++;
    this.#once(row, 'printed', 'paper', this.#columns.stamp(row, 'spooled'), atUs);
    this.#phaseEnded(row, 'whole', this.#columns.intendedUs(row), atUs);
  }

  /** The service acknowledged a report of a final state. */
  reported(row: number, state: 'done' | 'error', atUs: number): void {
    if (state === 'error') this.#first(row, FLAG.failed);
    this.#over(row);
    if (!this.#first(row, FLAG.reported)) return;
    this.#progress.reported++;
    const before = this.#columns.stamp(row, 'spooled') ?? this.#columns.stamp(row, 'delivered');
    this.#once(row, 'reported', 'report', before, atUs);
  }

  /** The service says so of a job on a printer that platen does not run. */
  said(row: number, state: 'waiting' | 'done' | 'error'): void {
    this.#first(row, FLAG.said);
    if (state === 'waiting') return;
    if (state === 'error') this.#first(row, FLAG.failed);
    this.#over(row);
    if (this.#first(row, FLAG.reported)) this.#progress.reported++;
  }

  /** The service said that it cancelled the job. */
  cancelled(row: number): void {
    this.#over(row);
    this.#first(row, FLAG.cancelled);
  }

  /** The service said that the job expired. */
  expired(row: number): void {
    this.#over(row);
    this.#first(row, FLAG.expired);
  }

  /** A webhook reported its final state. */
  webhook(row: number, atUs: number): void {
    if (this.#first(row, FLAG.webhook)) this.#phaseEnded(row, 'webhook', this.#columns.stamp(row, 'reported'), atUs);
  }

  /** The document of a job, by its place in the plan. */
  documentOf(row: number): number {
    return this.#columns.get('document', row);
  }

  /** 0 where no answer has told it. */
  jobIdOf(row: number): number {
    return this.#columns.jobId(row);
  }

  rowOfJob(jobId: number): number | undefined {
    return this.#index.rowOf(jobId);
  }

  /** Whether it is still unknown if the service has it. */
  isOpen(row: number): boolean {
    return !this.#has(row, FLAG.accepted | FLAG.refused | FLAG.shed);
  }

  isAccepted(row: number): boolean {
    return this.#has(row, FLAG.accepted);
  }

  /** Accepted, and neither on paper and reported nor ended in another way: what a drain waits for. */
  isUnderWay(row: number): boolean {
    return (
      this.#has(row, FLAG.accepted) &&
      !this.#has(row, FLAG.cancelled | FLAG.expired | FLAG.failed) &&
      (!this.#has(row, FLAG.reported) || (!this.#has(row, FLAG.said) && this.#isShort(row)))
    );
  }

  /** Copies of it are still to come. */
  #isShort(row: number): boolean {
    return this.#columns.get('copiesPrinted', row) < this.#columns.get('copies', row);
  }

  /** Everything has had its time: from now on what is missing is lost. */
  drained(): void {
    this.#isDrained = true;
  }

  classOf(row: number): LedgerClass {
    return classOf({
      flags: this.#columns.get('flags', row),
      copies: this.#columns.get('copies', row),
      copiesPrinted: this.#columns.get('copiesPrinted', row),
      isDrained: this.#isDrained,
    });
  }

  /** Goes through all rows: some milliseconds for a million. */
  totals(): LedgerTotals {
    const classes = sumsOf(LEDGER_CLASSES, []);
    let unreported = 0;
    let redelivered = 0;
    for (let row = 0; row < this.rows; row++) {
      const name = this.classOf(row);
      classes[name]++;
      if (WELL_PRINTED.includes(name) && !this.#has(row, FLAG.reported)) unreported++;
      if (this.#columns.get('deliveries', row) > 1) redelivered++;
    }
    return { intents: this.rows, classes, unreported, redelivered, clashes: this.#clashes };
  }

  /** Some rows of a class, the earliest first; of the jobs that went well, the slowest first. */
  sample(name: LedgerClass, most: number): readonly LedgerRowView[] {
    if (name === 'delivered-once') return this.#slowest(most);
    const found: LedgerRowView[] = [];
    for (let row = 0; row < this.rows && found.length < most; row++) {
      if (this.classOf(row) === name) found.push(this.view(row));
    }
    return found;
  }

  view(row: number): LedgerRowView {
    const columns = this.#columns;
    const stamps: Partial<Record<LedgerStamp, number>> = {};
    for (const stamp of LEDGER_STAMPS) {
      const atUs = columns.stamp(row, stamp);
      if (atUs !== undefined) stamps[stamp] = atUs;
    }
    return {
      row,
      class: this.classOf(row),
      jobId: columns.jobId(row) || null,
      account: columns.get('account', row),
      printer: columns.get('printer', row),
      document: columns.get('document', row),
      copies: columns.get('copies', row),
      copiesPrinted: columns.get('copiesPrinted', row),
      deliveries: columns.get('deliveries', row),
      intendedUs: columns.intendedUs(row),
      stamps,
    };
  }

  /** The whole ledger, to be joined with those of other shards. */
  toBytes(): Uint8Array {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(FILE_MARK, 'latin1');
    header.writeUInt32LE(this.rows, 4);
    header.writeUInt32LE(this.#clashes, 8);
    header.writeUInt32LE(this.#isDrained ? 1 : 0, 12);
    return Buffer.concat([header, this.#columns.toBytes()]);
  }

  /** The ledgers of several shards as one. @throws RangeError when the bytes are not a ledger */
  static fromBytes(parts: readonly Uint8Array[], options: LedgerOptions = {}): Ledger {
    const joined = new Ledger(options);
    for (const part of parts) joined.#append(part);
    joined.#isDrained = parts.length > 0 && parts.every((part) => headerOf(part).isDrained);
    return joined;
  }

  #append(part: Uint8Array): void {
    const { rows, clashes } = headerOf(part);
    const first = this.rows;
    this.#columns.append(part.subarray(HEADER_BYTES), rows);
    this.#clashes += clashes;
    for (let row = first; row < this.rows; row++) this.#takeUp(row, first);
  }

  /** Counts a row that came from elsewhere. @param first - of its shard, which has counted its own clashes */
  #takeUp(row: number, first: number): void {
    const columns = this.#columns;
    const jobId = columns.jobId(row);
    if (jobId !== 0) {
      if ((this.#index.rowOf(jobId) ?? first) < first) this.#clashes++;
      this.#index.put(jobId, row);
    }
    this.#progress.intended++;
    if (this.#has(row, FLAG.sent)) this.#progress.sent++;
    if (this.#has(row, FLAG.accepted)) this.#progress.accepted++;
    if (this.#has(row, FLAG.reported)) this.#progress.reported++;
    if (columns.stamp(row, 'delivered') !== undefined) this.#progress.delivered++;
    if (columns.stamp(row, 'printed') !== undefined) this.#progress.printed++;
    if (this.#isOver(row)) this.#progress.over++;
  }

  #isOver(row: number): boolean {
    return this.#has(row, FLAG.reported | FLAG.cancelled | FLAG.expired);
  }

  /** Called before the flag is set that says how. */
  #over(row: number): void {
    if (!this.#isOver(row)) this.#progress.over++;
  }

  #slowest(most: number): readonly LedgerRowView[] {
    const found: { readonly row: number; readonly tookUs: number }[] = [];
    for (let row = 0; row < this.rows; row++) {
      const printedUs = this.#columns.stamp(row, 'printed');
      if (printedUs === undefined || this.classOf(row) !== 'delivered-once') continue;
      const tookUs = printedUs - this.#columns.intendedUs(row);
      if (found.length === most && tookUs <= (found.at(-1)?.tookUs ?? 0)) continue;
      found.push({ row, tookUs });
      found.sort((one, other) => other.tookUs - one.tookUs);
      if (found.length > most) found.pop();
    }
    return found.map(({ row }) => this.view(row));
  }

  #judgePrinter(row: number, printer: number): void {
    if (printer === this.#columns.get('printer', row)) return;
    // A printer that the room does not have belongs to no account.
    const owner = printer < 0 ? undefined : this.#options.accountOfPrinter?.(printer);
    const isForeign = owner !== undefined && owner !== this.#columns.get('account', row);
    this.#first(row, isForeign ? FLAG.wrongAccount : FLAG.wrongPrinter);
  }

  /** Whether a flag is set, or any of several. */
  #has(row: number, flag: number): boolean {
    return (this.#columns.get('flags', row) & flag) !== 0;
  }

  /** Sets a flag; true when it was not set before. */
  #first(row: number, flag: number): boolean {
    const flags = this.#columns.get('flags', row);
    if ((flags & flag) !== 0) return false;
    this.#columns.set('flags', row, flags | flag);
    return true;
  }

  #once(row: number, stamp: LedgerStamp, phase: Phase, fromUs: number | undefined, atUs: number): void {
    if (this.#columns.stamp(row, stamp) !== undefined) return;
    this.#columns.setStamp(row, stamp, atUs);
    this.#phaseEnded(row, phase, fromUs, atUs);
  }

  #phaseEnded(row: number, phase: Phase, fromUs: number | undefined, toUs: number): void {
    if (fromUs === undefined) return;
    this.#options.onPhase?.(phase, Math.max(0, toUs - fromUs), this.#columns.intendedUs(row));
  }
}

interface Header {
  readonly rows: number;
  readonly clashes: number;
  readonly isDrained: boolean;
}

function headerOf(part: Uint8Array): Header {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== FILE_MARK) {
    throw new RangeError('these bytes are not a ledger');
  }
  return {
    rows: bytes.readUInt32LE(4),
    clashes: bytes.readUInt32LE(8),
    isDrained: bytes.readUInt32LE(12) === 1,
  };
}
