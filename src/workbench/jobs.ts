/**
 * Jobs: the print jobs of the bench, to look at and to wait for.
 */

import type { Duration } from '../common/duration.ts';
import type { Timekeeper } from '../common/timekeeper.ts';
import { eventually, WaitExpired } from '../common/waiter.ts';
import type { Printout } from '../devices/printout.ts';
import type { Room } from '../devices/room.ts';
import { jobOf, type Job, type JobWithTimeline } from './job.ts';
import { mismatches, nearMisses, type JobQuery, type NearMiss } from './job-query.ts';
import type { ServiceClient } from './service-client.ts';

const DEFAULT_TIMEOUT = '5s';
const LOOK_EVERY_MS = 20;
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
    const printouts = Map.groupBy(this.#room.printouts(), ({ jobId }) => jobId);
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
    let seen: Job[] = [];
    const probe = async (): Promise<Job | undefined> => {
      seen = await this.list();
      return seen.find((job) => mismatches(job, query).length === 0);
    };
    try {
      const found = await eventually({
        description: 'a print job',
        limit: timeout,
        every: LOOK_EVERY_MS,
        timekeeper: this.#timekeeper,
        probe,
      });
      return (await this.get(found.id)) ?? { ...found, timeline: [] };
    } catch (error) {
      if (!(error instanceof WaitExpired)) throw error;
      const closest = nearMisses(seen, query, MOST_NEAR_MISSES);
      throw new JobWaitExpired(describeWait(error, closest), closest);
    }
  }
}

function describeWait({ message }: WaitExpired, closest: readonly NearMiss[]): string {
  const [best] = closest;
  if (!best) return `${message}; there are no jobs at all`;
  return `${message}; the closest is job ${best.job.id}: ${best.why.join(', ')}`;
}
