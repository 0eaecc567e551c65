/**
 * Jobs: the print jobs of the workbench, of all its accounts or of one, to look at and to wait for.
 */

import { durationMs, formatDuration, type Duration } from '../../common/duration.ts';
import { inSlices, nextTurn } from '../../common/sliced-work.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import type { Room } from '../../devices/room.ts';
import type { JobDetail, JobList, JobSummary } from '../../record/control-types.ts';
import type { ServiceAdmin } from '../../service/service-admin.ts';
import type { PrintJobRow } from '../../service/store/print-job-row.ts';
import { firstMatch, JobWaitExpired, nearMisses, type Candidate, type JobQuery } from './job-query.ts';
import { asksForText, fitsSearch, fitsText, parseSearch, type SearchTerm } from './job-search.ts';
import type { JobViews, PaperAtPrinter } from './job-views.ts';
import { sidesText } from './printed-document.ts';

const DEFAULT_TIMEOUT = '5s';
const LOOK_EVERY_MS = 20;
const LOOK_EVERY_SHARE = 0.05;
const MOST_NEAR_MISSES = 3;
/** How many of the newest jobs a wait looks at, and a search at a time. */
const MOST_LOOKED_AT = 1_000;
/** Reading a sheet takes milliseconds: a search for text looks at fewer jobs. */
const MOST_READ = 200;

export interface JobsOptions {
  readonly service: ServiceAdmin;
  readonly views: JobViews;
  readonly timekeeper: Timekeeper;
  readonly rooms: () => readonly Room[];
}

export interface ListWanted {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly accountId?: number | undefined;
  /** In the language of the search field. */
  readonly search?: string | undefined;
}

export interface WaitOptions {
  /** 5 s unless given. */
  readonly timeout?: Duration | undefined;
  readonly accountId?: number | undefined;
  /** Ends the wait: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export class Jobs {
  readonly #options: JobsOptions;
  /** Text of the sheets of jobs that were searched, until more sheets come out. */
  readonly #texts = new Map<number, { readonly sides: number; readonly text: string }>();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** A page of the jobs, newest first. */
  async list({ before, limit, accountId, search = '' }: ListWanted): Promise<JobList> {
    const terms = parseSearch(search);
    const most = terms.length === 0 ? limit + 1 : asksForText(terms) ? MOST_READ : MOST_LOOKED_AT;
    const found: JobSummary[] = [];
    let below = before;
    for (;;) {
      const rows = this.#options.service.jobs({ accountId, before: below, limit: most });
      for (const job of this.#summaries(rows)) {
        if (!(await this.#fits(job, terms))) continue;
        if (found.length === limit) return { jobs: found, more: true };
        found.push(job);
      }
      below = rows.at(-1)?.id;
      // A search for text covers the newest jobs alone; a caller that wants more asks for older ones.
      if (rows.length < most || asksForText(terms)) return { jobs: found, more: rows.length === most };
      await nextTurn();
    }
  }

  get(id: number): JobDetail | undefined {
    const row = this.#options.service.job(id);
    return row && this.#options.views.detail(row, this.printouts(id), this.#toCome().get(id) ?? []);
  }

  summary(id: number): JobSummary | undefined {
    const row = this.#options.service.job(id);
    return row && this.#options.views.summary(row, this.printouts(id), this.#toCome().get(id) ?? []);
  }

  /** Shows a job no more, and cancels it if it has not been delivered yet. @returns false when there is no such job */
  delete(id: number): boolean {
    const row = this.#options.service.job(id);
    if (row) this.#options.service.hide(row);
    return row !== undefined;
  }

  /** After a reset: ids begin anew. */
  clear(): void {
    this.#texts.clear();
  }

  /** What came out of the printers for a job, in the order of its submissions. */
  printouts(id: number): Printout[] {
    const found = this.#options.rooms().flatMap((room) => room.printouts(id));
    return found.toSorted((a, b) => a.submission - b.submission);
  }

  /**
   * The newest job that fits the query, as soon as there is one. Time passes on the clock of the workbench: a
   * virtual clock is advanced.
   *
   * @throws JobWaitExpired at the limit, with the jobs that came closest and why they were not it
   */
  async wait(query: JobQuery, { timeout = DEFAULT_TIMEOUT, accountId, signal }: WaitOptions = {}): Promise<JobDetail> {
    const { timekeeper } = this.#options;
    const limitMs = durationMs(timeout);
    const beganMs = timekeeper.now();
    for (;;) {
      // However many wait, and whatever for: each look has a turn to itself.
      await nextTurn();
      const seen = this.#candidates(accountId);
      const found = await inSlices(firstMatch(seen, query));
      const job = found && this.get(found.job.id);
      if (job) return job;
      const waitedMs = timekeeper.now() - beganMs;
      if (waitedMs >= limitMs) throw waitExpired(limitMs, seen, query);
      // Looking less often the longer it takes makes a virtual hour as short as a virtual second.
      const pauseMs = Math.max(LOOK_EVERY_MS, waitedMs * LOOK_EVERY_SHARE);
      await timekeeper.elapse(Math.min(pauseMs, limitMs - waitedMs), signal);
      signal?.throwIfAborted();
    }
  }

  #candidates(accountId: number | undefined): Candidate[] {
    const rows = this.#options.service.jobs({ accountId, limit: MOST_LOOKED_AT });
    const printouts = this.#printoutsOf(rows);
    const toCome = this.#toCome();
    return rows.map((row) => {
      const out = printouts.get(row.id) ?? [];
      const printoutCount = out.filter(({ complete }) => complete).length;
      return { job: this.#options.views.summary(row, out, toCome.get(row.id) ?? []), printouts: printoutCount };
    });
  }

  #summaries(rows: readonly PrintJobRow[]): JobSummary[] {
    const printouts = this.#printoutsOf(rows);
    const toCome = this.#toCome();
    return rows.map((row) => {
      return this.#options.views.summary(row, printouts.get(row.id) ?? [], toCome.get(row.id) ?? []);
    });
  }

  /** What printers have still to print, by job. */
  #toCome(): ReadonlyMap<number | null, readonly PaperAtPrinter[]> {
    const printers = this.#options.rooms().flatMap((room) => room.printers);
    const all = printers.flatMap(({ name, toCome }) => toCome.map((paper) => ({ ...paper, printerName: name })));
    return Map.groupBy(all, ({ jobId }) => jobId);
  }

  /** Gathered once for all jobs: each printer keeps hundreds. */
  #printoutsOf(rows: readonly PrintJobRow[]): ReadonlyMap<number | null, readonly Printout[]> {
    if (rows.length === 0) return new Map();
    return Map.groupBy(
      this.#options.rooms().flatMap((room) => room.printouts()),
      ({ jobId }) => jobId,
    );
  }

  async #fits(job: JobSummary, terms: readonly SearchTerm[]): Promise<boolean> {
    if (!fitsSearch(job, terms)) return false;
    return !asksForText(terms) || fitsText(await this.#textOf(job), terms);
  }

  async #textOf({ id, sides }: JobSummary): Promise<string> {
    const known = this.#texts.get(id);
    if (known?.sides === sides) return known.text;
    const text = (await sidesText(this.printouts(id))).join('\n');
    this.#texts.set(id, { sides, text });
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= MOST_LOOKED_AT) break;
      this.#texts.delete(oldest);
    }
    return text;
  }
}

function waitExpired(limitMs: number, seen: readonly Candidate[], query: JobQuery): JobWaitExpired {
  const closest = nearMisses(seen, query, MOST_NEAR_MISSES);
  const [best] = closest;
  const hint = best ? `the closest is job ${best.job.id}: ${best.why.join(', ')}` : 'there are no jobs';
  return new JobWaitExpired(`waited ${formatDuration(limitMs)} for a print job; ${hint}`, closest);
}
