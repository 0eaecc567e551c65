/**
 * WebSocket session: one computer's standing with a service, over as many connections as it takes.
 *
 *              ┌──────────── reconnect ◄───────────┐
 *              ▼                                   │
 *   handshake ─► live: reports ⇄ acks, jobs ⇄ acks ─► drop: reports wait in the outbox
 *
 * At least once in both directions: a report stays in the outbox until it is acknowledged, a job is
 * acknowledged when the computer has made it its own. A peer that breaks the protocol is dropped.
 * Ten thousand sessions share a process: each is a plain object without timer or closure while idle.
 */

import type { RawData } from 'ws';

import type { Clock, Hold, Timer } from '../common/clock.ts';
import { inSlices, nextTurn } from '../common/sliced-work.ts';
import { LIMITS } from '../specification/limits.ts';
import {
  checkComputerMessage,
  decodeLong,
  decodeServiceMessage,
  describeFrameError,
  encodeMessage,
  LONG_FRAME_BYTES,
  sizeOf,
} from './codec.ts';
import {
  LinkError,
  type JobStateReport,
  type LinkFailure,
  type LinkRequest,
  type LinkSession,
  type ReadingReport,
} from './device-link.ts';
import { brokenFailure, closeFailure } from './link-failures.ts';
import { openLinkSocket, type LinkSocket, type OpenSocket, type SocketOwner } from './link-socket.ts';
import {
  COMPUTER_FRAME_MAX_BYTES,
  SILENT_AFTER_HEARTBEATS,
  type MessageOf,
  type PrinterReport,
  type ScaleReport,
  type ServiceMessage,
} from './messages.ts';
import { Outbox, type Report, type ReportMessage } from './outbox.ts';
import type { SilenceWatch, Watched } from './silence-watch.ts';
import { Handshake, type Welcome } from './websocket-handshake.ts';

/** How long a service keeps readings; one that waited longer for a connection is of no use to it. */
const READING_LIFETIME_MS = LIMITS.scaleRetentionSeconds.value * 1_000;

const CLOSED_HERE: LinkFailure = { reason: 'closed', message: 'the session was closed on this side' };
const CUT_HERE: LinkFailure = { reason: 'closed', message: 'the connection was cut on this side' };

export class WebSocketSession implements LinkSession, SocketOwner, Watched {
  readonly #clock: Clock;
  readonly #watch: SilenceWatch;
  readonly #request: LinkRequest;
  readonly #openSocket: OpenSocket;
  /** Only while there is something in it: an idle computer needs none. */
  #outbox: Outbox | undefined;
  #socket: LinkSocket | undefined;
  #handshake: Handshake | undefined;
  #connecting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #probe: { timer: Timer; hold: Hold } | undefined;
  /** While nothing is read. */
  #stall: Hold | undefined;
  /** Frames behind a long one that is being read. */
  #behind: (readonly [data: RawData, isBinary: boolean])[] | undefined;
  /** What the service last complained of on this connection. */
  #said: string | undefined;
  #nextId = 1;
  computerId = 0;
  lastHeardMs = 0;
  heartbeatMs = 0;

  constructor(clock: Clock, watch: SilenceWatch, request: LinkRequest, openSocket: OpenSocket = openLinkSocket) {
    this.#clock = clock;
    this.#watch = watch;
    this.#request = request;
    this.#openSocket = openSocket;
  }

  get connected(): boolean {
    return this.#socket !== undefined;
  }

  reportPrinters(printers: readonly PrinterReport[]): Promise<void> {
    return this.#report({ type: 'printers', id: this.#makeId(), printers: [...printers] });
  }

  reportScales(scales: readonly ScaleReport[]): Promise<void> {
    return this.#report({ type: 'scales', id: this.#makeId(), scales: [...scales] });
  }

  reportJobState(report: JobStateReport): Promise<void> {
    return this.#report({ type: 'job-state', ...report });
  }

  publishReading(reading: ReadingReport): Promise<void> {
    if (!this.connected) this.#outbox?.dropReadingsBefore(this.#clock.now() - READING_LIFETIME_MS);
    return this.#report({ type: 'reading', id: this.#makeId(), ...reading });
  }

  reconnect(): Promise<void> {
    if (this.#closing) return Promise.reject(new LinkError(CLOSED_HERE));
    if (this.connected) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
      this.#handshake = undefined;
    });
    return this.#connecting;
  }

  /** Hears nothing, and does not wonder about it: a machine that sleeps does not look for silence. */
  pause(): void {
    if (!this.#socket || this.#stall) return;
    this.#socket.pause();
    this.#watch.remove(this);
    this.#endProbe();
    this.#stall = this.#clock.stall(this.#socket.address);
  }

  resume(): void {
    if (!this.#socket || !this.#stall) return;
    this.#endStall();
    this.#socket.resume();
    // What was not heard meanwhile is not the silence of the service.
    this.lastHeardMs = this.#clock.now();
    this.#watch.add(this);
  }

  cut(): void {
    this.#handshake?.abort(CUT_HERE);
    const socket = this.#socket;
    if (!socket) return;
    socket.discard();
    this.#drop(CUT_HERE);
  }

  close(): Promise<void> {
    this.#closing ??= this.#sayGoodbye();
    return this.#closing;
  }

  frame(data: RawData, isBinary: boolean): void {
    this.heard();
    if (this.#behind) this.#behind.push([data, isBinary]);
    else if (sizeOf(data) > LONG_FRAME_BYTES) void this.#readLong(data, isBinary);
    else this.#read(decodeServiceMessage(data, isBinary));
  }

  heard(): void {
    this.lastHeardMs = this.#clock.now();
    if (this.#probe) this.#endProbe();
  }

  failed(error: Error): void {
    this.#drop(brokenFailure(error));
  }

  ended(code: number, reason: string): void {
    this.#drop(closeFailure(code, reason, this.#said));
  }

  /** Sends a ping; a peer that has sent nothing by the end of the silence is given up. */
  doubt(): void {
    if (this.#probe) return;
    this.#socket?.ping();
    const dueMs = this.lastHeardMs + SILENT_AFTER_HEARTBEATS * this.heartbeatMs;
    this.#probe = {
      hold: this.#watch.holdForPong(`the pong for computer ${this.computerId}`),
      timer: this.#clock.schedule(Math.max(0, dueMs - this.#clock.now()), () => this.#giveUpOnSilence()),
    };
  }

  #connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handshake = new Handshake(this.#clock, this.#request, this.#openSocket, {
        welcomed: (socket, welcome) => {
          this.#goLive(socket, welcome);
          resolve();
        },
        failed: (failure) => reject(new LinkError(failure)),
      });
    });
  }

  #goLive(socket: LinkSocket, welcome: Welcome): void {
    socket.owner = this;
    this.#socket = socket;
    this.computerId = welcome.computerId;
    this.heartbeatMs = welcome.heartbeatMs;
    this.lastHeardMs = this.#clock.now();
    this.#watch.add(this);
    this.#outbox?.dropReadingsBefore(this.#clock.now() - READING_LIFETIME_MS);
    for (const report of this.#outbox?.waiting ?? []) this.#send(socket, report);
  }

  #report(message: ReportMessage): Promise<void> {
    if (this.#closing) return Promise.reject(new LinkError(CLOSED_HERE));
    const text = encodeMessage(message);
    const fault = faultOf(message, text);
    if (fault) return Promise.reject(new LinkError({ reason: 'protocol', message: fault }));
    this.#outbox ??= new Outbox();
    const { report, settled } = this.#outbox.add(message, text, this.#clock.now());
    if (this.#socket && !report.hold) this.#send(this.#socket, report);
    return settled;
  }

  #send(socket: LinkSocket, report: Report): void {
    report.hold = this.#clock.hold(`the acknowledgement of ${report.type} ${report.id}`);
    socket.say(report.text);
  }

  /** A document of fifty megabytes would keep everybody else in this process waiting. */
  async #readLong(data: RawData, isBinary: boolean): Promise<void> {
    const socket = this.#socket;
    const hold = this.#clock.hold(`computer ${this.computerId} reading a long frame`);
    this.#behind = [];
    socket?.pause();
    // Gathering its bytes took this turn.
    await nextTurn();
    const decoded = await inSlices(decodeLong(data, isBinary));
    hold.release();
    if (!socket || socket !== this.#socket) return;
    if (!this.#stall) socket.resume();
    const behind = this.#behind;
    this.#behind = undefined;
    this.#read(decoded);
    for (const frame of behind) if (socket === this.#socket) this.frame(...frame);
  }

  #read(decoded: ReturnType<typeof decodeServiceMessage>): void {
    if (decoded.ok) this.#handle(decoded.value);
    else this.#breakOff(describeFrameError(decoded.error));
  }

  #handle(message: ServiceMessage): void {
    switch (message.type) {
      case 'job':
        return void this.#takeJob(message);
      case 'ack':
        return this.#acknowledged(message.id);
      case 'refresh':
        return this.#request.events.onRefresh();
      case 'error':
        this.#said = `${message.code}: ${message.message}`;
        return;
      case 'welcome':
        this.#breakOff('a second welcome on one connection');
    }
  }

  #acknowledged(id: string): void {
    if (!this.#outbox?.acknowledge(id))
      return this.#breakOff(`ack of '${id}', which is not waiting for one on this connection`);
    if (this.#outbox.isEmpty) this.#outbox = undefined;
  }

  async #takeJob(message: MessageOf<ServiceMessage, 'job'>): Promise<void> {
    const { type: _type, id, ...job } = message;
    const socket = this.#socket;
    const hold = this.#clock.hold(`computer ${this.computerId} taking job ${job.jobId}`);
    try {
      await this.#request.events.onJob(job);
      if (socket === this.#socket) socket?.say(encodeMessage({ type: 'ack', id }));
    } catch {
      // A job that the computer could not take stays unacknowledged, and comes again.
    } finally {
      hold.release();
    }
  }

  #breakOff(what: string): void {
    this.#socket?.dismiss(1002, what);
    this.#drop({ reason: 'protocol', message: `the service broke the protocol of the link: ${what}` });
  }

  #giveUpOnSilence(): void {
    const silentMs = this.#clock.now() - this.lastHeardMs;
    this.#socket?.discard();
    this.#drop({ reason: 'silent', message: `nothing was heard from the service for ${silentMs} ms` });
  }

  #drop(failure: LinkFailure): void {
    this.#detach();
    this.#outbox?.connectionLost();
    this.#request.events.onDrop(failure);
  }

  #detach(): void {
    if (this.#socket) this.#socket.owner = undefined;
    this.#socket = undefined;
    this.#said = undefined;
    this.#behind = undefined;
    this.#endProbe();
    this.#endStall();
    this.#watch.remove(this);
  }

  #endStall(): void {
    this.#stall?.release();
    this.#stall = undefined;
  }

  #endProbe(): void {
    this.#probe?.timer.cancel();
    this.#probe?.hold.release();
    this.#probe = undefined;
  }

  async #sayGoodbye(): Promise<void> {
    this.#handshake?.abort(CLOSED_HERE);
    const socket = this.#socket;
    this.#detach();
    this.#outbox?.giveUp(new LinkError(CLOSED_HERE));
    if (!socket) return;
    const hold = this.#clock.hold(`goodbye of computer ${this.computerId}`);
    await new Promise((resolve) => {
      socket.once('close', resolve);
      // The answer to a goodbye that is not read would be waited for.
      socket.resume();
      socket.close(1000);
    });
    hold.release();
  }

  #makeId(): string {
    return `link-${this.#nextId++}`;
  }
}

/** Why a report must not be sent: the service would refuse it at every reconnect. */
function faultOf(message: ReportMessage, text: string): string | undefined {
  const checked = checkComputerMessage(message);
  if (!checked.ok) return `cannot report: ${describeFrameError(checked.error)}`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= COMPUTER_FRAME_MAX_BYTES) return undefined;
  return `cannot report ${message.type}: ${bytes} bytes, and a service takes ${COMPUTER_FRAME_MAX_BYTES}`;
}
