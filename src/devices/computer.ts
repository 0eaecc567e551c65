/**
 * Virtual computer: what a client program on a real one does. It connects, reports itself and its
 * printers, takes jobs, hands them to a printer and reports their states.
 *
 *   service ══ link ══► onJob ─► memory (known? acknowledge, print nothing)
 *                                   └─► spooler ─► printer
 *           ◄══ link ══ outbox ◄── states
 *
 * Reports stay in the outbox until the service has acknowledged them, also over a new connection. After
 * a drop the computer connects again by itself (backoff.ts). An idle computer has no timer.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock, Timer } from '../common/clock.ts';
import type { Random } from '../common/random.ts';
import {
  LinkError,
  type DeliveredJob,
  type DeviceLink,
  type JobStateReport,
  type LinkCredential,
  type LinkFailure,
  type LinkSession,
} from '../link/device-link.ts';
import type { ClientReport } from '../link/messages.ts';
import { backoffMs } from './backoff.ts';
import { JobMemory } from './job-memory.ts';
import type { Press } from './press.ts';
import { VirtualPrinter, type PrinterDescription } from './printer.ts';
import { ScaleStation } from './scale-station.ts';
import type { ScaleDescription, VirtualScale } from './scale.ts';
import { spoolJob, type SpoolerTools, type SpoolState } from './spooler.ts';

export interface ComputerDescription {
  readonly name: string;
  readonly hostname?: string | null;
  readonly inet?: string | null;
  /** Version and edition of the client program. */
  readonly version?: string | null;
  readonly edition?: string | null;
  readonly printers: readonly PrinterDescription[];
  readonly scales?: readonly ScaleDescription[];
  /** How far its clock is ahead, as the times of its readings show; none unless given. */
  readonly clockSkewMs?: number;
}

/** What a computer is given to live with; a room shares most of it. */
export interface ComputerParts extends SpoolerTools {
  readonly clock: Clock;
  readonly press: Press;
  /** How long printing takes: 1 is as long as the machines would need, 0 no time. */
  readonly timeScale: number;
  /** This computer's own stream. */
  readonly random: Random;
  readonly link: DeviceLink;
  readonly serviceUrl: string;
  readonly credential: LinkCredential;
  /** How many printouts each output tray holds. */
  readonly trayCapacity: number;
}

/** Failures that another attempt will not mend. A refusal may pass: services restart behind proxies. */
const FINAL: ReadonlySet<LinkFailure['reason']> = new Set(['unauthorized', 'no-common-version']);
/** Messages quote option values, which a caller may make as long as it likes. */
const LONGEST_MESSAGE = 1_000;
/** After a connection that lasted this long the backoff begins anew; a shorter one counts as a failure. */
const GOOD_CONNECTION_MS = 30_000;

export class VirtualComputer {
  readonly name: string;
  readonly printers: readonly VirtualPrinter[];
  readonly #scaleStation: ScaleStation;
  readonly #parts: ComputerParts;
  readonly #client: ClientReport;
  readonly #memory = new JobMemory();
  /** Reports that the service has not acknowledged, oldest first. */
  readonly #outbox = new Set<JobStateReport>();
  #session: LinkSession | undefined;
  #opening: Promise<LinkSession> | undefined;
  #retry: Timer | undefined;
  #failures = 0;
  #connectedSinceMs = 0;
  #lastFailure: LinkFailure | undefined;

  constructor(description: ComputerDescription, parts: ComputerParts) {
    this.name = description.name;
    this.#parts = parts;
    this.printers = description.printers.map(
      (printer, index) => new VirtualPrinter(`printer-${index + 1}`, printer, parts, this),
    );
    this.#scaleStation = new ScaleStation(description.scales ?? [], {
      clock: parts.clock,
      random: parts.random,
      clockSkewMs: description.clockSkewMs ?? 0,
    });
    this.#client = {
      installationId: parts.random.stream('installation').uuid(),
      computerName: description.name,
      hostname: description.hostname ?? null,
      inet: description.inet ?? null,
      inet6: null,
      version: description.version ?? null,
      edition: description.edition ?? null,
    };
  }

  get scales(): readonly VirtualScale[] {
    return this.#scaleStation.scales;
  }

  get connected(): boolean {
    return this.#session?.connected ?? false;
  }

  /** The id the service knows it by; undefined before the first connection and after a disconnect. */
  get id(): number | undefined {
    return this.#session?.computerId;
  }

  /** Why the last connection ended or could not be made. */
  get lastFailure(): LinkFailure | undefined {
    return this.#lastFailure;
  }

  /** Jobs taken and not finished. */
  holding(): readonly number[] {
    return this.#memory.underWay();
  }

  /** Connects and reports printers and scales; resolves when the service knows them. @throws LinkError */
  async connect(): Promise<void> {
    if (this.#session) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    const session = await this.#opening;
    await Promise.all([session.reportPrinters(this.#printerReports()), this.#scaleStation.report(session)]);
  }

  /** Says goodbye. Jobs under way go on; their states are reported at the next connection. */
  async disconnect(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const session = this.#session;
    this.#session = undefined;
    this.#retry?.cancel();
    await session?.close();
  }

  /** Cuts the connection as a pulled plug would; the computer comes back by itself. */
  cut(): void {
    this.#session?.cut();
  }

  /** Reports printers and scales again, as the service may ask. */
  refresh(): void {
    // A session that ends first takes the report with it; the next connection reports anew.
    this.#session?.reportPrinters(this.#printerReports()).catch(() => undefined);
    if (this.#session) this.#scaleStation.report(this.#session).catch(() => undefined);
  }

  async #open(): Promise<LinkSession> {
    const { link, serviceUrl, credential, clock } = this.#parts;
    const session = await link.open({
      serviceUrl,
      credential,
      client: this.#client,
      holding: () => this.holding(),
      events: {
        onJob: (job) => this.#take(job),
        onRefresh: () => this.refresh(),
        onDrop: (failure) => this.#onDrop(failure),
      },
    });
    this.#session = session;
    this.#connectedSinceMs = clock.now();
    for (const report of this.#outbox) this.#send(session, report);
    if (!session.connected) this.#retryAfter(this.#lastFailure);
    return session;
  }

  #printerReports(): ReturnType<VirtualPrinter['report']>[] {
    return this.printers.map((printer) => printer.report());
  }

  /** Resolves, and so acknowledges, once the job is remembered. */
  async #take(job: DeliveredJob): Promise<void> {
    if (this.#memory.take(job.jobId)) void this.#run(job);
  }

  async #run(job: DeliveredJob): Promise<void> {
    // The acknowledgement goes out before the first state does.
    await nextTurn();
    const printer = this.printers.find(({ key }) => key === job.printerKey);
    await spoolJob(job, printer, this.#parts, (state, message) => this.#report(job.jobId, state, message));
  }

  #report(jobId: number, state: SpoolState, message?: string): void {
    const nowMs = this.#parts.clock.now();
    const report: JobStateReport = {
      id: `${jobId}-${nowMs}-${this.#parts.random.hex(8)}`,
      jobId,
      state,
      message: message?.slice(0, LONGEST_MESSAGE) ?? null,
      data: null,
      createTimestamp: new Date(nowMs).toISOString(),
    };
    this.#outbox.add(report);
    if (this.#session) this.#send(this.#session, report);
  }

  #send(session: LinkSession, report: JobStateReport): void {
    const acknowledged = (): void => {
      this.#outbox.delete(report);
      if (report.state === 'done' || report.state === 'error') this.#memory.finish(report.jobId);
    };
    // Not acknowledged: the report stays in the outbox for the next session.
    session.reportJobState(report).then(acknowledged, () => undefined);
  }

  #onDrop(failure: LinkFailure): void {
    const lastedMs = this.#parts.clock.now() - this.#connectedSinceMs;
    this.#failures = lastedMs >= GOOD_CONNECTION_MS ? 0 : this.#failures + 1;
    this.#retryAfter(failure);
  }

  #retryAfter(failure: LinkFailure | undefined): void {
    this.#lastFailure = failure;
    if (!this.#session || (failure && FINAL.has(failure.reason))) return;
    this.#retry?.cancel();
    const delayMs = backoffMs(this.#failures, this.#parts.random);
    this.#retry = this.#parts.clock.schedule(delayMs, () => void this.#reconnect());
  }

  async #reconnect(): Promise<void> {
    const session = this.#session;
    if (!session || session.connected) return;
    try {
      await session.reconnect();
    } catch (error) {
      this.#failures++;
      if (session === this.#session) this.#retryAfter(failureOf(error));
      return;
    }
    this.#connectedSinceMs = this.#parts.clock.now();
    this.refresh();
  }
}

function failureOf(error: unknown): LinkFailure {
  return error instanceof LinkError ? error.failure : { reason: 'protocol', message: String(error) };
}
