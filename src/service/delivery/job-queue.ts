/**
 * Job queue: which job goes to which computer when.
 *
 *   submitted ─► queued ─► sent (unacknowledged, at most 8 a connection) ─► acknowledged ─► finished
 *                   ▲            │
 *                   └── waits ◄──┘  connection lost: sent again when the computer is back
 *
 * In order of ids, at least once. What a returning client does not name among the jobs it holds is
 * sent again first. Choice: a job that was sent, even without an acknowledgement, may be on paper; it
 * neither expires nor can it be cancelled any more.
 */

import type { Database } from '../store/database.ts';
import { DELIVERY, type PrintJobRow } from '../store/print-job-row.ts';
import type { PrintJobs } from './print-jobs.ts';

/** Unacknowledged jobs on one connection. */
const UNACKNOWLEDGED_MAX = 8;

/** A connection that jobs can be sent over. */
export interface Outlet {
  readonly computerId: number;
  deliver(job: PrintJobRow, content: string): void;
}

interface Attached {
  readonly outlet: Outlet;
  readonly unacknowledged: Set<number>;
  /** Ids of jobs to send again before new ones, ascending. */
  readonly again: number[];
  /** Ids of jobs submitted since the database was last asked, ascending; undefined where it has to be asked. */
  fresh: number[] | undefined;
}

interface Leaving {
  readonly to: Attached;
  readonly job: PrintJobRow;
  readonly content: string;
}

export class JobQueue {
  readonly #jobs: PrintJobs;
  readonly #database: Database;
  /** Connections of a computer, the newest last: that one gets the jobs. */
  readonly #attached = new Map<number, Attached[]>();
  /** Computers to send to after the commit. */
  readonly #due = new Set<number>();

  constructor(jobs: PrintJobs, database: Database) {
    this.#jobs = jobs;
    this.#database = database;
  }

  /** A computer has connected, with the jobs it already has. */
  attach(outlet: Outlet, holding: readonly number[]): void {
    const held = new Set(holding);
    const again = this.#jobs.table.underWayAt(outlet.computerId).filter((id) => !held.has(id));
    const others = this.#attached.get(outlet.computerId) ?? [];
    this.#attached.set(
      outlet.computerId,
      others.concat({ outlet, unacknowledged: new Set<number>(), again, fresh: undefined }),
    );
    this.#pump(outlet.computerId);
  }

  /**
   * A connection ended: what it left unacknowledged goes to another one of its computer, or waits. A newer
   * one got all of that when it came: sending it once more would print it twice at a client that forgot.
   */
  detach(outlet: Outlet): void {
    const all = this.#attached.get(outlet.computerId) ?? [];
    const gone = all.find((attached) => attached.outlet === outlet);
    const left = all.filter((attached) => attached !== gone);
    const heir = left.at(-1);
    const isNewer = heir !== undefined && gone !== undefined && all.indexOf(heir) > all.indexOf(gone);
    if (!gone || !heir) {
      this.#attached.delete(outlet.computerId);
      return;
    }
    this.#attached.set(outlet.computerId, left);
    if (isNewer) return;
    // What the heir was sent itself and has yet to acknowledge is on its way.
    heir.fresh = undefined;
    for (const id of [...gone.unacknowledged, ...gone.again]) if (!heir.unacknowledged.has(id)) heir.again.push(id);
    this.#pump(outlet.computerId);
  }

  /** The client at `outlet` has taken the job. @returns false when that job was not sent there */
  acknowledged(outlet: Outlet, jobId: number): boolean {
    const attached = this.#attached.get(outlet.computerId)?.find((one) => one.outlet === outlet);
    if (!attached?.unacknowledged.delete(jobId)) return false;
    this.#pump(outlet.computerId);
    return true;
  }

  submitted(job: PrintJobRow, content: string): void {
    const { id, computerId } = job;
    const newest = this.#attached.get(computerId)?.at(-1);
    if (!newest) return;
    this.#jobs.table.keepOpen(job, content);
    newest.fresh?.push(id);
    if (newest.fresh && newest.fresh.length > UNACKNOWLEDGED_MAX) newest.fresh = undefined;
    this.#pump(computerId);
  }

  /** Sends what can be sent to a computer now. Nothing leaves before it is committed. */
  #pump(computerId: number): void {
    if (!this.#attached.has(computerId)) return;
    this.#due.add(computerId);
    this.#database.afterCommit(this.#sendDue);
  }

  readonly #sendDue = (): void => {
    const leaving = [...this.#due].flatMap((computerId) => this.#leavingFor(computerId));
    this.#due.clear();
    if (leaving.length === 0) return;
    this.#database.writeHot(() => {
      for (const { job } of leaving) this.#jobs.sentToClient(job);
    });
    for (const { to, job } of leaving) to.unacknowledged.add(job.id);
    // Not before: a service that died in between would believe that a job that has left still waits.
    this.#database.afterCommit(() => {
      for (const { to, job, content } of leaving) to.outlet.deliver({ ...job, delivery: DELIVERY.sent }, content);
    });
    this.#database.whenCommitted((error) => {
      if (error !== undefined) giveBack(leaving);
    });
  };

  #leavingFor(computerId: number): readonly Leaving[] {
    const newest = this.#attached.get(computerId)?.at(-1);
    if (!newest) return [];
    const free = UNACKNOWLEDGED_MAX - newest.unacknowledged.size;
    if (free <= 0) return [];
    const again = newest.again.splice(0, free);
    return [...again, ...this.#takeQueued(newest, free - again.length)].flatMap((id) => this.#ready(newest, id) ?? []);
  }

  #takeQueued(attached: Attached, most: number): readonly number[] {
    if (most === 0) return [];
    if (attached.fresh) {
      // Others were cancelled or have expired since.
      const waiting = attached.fresh.filter((id) => this.#jobs.readable(id)?.delivery === DELIVERY.queued);
      attached.fresh = waiting.slice(most);
      return waiting.slice(0, most);
    }
    const queued = this.#jobs.table.queuedFor(attached.outlet.computerId, most);
    if (queued.length < most) attached.fresh = [];
    return queued;
  }

  /** A job with its document; undefined for one that has ended. */
  #ready(to: Attached, id: number): Leaving | undefined {
    const job = this.#jobs.readable(id);
    if (!job || job.delivery === DELIVERY.finished || this.#jobs.expireIfOver(job)) return undefined;
    const content = this.#jobs.documentOf(job);
    return content === undefined ? undefined : { to, job, content };
  }
}

/** What could not be stored as sent waits for the next time. */
function giveBack(leaving: readonly Leaving[]): void {
  for (const { to, job } of leaving.toReversed()) {
    to.unacknowledged.delete(job.id);
    to.again.unshift(job.id);
  }
}
