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
  send(job: PrintJobRow): void;
}

interface Attached {
  readonly outlet: Outlet;
  readonly unacknowledged: Set<number>;
  /** Jobs to send again before new ones, by ascending id. */
  readonly again: PrintJobRow[];
  /** Whether jobs may wait that were never sent: none do after a look that found fewer than there was room for. */
  mayWait: boolean;
}

export class JobQueue {
  readonly #jobs: PrintJobs;
  readonly #database: Database;
  /** Connections of a computer, the newest last: that one gets the jobs. */
  readonly #attached = new Map<number, Attached[]>();

  constructor(jobs: PrintJobs, database: Database) {
    this.#jobs = jobs;
    this.#database = database;
  }

  /** A computer has connected, with the jobs it already has. */
  attach(outlet: Outlet, holding: readonly number[]): void {
    const held = new Set(holding);
    const again = this.#jobs.table.underWayAt(outlet.computerId).filter((job) => !held.has(job.id));
    const others = this.#attached.get(outlet.computerId) ?? [];
    this.#attached.set(outlet.computerId, [...others, { outlet, unacknowledged: new Set(), again, mayWait: true }]);
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
    const unsettled = [...gone.unacknowledged].flatMap((jobId) => this.#jobs.table.byId(jobId) ?? []);
    // What the heir was sent itself and has yet to acknowledge is on its way.
    heir.mayWait = true;
    heir.again.push(...[...unsettled, ...gone.again].filter(({ id }) => !heir.unacknowledged.has(id)));
    this.#pump(outlet.computerId);
  }

  /** The client at `outlet` has taken the job. @returns false when that job was not sent there */
  acknowledged(outlet: Outlet, jobId: number): boolean {
    const attached = this.#attached.get(outlet.computerId)?.find((one) => one.outlet === outlet);
    if (!attached?.unacknowledged.delete(jobId)) return false;
    this.#pump(outlet.computerId);
    return true;
  }

  /** A job for the computer was submitted. */
  submitted(computerId: number): void {
    const newest = this.#attached.get(computerId)?.at(-1);
    if (!newest) return;
    newest.mayWait = true;
    this.#pump(computerId);
  }

  /** Sends what can be sent to a computer now. Nothing leaves before it is committed. */
  #pump(computerId: number): void {
    if (this.#attached.has(computerId)) this.#database.afterCommit(() => this.#send(computerId));
  }

  #send(computerId: number): void {
    const newest = this.#attached.get(computerId)?.at(-1);
    if (!newest) return;
    const free = UNACKNOWLEDGED_MAX - newest.unacknowledged.size;
    if (free <= 0) return;
    const again = newest.again.splice(0, free);
    const room = newest.mayWait ? free - again.length : 0;
    const fresh = room > 0 ? this.#jobs.table.queuedFor(computerId, room) : [];
    if (fresh.length < room) newest.mayWait = false;
    const leaving = [...again, ...fresh];
    if (leaving.length === 0) return;
    this.#database.write(() => {
      for (const job of leaving) this.#jobs.sentToClient(job);
    });
    for (const job of leaving) newest.unacknowledged.add(job.id);
    // Not before: a service that died in between would believe that a job that has left still waits.
    this.#database.afterCommit(() => {
      for (const job of leaving) newest.outlet.send({ ...job, delivery: DELIVERY.sent });
    });
  }
}
