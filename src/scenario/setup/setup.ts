/**
 * Setup of a scenario: the target, the room connected to it, the sinks of its caller, and the names that its steps
 * have given so far.
 *
 *   steps ─► setup ─┬─ api ──► service ◄── link ── room
 *                   └─ sinks ◄──┘
 */

import { usageError } from '../../common/actionable-error.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import { durationMs } from '../../common/duration.ts';
import type { Decision, FaultPlan } from '../../common/fault-plan.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import type { RoomFaults } from '../../devices/room-faults.ts';
import type { Room } from '../../devices/room.ts';
import { printerNamed } from '../../targets/account-printer.ts';
import { actingFor, type ChildAccount } from '../../targets/child-account.ts';
import type { ServiceClient } from '../../targets/service-client.ts';
import type { Target } from '../../targets/target.ts';
import { startFaultProxy, type FaultProxy } from '../../wire/fault-proxy.ts';
import type { OwnFiles } from '../vocabulary/own-files.ts';
import type { Cast } from './cast.ts';
import type { Recorder } from './recorder.ts';
import { PrintDesk } from './print-desk.ts';
import { historiesIn, jobStates, printers, readRecord, type JobStateRecord, type PrinterRecord } from './records.ts';
import { unseenOn } from './sight.ts';
import type { Sinks } from './sinks.ts';

/** A job of the service, by the name that the scenario gave it. */
export interface SubmittedJob {
  readonly name: string;
  readonly id: number;
  /** The name that steps have for its printer. */
  readonly printer: string;
  /** The bytes of the document, if they were part of the submission. */
  readonly content: Uint8Array | undefined;
}

export interface ScenarioWebhook {
  readonly id: number;
  /** Path on the receiver. */
  readonly path: string;
}

/** The account of a scenario with `account: child`. The client makes, suspends and deletes it. */
export interface ScenarioChild extends ChildAccount {
  readonly integrator: ServiceClient;
}

/** What a setup is made of. */
class SetupParts {
  declare readonly target: Target;
  declare readonly room: Room;
  declare readonly cast: Cast;
  declare readonly api: ServiceClient;
  declare readonly sinks: Sinks;
  /** The account of the scenario, where it is not that of the target. */
  declare readonly child: ScenarioChild | undefined;
  /** Decides what goes wrong; `faults` puts rules in force, also for faults without occasions. */
  declare readonly plan: FaultPlan;
  declare readonly faults: RoomFaults;
  /** Everything that was seen of the service. */
  declare readonly recorder: Recorder;
  /** Letters for names that no other play of the scenario gives on the same service. */
  declare readonly run: string;
  declare readonly files: OwnFiles;

  constructor(parts: SetupParts) {
    Object.assign(this, parts);
  }
}

/** A line of what happened, in milliseconds since the scenario began. */
export interface LogLine {
  readonly atMs: number;
  readonly what: string;
}

/** What a fault rule decided at one occasion, in milliseconds since the scenario began. */
export type FaultDecision = Omit<Decision, 'rule'>;

interface WaitFor<Value> {
  readonly limit: string;
  /** Returns the awaited value, or undefined to go on waiting. */
  readonly probe: () => Promise<Value | undefined> | Value | undefined;
}

const LONGEST_WORK = '1m';
const STATES_AT_ONCE = 100;
/** In real time. */
const REST_MS = 1_000;
const NOT_FOUND = 404;
/** Above the interval at which a service begins to answer 429. */
const LOOK_EVERY_MS = 150;
const LOOK_EVERY_SHARE = 0.05;

export class Setup extends SetupParts {
  readonly jobs = new Map<string, readonly SubmittedJob[]>();
  readonly webhooks = new Map<string, ScenarioWebhook>();
  readonly values = new Map<string, string>();
  readonly log: LogLine[] = [];
  /** What was done to the room on purpose that excuses a service: frames were lost, answers made up. */
  readonly excuses = new Set<'link' | 'http'>();
  readonly #beganMs: number;
  /** The same moment on the clock of room and faults, which may differ from that of the service. */
  readonly #beganInRoomMs: number;
  readonly #ended = new AbortController();
  #proxy: Promise<FaultProxy> | undefined;
  #printDesk: Promise<PrintDesk> | undefined;
  readonly #printerIds = new Map<VirtualPrinter, number>();

  constructor(parts: SetupParts) {
    super(parts);
    this.#beganMs = parts.target.timekeeper.now();
    this.#beganInRoomMs = parts.target.clock.now();
  }

  /** The time of the target. `close` ends a wait on real time; on virtual time all is quiet after each. */
  get time(): Timekeeper {
    const { timekeeper, clock } = this.target;
    const { signal } = this.#ended;
    if (!timekeeper.isVirtual)
      return { ...timekeeper, elapse: (duration) => sleep(clock, durationMs(duration), signal) };
    return {
      ...timekeeper,
      elapse: async (duration) => {
        await timekeeper.elapse(duration);
        // What a hook moves runs elsewhere: it may still be at work.
        if (timekeeper.moved === undefined) this.recorder.quiet();
      },
    };
  }

  /** The print system of the scenario, started when it is first asked for. @throws ActionableError without CUPS */
  printDesk(): Promise<PrintDesk> {
    this.#printDesk ??= PrintDesk.open(this.room, this.target.clock);
    return this.#printDesk;
  }

  /** From now on requests meet the faults of the plan at `http/METHOD path` on their way. */
  async meetHttpFaults(): Promise<void> {
    const { clock, baseUrl } = this.target;
    this.#proxy ??= startFaultProxy({ clock, faults: this.plan, serviceUrl: baseUrl });
    this.api.goThrough((await this.#proxy).url);
  }

  /**
   * Ends what still waits, closes room, sinks and connections, and deletes what the scenario made on a service
   * that goes on without it. Only what is known by its id is ever deleted.
   */
  async close(): Promise<void> {
    this.#ended.abort(new Error('the scenario is over'));
    try {
      if (this.target.kind !== 'embedded') await this.#deleteAll();
    } finally {
      this.faults.clear();
      await (await this.#printDesk?.catch(() => undefined))?.close();
      await this.room.close();
      await Promise.all([this.sinks.close(), this.api.close(), this.child?.integrator.close()]);
      await (await this.#proxy)?.close();
    }
  }

  async #deleteAll(): Promise<void> {
    const { api, cast, child, webhooks } = this;
    const gone = { method: 'DELETE', isPatient: true } as const;
    for (const { id } of webhooks.values()) await api.send({ ...gone, path: `/webhook/${id}` });
    const computers = cast.computerIds();
    if (child) {
      const headers = actingFor(child.id);
      await child.integrator.send({ ...gone, path: '/account', headers });
    } else if (computers.length > 0) {
      await api.send({ ...gone, path: `/computers/${computers.join(',')}` });
    }
  }

  /** Milliseconds since the scenario began, or until the time given. */
  elapsedMs(untilMs: number = this.time.now()): number {
    return untilMs - this.#beganMs;
  }

  /** What the fault plan decided, oldest first. */
  decisions(): readonly FaultDecision[] {
    return this.plan.decisions.map(({ atMs, place, occasion, fault, fired }) => ({
      atMs: atMs - this.#beganInRoomMs,
      place,
      occasion,
      fault,
      fired,
    }));
  }

  note(what: string): void {
    this.log.push({ atMs: this.elapsedMs(), what });
  }

  computer(name: string): VirtualComputer {
    return this.cast.computer(name);
  }

  printer(name: string): VirtualPrinter {
    return this.cast.printer(name).printer;
  }

  /** The jobs of this name; one, unless they were submitted several at a time. */
  jobsNamed(name: string): readonly SubmittedJob[] {
    return this.jobs.get(name) ?? [];
  }

  namesOfJob(id: number): readonly string[] {
    return [...this.jobs.values()].flat().flatMap((job) => (job.id === id ? [job.name] : []));
  }

  /** Nothing of the room of the scenario is connected to the service. */
  get isUnseen(): boolean {
    return unseenOn(this.target) !== undefined;
  }

  async printerId(name: string): Promise<number> {
    const { usePrinter } = this.target;
    if (this.isUnseen && usePrinter !== undefined) return this.#idOfBorrowed(usePrinter);
    const { computer, printer } = this.cast.printer(name);
    const known = this.#printerIds.get(printer);
    if (known !== undefined) return known;
    const alike = computer.printers.filter((other) => other.name === printer.name);
    const records = await this.printersOf(computer);
    const record = records.filter((each) => each.name === printer.name)[alike.indexOf(printer)];
    if (!record) throw new Error(`the service does not know the printer '${printer.name}' of ${computer.name}`);
    this.#printerIds.set(printer, record.id);
    return record.id;
  }

  /** A printer of the account that platen does not run. */
  async #idOfBorrowed(named: string): Promise<number> {
    const found = printerNamed(await this.api.listAll('/printers'), named);
    if (found) return Number(found['id']);
    throw usageError(`the account has no printer '${named}' any more`, 'Is its computer still connected?');
  }

  /** The service's records of the printers of a computer, oldest first. */
  async printersOf(computer: VirtualComputer): Promise<readonly PrinterRecord[]> {
    const path = `/computers/${this.cast.computerId(computer)}/printers?dir=asc`;
    return readRecord(printers, await this.api.look(path), path);
  }

  /** The states of these jobs according to the service, oldest first; in the order of the jobs. */
  async states(jobs: readonly SubmittedJob[]): Promise<readonly (readonly JobStateRecord[])[]> {
    const histories = new Map<number, readonly JobStateRecord[]>();
    for (let first = 0; first < jobs.length; first += STATES_AT_ONCE) {
      const ids = jobs.slice(first, first + STATES_AT_ONCE).map(({ id }) => id);
      const states = await this.#statesOf(ids);
      for (const [id, history] of historiesIn(states)) histories.set(id, history);
    }
    return jobs.map(({ id }) => histories.get(id) ?? []);
  }

  /** One by one where the set is refused: a job that was cancelled may be known no longer. */
  async #statesOf(ids: readonly number[]): Promise<readonly JobStateRecord[]> {
    const path = `/printjobs/${ids.join(',')}/states`;
    const { status, value } = await this.api.lookFor(path);
    if (status !== NOT_FOUND) return readRecord(jobStates, value, path);
    if (ids.length === 1) return [];
    return (await Array.fromAsync(ids, (id) => this.#statesOf([id]))).flat();
  }

  /** What the printers of the room printed for a job, in the order of its submissions. */
  printouts(job: SubmittedJob): readonly Printout[] {
    this.cast.ensureSeen(`the paper of ${job.name}`);
    return this.room.printouts(job.id).toSorted((a, b) => a.submission - b.submission);
  }

  /** Lets everything finish that the steps have begun, also where a hook moves the clock of another process. */
  async comeToRest(): Promise<void> {
    await this.settle();
    if (this.time.moved === undefined) return;
    await this.rest();
    this.recorder.quiet();
  }

  /** What is on its way arrives. */
  rest(): Promise<void> {
    return sleep(systemClock, REST_MS, this.#ended.signal);
  }

  /** Lets everything in progress finish. */
  settle(): Promise<void> {
    return this.time.elapse(0);
  }

  /**
   * Waits for work that may take time of the target's, such as a connection over which nothing is read for now. What
   * takes longer than a handshake may goes on beside the steps that follow.
   */
  async letFinish(work: Promise<void>): Promise<void> {
    if (!this.time.isVirtual) return work;
    let isOver = false;
    void Promise.allSettled([work]).then(() => (isOver = true));
    if (await this.waitFor({ limit: LONGEST_WORK, probe: () => isOver || undefined })) await work;
  }

  /**
   * Waits until the probe finds its value; the time that passes is the target's own.
   *
   * @returns undefined when the limit is reached
   */
  async waitFor<Value>({ limit, probe }: WaitFor<Value>): Promise<Value | undefined> {
    await this.settle();
    const limitMs = durationMs(limit);
    const beganMs = this.time.now();
    for (;;) {
      const found = await probe();
      if (found !== undefined) return found;
      const waitedMs = this.time.now() - beganMs;
      if (waitedMs >= limitMs) return undefined;
      // Probing less often the longer it takes makes a virtual hour as quick as a virtual minute.
      const pauseMs = Math.max(LOOK_EVERY_MS, Math.round(waitedMs * LOOK_EVERY_SHARE));
      await this.time.elapse(Math.min(pauseMs, limitMs - waitedMs));
    }
  }
}
