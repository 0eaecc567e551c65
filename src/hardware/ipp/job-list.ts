/**
 * Job list of an IPP printer: jobs from the request that creates them until they are forgotten, and what
 * clients ask of the list (RFC 8011, 4.2.6 and 4.3.4).
 *
 * Jobs that are over are kept for those that ask what became of them, the newest alone. A job without a document
 * waits for it for a limited time.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import { notSupported, type Answer } from './answer.ts';
import { isTrue, keyword, numberOf, stringOf, stringsOf, type IppAttribute, type IppGroup } from './attribute.ts';
import { IppJob } from './ipp-job.ts';
import { MULTIPLE_OPERATION_TIMEOUT_S, WHICH_JOBS } from './printer-attributes.ts';
import { attributeOf, type IppRequest } from './request.ts';
import { uuidFor } from './uuid.ts';

export interface JobListOptions {
  readonly clock: Clock;
  readonly printerUuid: string;
  /** The address that clients know the printer by. */
  readonly printerUri: string;
  readonly isPrinterStopped: () => boolean;
}

const MOST_KEPT_JOBS = 500;
const LONGEST_NAME = 255;

export class JobList {
  readonly #options: JobListOptions;
  readonly #startedMs: number;
  readonly #jobs = new Map<number, IppJob>();
  readonly #timers = new Map<IppJob, Timer>();
  #nextId = 1;

  constructor(options: JobListOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
  }

  /** Jobs that have not ended. */
  get active(): readonly IppJob[] {
    return [...this.#jobs.values()].filter((job) => !job.isEnded);
  }

  make({ operation, asked, user }: IppRequest): IppJob {
    const { clock, printerUuid } = this.#options;
    const id = this.#nextId++;
    const name = stringOf(attributeOf(operation, 'job-name')) ?? `Job ${id}`;
    const job = new IppJob({
      id,
      uuid: uuidFor(`${printerUuid}/${this.#startedMs}/${id}`),
      name: name.slice(0, LONGEST_NAME),
      user: user.slice(0, LONGEST_NAME),
      createdMs: clock.now(),
      attributes: asked,
    });
    this.#jobs.set(id, job);
    this.#forgetOldest();
    return job;
  }

  /** Gives the job up unless its document comes in time. */
  awaitDocument(job: IppJob): void {
    const { clock } = this.#options;
    const timer = clock.schedule(MULTIPLE_OPERATION_TIMEOUT_S * 1_000, () => {
      this.#timers.delete(job);
      job.abort(clock.now(), 'no document came in time');
    });
    this.#timers.set(job, timer);
  }

  /** Its document is there, or it is over. */
  stopWaiting(job: IppJob): void {
    this.#timers.get(job)?.cancel();
    this.#timers.delete(job);
  }

  cancel(job: IppJob): void {
    this.stopWaiting(job);
    job.end('canceled', this.#options.clock.now());
  }

  /** Ends a job whose document did not come: nothing of it is printed. */
  abort(job: IppJob, why: string): void {
    this.stopWaiting(job);
    job.abort(this.#options.clock.now(), why);
  }

  /** The job that a request names by its address or its id. */
  named({ operation }: IppRequest): IppJob | undefined {
    const byUri = /\/(\d+)$/.exec(stringOf(attributeOf(operation, 'job-uri')) ?? '')?.[1];
    const id = byUri === undefined ? numberOf(attributeOf(operation, 'job-id')) : Number(byUri);
    return this.#jobs.get(id ?? -1);
  }

  /** The jobs of its user that a request cancels; undefined when it names others. */
  ownOf({ operation, user }: IppRequest): readonly IppJob[] | undefined {
    const ids = (attributeOf(operation, 'job-ids')?.values ?? []).flatMap((value) =>
      value.type === 'integer' ? [value.value] : [],
    );
    const own = this.active.filter((job) => job.ticket.user === user);
    const chosen = ids.length === 0 ? own : own.filter((job) => ids.includes(job.ticket.id));
    return chosen.length < new Set(ids).size ? undefined : chosen;
  }

  list({ operation, user }: IppRequest): Answer {
    const which = stringOf(attributeOf(operation, 'which-jobs')) ?? 'not-completed';
    if (!(WHICH_JOBS as readonly string[]).includes(which)) {
      return notSupported([keyword('which-jobs', which)]);
    }
    const onlyMine = isTrue(attributeOf(operation, 'my-jobs'));
    const limit = numberOf(attributeOf(operation, 'limit')) ?? Infinity;
    const asked = stringsOf(attributeOf(operation, 'requested-attributes'));
    const wanted = asked.length > 0 ? asked : ['job-id', 'job-uri'];
    const jobs = [...this.#jobs.values()].filter(
      (job) => this.#isOneOf(which, job) && (!onlyMine || job.ticket.user === user),
    );
    const newestFirst = which === 'not-completed' || which === 'pending' ? jobs : jobs.toReversed();
    return { status: 'successful-ok', groups: newestFirst.slice(0, limit).map((job) => this.describe(job, wanted)) };
  }

  /** Attributes of a job by their names, or by the groups `all`, `job-template` and `job-description`. */
  describe(job: IppJob, wanted: readonly string[]): IppGroup {
    const { clock, printerUri, isPrinterStopped } = this.#options;
    const isAll = wanted.length === 0 || wanted.includes('all');
    const attributes = job.attributes(printerUri, this.#startedMs, clock.now(), isPrinterStopped());
    const chosen = attributes.filter(
      (attribute) =>
        isAll ||
        wanted.includes(attribute.name) ||
        wanted.includes(isJobDescription(attribute) ? 'job-description' : 'job-template'),
    );
    return { type: 'job', attributes: chosen };
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #isOneOf(which: string, job: IppJob): boolean {
    if (which === 'all') return true;
    if (which === 'not-completed') return !job.isEnded;
    if (which === 'completed') return job.isEnded;
    return job.state(this.#options.isPrinterStopped()) === which;
  }

  /** Jobs that are over are forgotten from the oldest on. */
  #forgetOldest(): void {
    if (this.#jobs.size <= MOST_KEPT_JOBS) return;
    const oldest = [...this.#jobs.values()].find((job) => job.isEnded);
    if (oldest) this.#jobs.delete(oldest.ticket.id);
  }
}

function isJobDescription({ name }: IppAttribute): boolean {
  return /^(job|time|date-time|document)-/.test(name);
}
