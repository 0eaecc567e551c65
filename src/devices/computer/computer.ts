/**
 * Virtual computer: what a client program on a real one does. It connects, reports itself, its
 * printers and scales, takes jobs, hands them to a printer and reports their states.
 *
 *   service ══ link ══ connection-keeper.ts ── jobs ──► job-desk.ts ─► spooler ─► printer
 *                                           ◄─ states ──
 *
 * Reports are kept until the service has acknowledged them, also over a new connection. After a drop
 * the computer connects again by itself. It can have all the bad days of a real one: commands for those
 * that come from outside (crash, sleep, a renamed printer), fault rules for those at a point of a job's
 * way. An idle computer has no timer.
 */

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
import type { ScaleDescription, ScaleParts, VirtualScale } from '../scale/scale.ts';
import { ComputerClock } from './computer-clock.ts';
import { ConnectionKeeper, type KeeperOwner, type KeeperParts } from './connection-keeper.ts';
import { crashOf, type Crash } from './crash-points.ts';
import { logIn, type DelegatedLogin } from './delegated-login.ts';
import { JobDesk, type DeskOwner, type DeskParts } from './job-desk.ts';

export interface ComputerDescription {
  readonly name: string;
  readonly hostname?: string | null;
  readonly inet?: string | null;
  /** Version and edition of the client program. */
  readonly version?: string | null;
  readonly edition?: string | null;
  /** A UUID. Two computers with the same one are a copied configuration; one of its own unless given. */
  readonly installationId?: string;
  /** A program of long ago: it tells less of a job and knows fewer options. */
  readonly oldClient?: boolean;
  /** Connects with it instead of the room's credential. */
  readonly credential?: LinkCredential;
  /** Source address of its connections, where the machine has several. */
  readonly localAddress?: string;
  /** How far its clock is ahead of the true time, in milliseconds. */
  readonly clockSkewMs?: number;
  /** Gets its client key at the caller's authentication endpoint, instead of the room's credential. */
  readonly login?: DelegatedLogin;
  readonly printers: readonly PrinterDescription[];
  readonly scales?: readonly ScaleDescription[];
}

/** What a computer is given to live with: one object for all computers of a room. */
export interface ComputerParts extends KeeperParts, DeskParts, ScaleParts {
  readonly clock: Clock;
  /** Each computer takes a stream of its own. */
  readonly random: Random;
  readonly press: Press;
  /** How long printing takes: 1 is as long as the machines would need, 0 no time. */
  readonly timeScale: number;
  readonly credential: LinkCredential;
  /** How many printouts each output tray holds. */
  readonly trayCapacity: number;
}

/** A client program that died is started again by its watchdog. */
const DOWN_MS = 5_000;

export class VirtualComputer implements KeeperOwner, DeskOwner, StationOwner {
  readonly isOldClient: boolean;
  /** What it believes the time is. */
  readonly clock: ComputerClock;
  readonly #number: number;
  readonly #program: Omit<ClientReport, 'installationId'>;
  readonly #installationId: string | undefined;
  readonly #parts: ComputerParts;
  #printers: readonly VirtualPrinter[];
  readonly #scaleStation: ScaleStation;
  readonly #login: DelegatedLogin | undefined;
  readonly #credential: LinkCredential;
  readonly localAddress: string | undefined;
  readonly #keeper: ConnectionKeeper;
  #ownRandom: Random | undefined;
  /** Made with the first job: most computers of a large room are idle. */
  #desk: JobDesk | undefined;
  #printersSoFar = 0;
  #clientKey: LinkCredential | undefined;
  #restart: Timer | undefined;

  /** @param number - counts the computers of its room, from 1; what it leaves to chance follows from it */
  constructor(number: number, description: ComputerDescription, parts: ComputerParts) {
    this.#number = number;
    this.#parts = parts;
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
    this.#credential = description.credential ?? parts.credential;
    this.localAddress = description.localAddress;
    this.clock = new ComputerClock(parts.clock, description.clockSkewMs ?? 0);
    this.#scaleStation = new ScaleStation(description.scales ?? [], parts, this);
    this.#keeper = new ConnectionKeeper(this, parts);
  }

  get name(): string {
    return this.#program.computerName;
  }

  /** As it says hello. */
  get client(): ClientReport {
    const installationId = this.#installationId ?? this.#stream().stream('installation').uuid();
    return { installationId, ...this.#program };
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
    return this.#desk?.holding() ?? [];
  }

  printerWithKey(key: string): VirtualPrinter | undefined {
    return this.#printers.find((printer) => printer.key === key);
  }

  /** Connects and reports printers and scales; resolves when the service knows them. @throws LinkError */
  connect(): Promise<void> {
    return this.#keeper.connect();
  }

  /** Connects as soon as that can be done: tries again after a failure, as after a drop. A crashed one starts by itself. */
  start(): void {
    if (!this.#restart) this.#keeper.start();
  }

  /** Says goodbye. Jobs under way go on; their states are reported at the next connection. */
  async disconnect(): Promise<void> {
    if (this.#restart) this.#desk?.restart();
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
    this.#desk?.die(forget);
    this.#restart?.cancel();
    this.#restart = this.#parts.clock.schedule(downMs, () => {
      this.#restart = undefined;
      this.#desk?.restart();
      this.#keeper.start();
    });
  }

  crashBy(firing: Firing): void {
    this.crash(crashOf(firing, this.#parts.clock.now()));
  }

  /** Hears and says nothing until `wake`; the service has to find that out. Work on jobs goes on. */
  sleep(): void {
    this.#scaleStation.fallSilent();
    this.#keeper.sleep();
  }

  wake(): void {
    this.#keeper.wake();
  }

  /** Connects anew while the service still holds the old connection for alive. @throws LinkError */
  leaveGhost(): Promise<void> {
    return this.#keeper.leaveGhost();
  }

  /** Sets its clock ahead by so much, or back; the times in its reports follow. @throws ActionableError beyond a century */
  skewClock(skewMs: number): void {
    this.clock.skew(skewMs);
  }

  /** Installs a printer and reports it. */
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

  /** Plugs in a scale and lists it. */
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
    this.#desk ??= new JobDesk(this, this.#parts);
    return this.#desk.take(job);
  }

  onRefresh(): void {
    this.refresh();
  }

  /** Reports printers and scales again, as the service may ask. */
  refresh(): void {
    const { session } = this;
    // A session that ends first takes the report with it; the next connection reports anew.
    if (session) this.#reportTo(session).catch(() => undefined);
  }

  onConnected(session: LinkSession): Promise<void> {
    this.#desk?.sendReports(session);
    return this.#reportTo(session);
  }

  #make(description: PrinterDescription): VirtualPrinter {
    return new VirtualPrinter(++this.#printersSoFar, description, this.#parts, this);
  }

  #stream(): Random {
    return this.#parts.random.stream(`computer ${this.#number}`);
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
    const answer = await logIn(login, identity, this.#parts.clock);
    if (!answer.ok) throw new LinkError(answer.error);
    return answer.value;
  }
}
