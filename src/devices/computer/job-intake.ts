/**
 * Job intake: what a computer does with the jobs that come over the link.
 *
 *   job ─► known? acknowledge, print nothing
 *            └─► memory ─► spooler ─► printer
 *   service ◄── states, kept in the memory until acknowledged
 *
 * A crash ends the work and leaves the memory. After the restart, a job in it that had not reached the print
 * queue starts over; one that had is only reported.
 *
 * An old client reports less and knows fewer options (versioning, "very old clients may not support newer
 * print options"). Choice: which options are newer is not said; those a print queue can do without count.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FaultPlan, Firing } from '../../common/fault-plan.ts';
import type { Random } from '../../common/random.ts';
import type { DeliveredJob, DeviceLink, JobStateReport, LinkSession } from '../../link/device-link.ts';
import type { VirtualPrinter } from '../printer/printer.ts';
import { spoolJob, type SpoolerTools, type SpoolState } from '../printer/spooler.ts';
import { FORGET_JOB, ProgramDied, type CrashPoint } from './crash-points.ts';
import { JobMemory, type HeldJob } from './job-memory.ts';

/** The computer that takes the jobs. */
export interface IntakeOwner {
  /** Its name as a place for faults. */
  readonly place: string;
  readonly isOldClient: boolean;
  readonly random: Random;
  /** What it believes the time is. */
  now(): number;
  /** Where reports go now; undefined while there is no connection. */
  readonly session: LinkSession | undefined;
  printerWithKey(key: string): VirtualPrinter | undefined;
  /** A fault kills the program. */
  crashBy(firing: Firing): void;
}

export interface IntakeOptions extends SpoolerTools {
  readonly faults?: FaultPlan | undefined;
  readonly link: DeviceLink;
}

/** Messages quote option values, which a caller may make as long as it likes. */
const LONGEST_MESSAGE = 1_000;

/** What an old client calls the states that it reports. */
const OLD_NAMES: Readonly<Partial<Record<SpoolState, string>>> = {
  received: 'queued',
  preparing_to_print: 'in_progress',
  done: 'done',
  error: 'error',
};
const NEWER_OPTIONS: ReadonlySet<string> = new Set(['color', 'media', 'nup']);

export class JobIntake {
  readonly #owner: IntakeOwner;
  readonly #options: IntakeOptions;
  #memory = new JobMemory();
  /** Rises with each crash: work of an earlier life no longer counts. */
  #life = 0;

  constructor(owner: IntakeOwner, options: IntakeOptions) {
    this.#owner = owner;
    this.#options = options;
  }

  /** Jobs taken and not finished. */
  holding(): readonly number[] {
    return this.#memory.underWay().map(({ job }) => job.jobId);
  }

  /** Resolves, and so acknowledges, once the job is remembered. @throws ProgramDied */
  async take(job: DeliveredJob): Promise<void> {
    this.#mayDie('crash-before-received');
    this.#options.observer?.delivered?.(job, this.#owner.printerWithKey(job.printerKey));
    if (this.#memory.knows(job.jobId) && this.#printsAgain()) this.#memory.forget(job.jobId);
    if (!this.#memory.take(job)) return;
    this.#mayDie('crash-before-acknowledged');
    void this.#run(job);
  }

  /** Sends what the service has not acknowledged. */
  sendReports(session: LinkSession): void {
    for (const report of this.#memory.reports()) this.#send(session, report);
  }

  /** Ends all work. The memory stays, unless `forget` says otherwise. */
  die(forget: boolean): void {
    this.#life++;
    if (forget) this.#memory = new JobMemory();
  }

  restart(): void {
    for (const held of this.#memory.underWay()) this.#resume(held);
  }

  #resume({ job, end }: HeldJob): void {
    if (!end) void this.#run(job);
    else if (!this.#memory.reports().some(({ jobId, state }) => jobId === job.jobId && state === end.state))
      this.#report(job.jobId, end.state, end.message);
  }

  async #run(job: DeliveredJob): Promise<void> {
    const life = this.#life;
    // The acknowledgement goes out before the first state does.
    await nextTurn();
    try {
      if (life === this.#life) this.#mayDie('crash-after-acknowledged');
      const printer = this.#owner.printerWithKey(job.printerKey);
      const understood = this.#owner.isOldClient ? withoutNewerOptions(job) : job;
      await spoolJob(understood, printer, this.#options, (state, message) =>
        this.#reached(life, job.jobId, state, message),
      );
    } catch (error) {
      if (!(error instanceof ProgramDied)) throw error;
    }
  }

  /** A job has reached a state. @throws ProgramDied when its program has died, or dies here */
  #reached(life: number, jobId: number, state: SpoolState, message?: string): void {
    if (life !== this.#life) throw new ProgramDied();
    if (state === 'done' || state === 'error') this.#memory.conclude(jobId, { state, message });
    if (state === 'done') this.#mayDie('crash-after-spooled');
    this.#report(jobId, state, message);
    if (state === 'queued_to_print') this.#mayDie('crash-before-spooled');
    if (state === 'done') this.#mayDie('crash-after-done');
  }

  #report(jobId: number, state: SpoolState, message: string | undefined): void {
    const name = this.#owner.isOldClient ? OLD_NAMES[state] : state;
    if (name === undefined) return;
    const nowMs = this.#owner.now();
    const report: JobStateReport = {
      id: `${jobId}-${nowMs}-${this.#owner.random.hex(8)}`,
      jobId,
      state: name,
      message: message?.slice(0, LONGEST_MESSAGE) ?? null,
      data: null,
      createTimestamp: new Date(nowMs).toISOString(),
    };
    this.#memory.keep(report);
    if (this.#owner.session) this.#send(this.#owner.session, report);
  }

  #send(session: LinkSession, report: JobStateReport): void {
    // Not acknowledged: the report stays in the memory for the next session.
    session.reportJobState(report).then(
      () => {
        this.#memory.acknowledged(report);
        this.#options.observer?.reported?.(report.jobId, report.state);
      },
      () => undefined,
    );
  }

  /** What a client program delivers has come out of its printers: each time it is paper. */
  #printsAgain(): boolean {
    return this.#options.link.program !== undefined || this.#happens(FORGET_JOB);
  }

  #happens(fault: string): boolean {
    return this.#options.faults?.fires(this.#owner.place, fault) !== undefined;
  }

  #mayDie(point: CrashPoint): void {
    const firing = this.#options.faults?.fires(this.#owner.place, point);
    if (!firing) return;
    this.#owner.crashBy(firing);
    throw new ProgramDied();
  }
}

function withoutNewerOptions(job: DeliveredJob): DeliveredJob {
  const options = Object.entries(job.options).filter(([name]) => !NEWER_OPTIONS.has(name));
  return { ...job, options: Object.fromEntries(options) };
}
