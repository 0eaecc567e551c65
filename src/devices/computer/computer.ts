/**
 * Virtual computer: what a client program on a real one does. It connects, reports itself, its
 * printers and scales, takes jobs, hands them to a printer and reports their states.
 *
 *   service ══ link ══ connection-keeper.ts ── jobs ──► job-intake.ts ─► spooler ─► printer
 *                                           ◄─ states ──
 *
 * Reports are kept until the service has acknowledged them, also across connections. After a drop the
 * computer reconnects by itself. It can have every bad day of a real one: methods for what comes from
 * outside (crash, sleep, a renamed printer), fault rules for what happens at a point of a job's way.
 * An idle computer has no timer.
 */

import { usageError } from '../../common/actionable-error.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { Firing } from '../../common/fault-plan.ts';
import { placeOf } from '../../common/fault-rule.ts';
import type { Random } from '../../common/random.ts';
import {
  LinkError,
  type DeliveredJob,
  type LinkCredential,
  type LinkFailure,
  type LinkSession,
} from '../../link/device-link.ts';
import type { ClientReport } from '../../link/messages.ts';
import type { Press } from '../press/press.ts';
import { VirtualPrinter, type PrinterDescription } from '../printer/printer.ts';
import { ScaleStation, type StationOwner } from '../scale/scale-station.ts';
import type { ScaleDescription, ScaleOptions, VirtualScale } from '../scale/scale.ts';
import { ConnectionKeeper, type KeeperOptions, type KeeperOwner } from './connection-keeper.ts';
import { crashOf, type Crash } from './crash-points.ts';
import { logIn, type DelegatedLogin } from './delegated-login.ts';
import { JobIntake, type IntakeOptions, type IntakeOwner } from './job-intake.ts';

export interface ComputerDescription {
  readonly name: string;
  readonly hostname?: string | null | undefined;
  readonly inet?: string | null | undefined;
  /** Version and edition of the client program. */
  readonly version?: string | null | undefined;
  readonly edition?: string | null | undefined;
  /** A UUID. Two computers with the same one are a copied configuration; one of its own unless given. */
  readonly installationId?: string | undefined;
  /** A program of long ago: it reports less of a job and knows fewer options. */
  readonly oldClient?: boolean | undefined;
  /** Connects with it instead of the room's credential. */
  readonly credential?: LinkCredential | undefined;
  /** Source address of its connections, where the machine has several. */
  readonly localAddress?: string | undefined;
  /** How far its clock is ahead of the true time, in milliseconds. */
  readonly clockSkewMs?: number | undefined;
  /** Gets its client key at the caller's authentication endpoint, instead of the room's credential. */
  readonly login?: DelegatedLogin | undefined;
  readonly printers: readonly PrinterDescription[];
  readonly scales?: readonly ScaleDescription[] | undefined;
}

/** What the computers of a room share. */
export interface ComputerOptions extends KeeperOptions, IntakeOptions, ScaleOptions {
  readonly clock: Clock;
  /** Each computer takes a stream of its own. */
  readonly random: Random;
  readonly press: Press;
  /** How long printing takes: 1 is as long as the machines would need, 0 no time. */
  readonly timeScale: number;
  readonly credential: LinkCredential;
  readonly trayCapacity: number;
}

/** A client program that died is started again by its watchdog. */
const DOWN_MS = 5_000;
/** A century: a time beyond the year 9999 is not a timestamp of the link. */
const WORST_SKEW_MS = 100 * 365.25 * 86_400_000;

export class VirtualComputer implements KeeperOwner, IntakeOwner, StationOwner {
  readonly isOldClient: boolean;
  readonly #number: number;
  readonly #program: Omit<ClientReport, 'installationId'>;
  readonly #installationId: string | undefined;
  readonly #options: ComputerOptions;
  #printers: readonly VirtualPrinter[];
  readonly #scaleStation: ScaleStation;
  readonly #login: DelegatedLogin | undefined;
  readonly #credential: LinkCredential;
  readonly localAddress: string | undefined;
  readonly #keeper: ConnectionKeeper;
  #ownRandom: Random | undefined;
  /** Made with the first job: most computers of a large room are idle. */
  #intake: JobIntake | undefined;
  #clockSkewMs = 0;
  #printersSoFar = 0;
  #clientKey: LinkCredential | undefined;
  #restart: Timer | undefined;

  /** @param number - counts the computers of its room, from 1; what it leaves to chance follows from it */
  constructor(number: number, description: ComputerDescription, options: ComputerOptions) {
    this.#number = number;
    this.#options = options;
    this.#printers = description.printers.map((printer) => this.#make(printer));
    this.#installationId = description.installationId;
    this.#program = {
      computerName: description.name,
      hostname: description.hostname ?? null,
      inet: description.inet ?? null,
      inet6: null,
      version: description.version ?? null,
      edition: description.edition ?? null,
    };
    this.isOldClient = description.oldClient ?? false;
    this.#login = description.login;
    this.#credential = description.credential ?? options.credential;
    this.localAddress = description.localAddress;
    this.skewClock(description.clockSkewMs ?? 0);
    this.#scaleStation = new ScaleStation(description.scales ?? [], options, this);
    this.#keeper = new ConnectionKeeper(this, options);
  }

  get name(): string {
    return this.#program.computerName;
  }

  /** How it introduces itself to the service. */
  get client(): ClientReport {
    const installationId = this.#installationId ?? this.#stream().stream('installation').uuid();
    return { installationId, ...this.#program };
  }

  /** What it believes the time is: its reports carry this time; nothing waits by it. */
  now(): number {
    return this.#options.clock.now() + this.#clockSkewMs;
  }

  get random(): Random {
    this.#ownRandom ??= this.#stream();
    return this.#ownRandom;
  }

  get place(): string {
    return placeOf('computer', this.name);
  }

  get printers(): readonly VirtualPrinter[] {
    return this.#printers;
  }

  get scales(): readonly VirtualScale[] {
    return this.#scaleStation.scales;
  }

  get connected(): boolean {
    return this.session?.connected ?? false;
  }

  get session(): LinkSession | undefined {
    return this.#keeper.session;
  }

  /** The id the service knows it by; undefined before the first connection and after a disconnect. */
  get id(): number | undefined {
    return this.session?.computerId;
  }

  /** Why the last connection ended or could not be made; a refused login as well. */
  get lastFailure(): LinkFailure | undefined {
    return this.#keeper.lastFailure;
  }

  /** Jobs taken and not finished. */
  holding(): readonly number[] {
    return this.#intake?.holding() ?? [];
  }

  printerWithKey(key: string): VirtualPrinter | undefined {
    return this.#printers.find((printer) => printer.key === key);
  }

  /** Connects and reports printers and scales; resolves when the service knows them. @throws LinkError */
  connect(): Promise<void> {
    return this.#keeper.connect();
  }

  /** Connects as soon as possible: tries again after a failure, as after a drop. A crashed one starts by itself. */
  start(): void {
    if (!this.#restart) this.#keeper.start();
  }

  /** Says goodbye. Jobs under way go on; their states are reported at the next connection. */
  async disconnect(): Promise<void> {
    if (this.#restart) this.#intake?.restart();
    this.#restart?.cancel();
    this.#restart = undefined;
    await this.#keeper.disconnect();
  }

  /** Cuts the connection as a pulled plug would; the computer comes back by itself. */
  cut(): void {
    this.#keeper.cut();
  }

  /**
   * The client program dies, and with it what it was working on; after `downMs` (5 s unless given) it
   * runs again and takes up what its store holds. With `forget` the store is lost: what is delivered again
   * prints again.
   */
  crash({ forget = false, downMs = DOWN_MS }: Crash = {}): void {
    this.#keeper.abandon();
    this.#intake?.die(forget);
    this.#restart?.cancel();
    this.#restart = this.#options.clock.schedule(downMs, () => {
      this.#restart = undefined;
      this.#intake?.restart();
      this.#keeper.start();
    });
  }

  crashBy(firing: Firing): void {
    this.crash(crashOf(firing, this.#options.clock.now()));
  }

  /** Neither reads nor sends until `wake`, and the service has to find that out. Work on jobs goes on. */
  sleep(): void {
    this.#scaleStation.fallSilent();
    this.#keeper.sleep();
  }

  wake(): void {
    this.#keeper.wake();
  }

  get isAsleep(): boolean {
    return this.#keeper.isAsleep;
  }

  /** Connects again while the service still takes the old connection to be alive. @throws LinkError */
  leaveGhost(): Promise<void> {
    return this.#keeper.leaveGhost();
  }

  /** Sets its clock ahead, or back; the times in its reports follow. @throws ActionableError beyond a century */
  skewClock(byMs: number): void {
    const skewMs = this.#clockSkewMs + byMs;
    if (!(Math.abs(skewMs) <= WORST_SKEW_MS)) {
      const message = `a computer's clock cannot be ${skewMs} ms wrong`;
      throw usageError(message, 'Give clockSkewMs of a century at most.');
    }
    this.#clockSkewMs = skewMs;
  }

  addPrinter(description: PrinterDescription): VirtualPrinter {
    const printer = this.#make(description);
    this.#printers = [...this.#printers, printer];
    this.#reportPrinters();
    return printer;
  }

  /** Gives a printer another name, under which it is reported; to the service it stays the same printer. */
  renamePrinter(printer: VirtualPrinter, name: string): void {
    printer.rename(name);
    this.#reportPrinters();
  }

  /** Removes a printer: the report lacks it, and jobs for it end in `error`. */
  removePrinter(printer: VirtualPrinter): void {
    if (!this.#printers.includes(printer)) return;
    printer.close();
    this.#printers = this.#printers.filter((one) => one !== printer);
    this.#reportPrinters();
  }

  addScale(description: ScaleDescription): VirtualScale {
    return this.#scaleStation.add(description);
  }

  /** Takes a scale away: the list lacks it. */
  removeScale(scale: VirtualScale): void {
    this.#scaleStation.remove(scale);
  }

  async credential(): Promise<LinkCredential> {
    if (!this.#login) return this.#credential;
    this.#clientKey ??= await this.#logIn(this.#login);
    return this.#clientKey;
  }

  credentialRefused(): void {
    this.#clientKey = undefined;
  }

  onJob(job: DeliveredJob): Promise<void> {
    this.#intake ??= new JobIntake(this, this.#options);
    return this.#intake.take(job);
  }

  onRefresh(): void {
    this.refresh();
  }

  /** Reports printers and scales again, as the service may ask. */
  refresh(): void {
    const { session } = this;
    // A session that ends first takes the report with it; the next connection reports again.
    if (session) this.#reportTo(session).catch(() => undefined);
  }

  onConnected(session: LinkSession): Promise<void> {
    this.#intake?.sendReports(session);
    return this.#reportTo(session);
  }

  #make(description: PrinterDescription): VirtualPrinter {
    return new VirtualPrinter(++this.#printersSoFar, description, this.#options, this);
  }

  #stream(): Random {
    return this.#options.random.stream(`computer ${this.#number}`);
  }

  #reportPrinters(): void {
    if (this.session) this.#reportPrintersTo(this.session).catch(() => undefined);
  }

  #reportPrintersTo(session: LinkSession): Promise<void> {
    return session.reportPrinters(this.#printers.map((printer) => printer.report()));
  }

  async #reportTo(session: LinkSession): Promise<void> {
    await Promise.all([this.#reportPrintersTo(session), this.#scaleStation.report(session)]);
  }

  async #logIn(login: DelegatedLogin): Promise<LinkCredential> {
    const { installationId: uuid, version, edition, computerName } = this.client;
    const identity = { uuid, version: version ?? '', edition: edition ?? '', computer: computerName };
    const answer = await logIn(login, identity, this.#options.clock);
    if (!answer.ok) throw new LinkError(answer.error);
    return answer.value;
  }
}
