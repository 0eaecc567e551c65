/**
 * Jobs: the print jobs of the bench, to look at and to wait for.
 */

import { durationMs, formatDuration, type Duration } from '../common/duration.ts';
import { groupBy } from '../common/group-by.ts';
import type { Timekeeper } from '../common/timekeeper.ts';
import type { Printout } from '../devices/printout.ts';
import type { Room } from '../devices/room.ts';
import { jobOf, type Job, type JobWithTimeline } from './job.ts';
import { mismatches, nearMisses, type JobQuery, type NearMiss } from './job-query.ts';
import type { ServiceClient } from './service-client.ts';

const DEFAULT_TIMEOUT = '5s';
const LOOK_EVERY_MS = 20;
const LOOK_EVERY_SHARE = 0.05;
const MOST_NEAR_MISSES = 3;

/** No job was what somebody waited for. */
export class JobWaitExpired extends Error {
  override readonly name = 'JobWaitExpired';
  readonly closest: readonly NearMiss[];

  constructor(message: string, closest: readonly NearMiss[]) {
    super(message);
    this.closest = closest;
  }
}

export class Jobs {
  readonly #service: ServiceClient;
  readonly #room: Room;
  readonly #timekeeper: Timekeeper;

  constructor(service: ServiceClient, room: Room, timekeeper: Timekeeper) {
    this.#service = service;
    this.#room = room;
    this.#timekeeper = timekeeper;
  }

  /** The jobs of the account, newest first. */
  async list(): Promise<Job[]> {
    const records = await this.#service.jobs();
    const printouts = groupBy(this.#room.printouts(), ({ jobId }) => jobId);
    return records.map((record) => jobOf(record, printouts.get(record.id) ?? []));
  }

  async get(id: number): Promise<JobWithTimeline | undefined> {
    const record = await this.#service.job(id);
    if (!record) return undefined;
    return { ...jobOf(record, this.printouts(id)), timeline: await this.#service.states(id) };
  }

  /** What came out of the printers for a job, in the order of its submissions. */
  printouts(id: number): Printout[] {
    return this.#room.printouts(id).toSorted((a, b) => a.submission - b.submission);
  }

  /**
   * The newest job that is what the query asks for, as soon as there is one. The time that passes
   * meanwhile is the bench's own: a virtual clock is moved on.
   *
   * @throws JobWaitExpired at the limit, with the jobs that came closest and why they were not it
   */
  async wait(
    query: JobQuery,
    { timeout = DEFAULT_TIMEOUT }: { timeout?: Duration } = {},
  ): Promise<JobWithTimeline> {
    const limitMs = durationMs(timeout);
    const beganMs = this.#timekeeper.now();
    for (;;) {
      const seen = await this.list();
      const found = seen.find((job) => mismatches(job, query).length === 0);
      if (found) return { ...found, timeline: await this.#service.states(found.id) };
      const waitedMs = this.#timekeeper.now() - beganMs;
      if (waitedMs >= limitMs) throw waitExpired(limitMs, seen, query);
      // Looking less often the longer it takes makes a virtual hour as short as a virtual second.
      const pauseMs = Math.max(LOOK_EVERY_MS, waitedMs * LOOK_EVERY_SHARE);
      await this.#timekeeper.elapse(Math.min(pauseMs, limitMs - waitedMs));
    }
  }
}

function waitExpired(limitMs: number, seen: readonly Job[], query: JobQuery): JobWaitExpired {
  const closest = nearMisses(seen, query, MOST_NEAR_MISSES);
  const [best] = closest;
  const hint = best
    ? `the closest is job ${best.job.id}: ${best.why.join(', ')}`
    : 'there are no jobs at all';
  return new JobWaitExpired(`waited ${formatDuration(limitMs)} for a print job; ${hint}`, closest);
}
