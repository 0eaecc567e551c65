/**
 * Print job table: jobs, their contents and their states in the database.
 *
 * Every statement that the service runs on jobs is here; delivery/ decides what they mean. Large numbers of
 * jobs must not slow a request down: each statement walks an index.
 */

import { checksumOf } from './checksum.ts';
import { CHANGED_DOCUMENT, DamagedRow, MISSING_DOCUMENT, WRONG_TYPE } from './damage.ts';
import type { Database } from './database.ts';
import { OpenJobs, type OpenJob } from './open-jobs.ts';
import type { Page, PageOf } from './page.ts';
import {
  DELIVERY,
  isPrintJobRow,
  isPrintJobStateRow,
  type Delivery,
  type PrintJobRow,
  type PrintJobStateRow,
} from './print-job-row.ts';
import { RowBatch } from './row-batch.ts';
import type { Row, Statement } from './statement.ts';

/** Which jobs of an account are meant; a missing set does not restrict. */
export interface JobScope {
  readonly accountId: number;
  readonly jobIds?: readonly number[] | undefined;
  /** Printers of that account, deleted ones included. */
  readonly printerIds?: readonly number[] | undefined;
}

/** Collections that are numbered without holes: one look at an index counts them. */
type Numbered = 'account' | 'printer';

const JOB_COLUMNS = `id, account_id AS accountId, account_ordinal AS accountOrdinal,
  printer_ordinal AS printerOrdinal, computer_id AS computerId,
  printer_id AS printerId, title, source, content_type AS contentType, options, authentication, qty,
  created_ms AS createdMs, expire_ms AS expireMs, state, delivery`;

const STATE_COLUMNS = `job_id AS jobId, state, message, data, client_version AS clientVersion,
  created_ms AS createdMs`;

/** Documents up to this length, such as labels, are kept with their open job. */
const KEPT_CONTENT_CHARACTERS = 2_000;

interface LargeContent {
  readonly jobId: number;
  readonly content: string;
  /** A job of a write that was undone since is another job. */
  readonly undoneWrites: number;
}

export class PrintJobTable {
  readonly #database: Database;
  readonly #newJobs: RowBatch;
  readonly #newContents: RowBatch;
  readonly #updateState: Statement;
  readonly #removeContent: Statement;
  readonly #insertState: Statement;
  readonly #open: OpenJobs;
  /** What no disk has had needs none. */
  readonly #checksumOf: (content: string) => number;
  #lastId: number;
  /** The newest longer document, until it is sent: most leave at once, and reading one back takes long. */
  #newestLarge: LargeContent | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#open = new OpenJobs(database);
    this.#checksumOf = database.isLasting ? checksumOf : () => 0;
    this.#newJobs = new RowBatch(database, 'print_jobs');
    this.#newContents = new RowBatch(database, 'print_job_contents');
    this.#updateState = database.prepare('UPDATE print_jobs SET state = ?, delivery = ? WHERE id = ?');
    this.#removeContent = database.prepare('DELETE FROM print_job_contents WHERE job_id = ?');
    this.#insertState = database.prepare('INSERT INTO print_job_states VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#lastId = Number(database.prepare('SELECT max(id) AS id FROM print_jobs').get()?.['id'] ?? 0);
  }

  nextId(): number {
    this.#lastId = this.#database.nextId(this.#lastId);
    return this.#lastId;
  }

  /** Stores a job. Values are bound by position: it is the busiest statement there is. */
  insert(job: PrintJobRow, content: string): void {
    this.#newJobs.add([
      job.id,
      job.accountId,
      job.accountOrdinal,
      job.printerOrdinal,
      job.computerId,
      job.printerId,
      job.title,
      job.source,
      job.contentType,
      job.options,
      job.authentication,
      job.qty,
      job.createdMs,
      job.expireMs,
      job.state,
      job.delivery,
    ]);
    this.#newContents.add([job.id, content, this.#checksumOf(content)]);
  }

  /** Keeps a new job in memory that leaves soon: its states follow. One that waits is read when its time comes. */
  keepOpen(job: PrintJobRow, content: string): void {
    const isSmall = content.length <= KEPT_CONTENT_CHARACTERS;
    this.#open.keep({ row: job, states: 0, reportIds: new Set(), content: isSmall ? content : undefined });
    if (!isSmall) this.#newestLarge = { jobId: job.id, content, undoneWrites: this.#database.undoneWrites };
  }

  byId(id: number): PrintJobRow | undefined {
    return this.#job(id)?.row;
  }

  /** Leaves a job out of `newest` from now on. */
  hide(id: number): void {
    this.#sql('INSERT OR IGNORE INTO hidden_print_jobs VALUES (?)').run(id);
  }

  isHidden(id: number): boolean {
    return this.#sql('SELECT 1 FROM hidden_print_jobs WHERE job_id = ?').get(id) !== undefined;
  }

  /** The newest jobs below an id that are not hidden, of one account or of all, newest first. */
  newest(limit: number, before: number | undefined, accountId: number | undefined): PrintJobRow[] {
    const ofAccount = accountId === undefined ? '' : 'account_id = :accountId AND';
    const bound = { limit, before: before ?? Number.MAX_SAFE_INTEGER };
    return this.#jobs(
      `WHERE ${ofAccount} id < :before AND id NOT IN (SELECT job_id FROM hidden_print_jobs) ORDER BY id DESC LIMIT :limit`,
      accountId === undefined ? bound : { ...bound, accountId },
    );
  }

  /** The document of a job that is not finished. @throws DamagedRow when it is not as it was accepted */
  content(jobId: number): string {
    return this.#open.get(jobId)?.content ?? this.#takeLarge(jobId) ?? this.#readContent(jobId);
  }

  #takeLarge(jobId: number): string | undefined {
    const newest = this.#newestLarge;
    if (newest?.jobId !== jobId || newest.undoneWrites !== this.#database.undoneWrites) return undefined;
    this.#newestLarge = undefined;
    return newest.content;
  }

  #readContent(jobId: number): string {
    const row = this.#sql('SELECT content, checksum FROM print_job_contents WHERE job_id = ?').get(jobId);
    const content = row?.['content'];
    if (typeof content === 'string' && this.#checksumOf(content) === row?.['checksum']) return content;
    const what = row ? CHANGED_DOCUMENT : MISSING_DOCUMENT;
    throw new DamagedRow({ table: 'print_job_contents', row: String(jobId), what });
  }

  /** Deletes the jobs of an account with their documents and states, and the keys they were submitted with. */
  remove(accountId: number): void {
    for (const table of ['print_job_contents', 'print_job_states', 'hidden_print_jobs']) {
      const ofAccount = 'job_id IN (SELECT id FROM print_jobs WHERE account_id = ?)';
      this.#sql(`DELETE FROM ${table} WHERE ${ofAccount}`).run(accountId);
    }
    this.#sql('DELETE FROM print_jobs WHERE account_id = ?').run(accountId);
    this.#sql('DELETE FROM idempotency_keys WHERE account_id = ?').run(accountId);
    this.#open.clear();
    this.#newestLarge = undefined;
  }

  /** The document of a finished job is not needed again, and goes. */
  setState(id: number, state: string, delivery: Delivery): void {
    const job = this.#job(id);
    if (!job) return;
    this.#storeNew();
    this.#updateState.run(state, delivery, id);
    if (delivery === DELIVERY.finished) this.#removeContent.run(id);
    this.#open.keep({ ...job, row: { ...job.row, state, delivery } });
  }

  /** Ends a job that cannot be read; its document stays, as the evidence. */
  giveUp(id: number, state: string): void {
    this.#storeNew();
    this.#updateState.run(state, DELIVERY.finished, id);
    this.#open.clear();
  }

  /**
   * Appends to the history of a job.
   *
   * @param reportId - the client's id of its report; a repeated one is not recorded again
   * @returns false when this report was recorded before
   */
  appendState(row: PrintJobStateRow, reportId: string | null): boolean {
    const job = this.#job(row.jobId);
    if (!job || (reportId !== null && job.reportIds.has(reportId))) return false;
    const ordinal = job.states + 1;
    const { jobId, state, message, data, clientVersion, createdMs } = row;
    this.#insertState.run(jobId, ordinal, state, message, data, clientVersion, createdMs, reportId);
    if (reportId !== null) job.reportIds.add(reportId);
    job.states = ordinal;
    return true;
  }

  /** The states of a job after its registration, oldest first. */
  laterStates(jobId: number): PrintJobStateRow[] {
    const found = this.#sql(`SELECT ${STATE_COLUMNS} FROM print_job_states WHERE job_id = ? ORDER BY ordinal`);
    return found.all(jobId).map(stateRow);
  }

  page(scope: JobScope, page: Page): PageOf<PrintJobRow> {
    const { printerIds, jobIds } = scope;
    const items = printerIds && !jobIds ? this.#itemsOfPrinters(printerIds, page) : this.#items(scope, page);
    return { items, ...this.#extent(scope, page) };
  }

  #items(scope: JobScope, page: Page): PrintJobRow[] {
    const bound = { ...parametersOf(scope), ...afterOf(page), limit: page.limit };
    return this.#jobs(`WHERE ${whereOf(scope)} ${following(page)} LIMIT :limit`, bound);
  }

  /** The first jobs of each printer come from its index; the first of all of these are the page. */
  #itemsOfPrinters(printerIds: readonly number[], page: Page): PrintJobRow[] {
    const rest = `WHERE printer_id = :printerId ${following(page)} LIMIT :limit`;
    const bound = { ...afterOf(page), limit: page.limit };
    const sign = page.dir === 'asc' ? 1 : -1;
    return printerIds
      .flatMap((printerId) => this.#jobs(rest, { ...bound, printerId }))
      .toSorted((a, b) => sign * (a.id - b.id))
      .slice(0, page.limit);
  }

  /** Jobs in a scope that no client has been sent yet, by ascending id. */
  queued(scope: JobScope): PrintJobRow[] {
    return this.#jobs(`WHERE ${whereOf(scope)} AND delivery = 0 ORDER BY id`, parametersOf(scope));
  }

  /** The ids of the first jobs that wait for a computer, ascending. */
  queuedFor(computerId: number, limit: number): number[] {
    return this.#unfinishedAt(computerId, `delivery = ${DELIVERY.queued}`, limit);
  }

  /** The ids of jobs that were sent to a computer and are not finished, ascending. */
  underWayAt(computerId: number): number[] {
    return this.#unfinishedAt(computerId, `delivery > ${DELIVERY.queued}`, -1);
  }

  #unfinishedAt(computerId: number, which: string, limit: number): number[] {
    const ids = this.#sql(
      `SELECT id FROM print_jobs INDEXED BY print_jobs_unfinished
         WHERE computer_id = ? AND delivery < 3 AND ${which} ORDER BY id LIMIT ?`,
    ).all(computerId, limit);
    return ids.map(({ id }) => Number(id));
  }

  /** The ids of queued jobs whose time is over, the longest overdue first. */
  expired(nowMs: number): number[] {
    const ids = this.#sql('SELECT id FROM print_jobs WHERE delivery = 0 AND expire_ms <= ? ORDER BY expire_ms, id');
    return ids.all(nowMs).map(({ id }) => Number(id));
  }

  nextExpiryMs(): number | undefined {
    const next = this.#sql('SELECT min(expire_ms) AS next FROM print_jobs WHERE delivery = 0').get()?.['next'];
    if (next === null || typeof next === 'number') return next ?? undefined;
    throw new DamagedRow({ table: 'print_jobs', row: 'that expires first', what: 'expire_ms is not a number' });
  }

  /** Jobs ever submitted by an account, or to a printer. */
  countOf(collection: Numbered, id: number): number {
    return this.#ordinalBelow(collection, id, Number.MAX_SAFE_INTEGER);
  }

  /** Size of the collection, and how many records lie before the page. */
  #extent(scope: JobScope, { after, dir }: Page): { total: number; offset: number } {
    const total = this.#countBelow(scope, Number.MAX_SAFE_INTEGER);
    if (after === undefined) return { total, offset: 0 };
    if (dir === 'asc') return { total, offset: this.#countBelow(scope, after + 1) };
    return { total, offset: total - this.#countBelow(scope, after) };
  }

  #countBelow(scope: JobScope, bound: number): number {
    if (scope.jobIds) {
      const counted = this.#sql(`SELECT count(*) AS count FROM print_jobs WHERE ${whereOf(scope)} AND id < :bound`);
      return Number(counted.get({ ...parametersOf(scope), bound })?.['count']);
    }
    if (!scope.printerIds) return this.#ordinalBelow('account', scope.accountId, bound);
    return scope.printerIds.reduce((sum, id) => sum + this.#ordinalBelow('printer', id, bound), 0);
  }

  #ordinalBelow(collection: Numbered, id: number, bound: number): number {
    const last = this.#sql(
      `SELECT max(id), ${collection}_ordinal AS count FROM print_jobs WHERE ${collection}_id = ? AND id < ?`,
    );
    return Number(last.get(id, bound)?.['count'] ?? 0);
  }

  /** The jobs that the rest of a SELECT chooses. */
  #jobs(rest: string, bound: Readonly<Record<string, number | string>>): PrintJobRow[] {
    return this.#sql(`SELECT ${JOB_COLUMNS} FROM print_jobs ${rest}`).all(bound).map(jobRow);
  }

  #job(id: number): OpenJob | undefined {
    return this.#open.get(id) ?? this.#readJob(id);
  }

  #readJob(id: number): OpenJob | undefined {
    const found = this.#sql(`SELECT ${JOB_COLUMNS} FROM print_jobs WHERE id = ?`).get(id);
    if (!found) return undefined;
    const row = jobRow(found);
    const states = this.#sql('SELECT report_id AS reportId FROM print_job_states WHERE job_id = ?').all(id);
    const reportIds = states.flatMap(({ reportId }) => (reportId === null ? [] : [String(reportId)]));
    const job = { row, states: states.length, reportIds: new Set(reportIds), content: undefined };
    this.#open.keep(job);
    return job;
  }

  /** What this turn has added is there before anything else is done to jobs. */
  #storeNew(): void {
    this.#newJobs.store();
    this.#newContents.store();
  }

  /** The number of statements is bounded by the shapes of scopes and pages. */
  #sql(text: string): Statement {
    this.#storeNew();
    return this.#database.prepare(text);
  }
}

function whereOf({ jobIds, printerIds }: JobScope): string {
  const ofJobs = jobIds ? 'AND id IN (SELECT value FROM json_each(:jobIds))' : '';
  const ofPrinters = printerIds ? 'AND printer_id IN (SELECT value FROM json_each(:printerIds))' : '';
  return `account_id = :accountId ${ofJobs} ${ofPrinters}`;
}

/** The part of a query that puts records in order and leaves out those before the page. */
function following({ after, dir }: Page): string {
  const bound = after === undefined ? '' : `AND id ${dir === 'asc' ? '>' : '<'} :after`;
  return `${bound} ORDER BY id ${dir}`;
}

function afterOf({ after }: Page): Record<string, number> {
  return after === undefined ? {} : { after };
}

function parametersOf({ accountId, jobIds, printerIds }: JobScope): Record<string, number | string> {
  return {
    accountId,
    ...(jobIds && { jobIds: JSON.stringify(jobIds) }),
    ...(printerIds && { printerIds: JSON.stringify(printerIds) }),
  };
}

/** The columns are selected under the names of the row type, which the schema keeps to. */
function jobRow(found: Row): PrintJobRow {
  const row = found as Record<keyof PrintJobRow, unknown>;
  if (isPrintJobRow(row)) return row as PrintJobRow;
  throw new DamagedRow({ table: 'print_jobs', row: String(row.id), what: WRONG_TYPE });
}

function stateRow(found: Row): PrintJobStateRow {
  const row = found as Record<keyof PrintJobStateRow, unknown>;
  if (isPrintJobStateRow(row)) return row as PrintJobStateRow;
  throw new DamagedRow({ table: 'print_job_states', row: String(row.jobId), what: WRONG_TYPE });
}
