/**
 * Device gateway: the service's end of the link (docs/device-link.md).
 *
 *   upgrade ─► authenticated? common version? ─► hello ─► welcome ─► reports in, jobs out
 *
 * One heartbeat serves all connections; a connection that left the last ping unanswered is cut.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type RawData, type WebSocket } from 'ws';

import type { Clock, Timer } from '../../common/clock.ts';
import type { Random } from '../../common/random.ts';
import { inSlices } from '../../common/sliced-work.ts';
import {
  COMPUTER_FRAME_MAX_BYTES,
  LINK_CLOSE_CODES,
  LINK_PROTOCOLS,
  type ComputerMessage,
  type MessageOf,
  type ServiceMessage,
} from '../../link/messages.ts';
import type { JobStateReport } from '../../link/device-link.ts';
import {
  decodeComputerMessage,
  describeFrameError,
  encodeLong,
  encodeMessage,
  LONG_FRAME_BYTES,
} from '../../link/codec.ts';
import { writesOfTick } from '../../link/gathered-writes.ts';
import type { Account } from '../domain/account.ts';
import type { Computer, Computers, Connection } from '../domain/computer.ts';
import type { Printers } from '../domain/printer.ts';
import type { Scales } from '../domain/scale.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Database } from '../store/database.ts';
import { authenticationOf, optionsOf, type PrintJobRow } from '../store/print-job-row.ts';
import { ClientSocket, INTRODUCTION_LIMIT_MS, SOCKET_SERVER } from './client-socket.ts';
import type { Connections } from './connections.ts';
import type { JobQueue, Outlet } from './job-queue.ts';
import type { PrintJobs } from './print-jobs.ts';

const HEARTBEAT_MS = 30_000;
/** The limit for one computer: it may have died unnoticed several times, or its configuration was copied. */
const MOST_CONNECTIONS = 32;

/** The account of a connection, and the key it was made with. */
export interface LinkIdentity {
  readonly account: Account;
  readonly key: string;
}

export interface DeviceGatewayOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly computers: Computers;
  readonly printers: Printers;
  readonly scales: Scales;
  readonly jobs: PrintJobs;
  readonly queue: JobQueue;
  readonly random: Random;
  readonly connections: Connections;
}

export class DeviceGateway {
  readonly #options: DeviceGatewayOptions;
  readonly #server = new WebSocketServer({
    ...SOCKET_SERVER,
    maxPayload: COMPUTER_FRAME_MAX_BYTES,
    handleProtocols: (offered) => LINK_PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
  });
  readonly #connections = new Set<DeviceConnection>();
  readonly #heartbeat: Timer;

  constructor(options: DeviceGatewayOptions) {
    this.#options = options;
    this.#heartbeat = options.clock.beat(HEARTBEAT_MS, () => {
      for (const connection of this.#connections) connection.beat();
    });
  }

  /** Whether a client offers a version of the link that this end speaks. */
  static offersCommonVersion(request: IncomingMessage): boolean {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    return LINK_PROTOCOLS.some((protocol) => offered.includes(protocol));
  }

  /** Takes over the socket of an authenticated upgrade request. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, identity: LinkIdentity): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const { remoteAddress, remotePort } = request.socket;
      const peer = `${remoteAddress}:${remotePort}`;
      const connection = new DeviceConnection(webSocket, { stream: socket, peer }, identity, this.#options, () =>
        this.#connections.delete(connection),
      );
      this.#connections.add(connection);
    });
  }

  /** Asks the connected computers of an account to report their printers again. */
  refresh(accountId: number): void {
    for (const connection of this.#connections) connection.refresh(accountId);
  }

  dismiss(computerId: number): void {
    for (const connection of this.#connections) connection.dismiss(computerId);
  }

  /** Ends connections that are no longer allowed, at once: nothing that still arrives on them counts. */
  expel(isMeant: (identity: LinkIdentity) => boolean, reason: string): void {
    for (const connection of this.#connections) {
      if (!isMeant(connection.identity)) continue;
      connection.leave();
      connection.end(LINK_CLOSE_CODES.noLongerWelcome, reason);
    }
  }

  close(): void {
    this.#heartbeat.cancel();
    for (const connection of this.#connections) {
      connection.leave();
      connection.end(1001, 'the service is closing');
    }
    this.#server.close();
  }
}

class DeviceConnection extends ClientSocket implements Outlet {
  readonly identity: LinkIdentity;
  readonly #stream: Duplex;
  readonly #options: DeviceGatewayOptions;
  readonly #onGone: () => void;
  #computer: Computer | undefined;
  #connection: Connection | undefined;
  /** Came in this turn. */
  #reports: JobStateReport[] = [];
  /** Messages behind a long one that is being written. */
  #behind: ServiceMessage[] | undefined;

  constructor(
    socket: WebSocket,
    { stream, peer }: { readonly stream: Duplex; readonly peer: string },
    identity: LinkIdentity,
    options: DeviceGatewayOptions,
    onGone: () => void,
  ) {
    super(socket, options.clock, peer);
    this.identity = identity;
    this.#stream = stream;
    this.#options = options;
    this.#onGone = onGone;
    // Its goodbye has been answered. The socket itself closes a round trip later: a caller that saw the
    // answer and submits a job meanwhile would find the computer still there.
    stream.once('finish', () => this.leave());
  }

  get computerId(): number {
    return this.#computer?.id ?? 0;
  }

  deliver(job: PrintJobRow, content: string): void {
    this.#send({
      type: 'job',
      id: `job-${job.id}`,
      jobId: job.id,
      printerKey: this.#options.printers.byId(job.printerId)?.report.key ?? '',
      title: job.title ?? '',
      source: job.source,
      contentType: job.contentType as MessageOf<ServiceMessage, 'job'>['contentType'],
      content,
      options: optionsOf(job),
      qty: job.qty,
      authentication: authenticationOf(job) as MessageOf<ServiceMessage, 'job'>['authentication'],
      createTimestamp: formatTimestamp(job.createdMs),
      expireAt: formatTimestamp(job.expireMs),
    });
  }

  refresh(accountId: number): void {
    if (this.identity.account.id === accountId && this.#computer) this.#send({ type: 'refresh' });
  }

  dismiss(computerId: number): void {
    if (this.computerId === computerId) this.end(LINK_CLOSE_CODES.computerDeleted, 'the computer was deleted');
  }

  protected override get client(): string {
    return `computer ${this.computerId}`;
  }

  protected override notIntroduced(): void {
    this.#refuse(`no hello came within ${INTRODUCTION_LIMIT_MS / 1_000} seconds`);
  }

  protected override left(): void {
    this.#onGone();
    const [computer, connection] = [this.#computer, this.#connection];
    if (!computer || !connection) return;
    const { connections, queue } = this.#options;
    this.#attempt(() => this.#record(computer));
    this.#attempt(() => queue.detach(this));
    this.#attempt(() => connections.ended(computer, connection));
  }

  protected override receive(data: RawData, isBinary: boolean): void {
    const decoded = decodeComputerMessage(data, isBinary);
    if (!decoded.ok) return this.#refuse(describeFrameError(decoded.error));
    const message = decoded.value;
    if (message.type === 'hello') return this.#attempt(() => this.#greet(message));
    const computer = this.#computer;
    if (!computer) return this.#refuse(`${message.type}: a connection begins with hello`);
    this.#attempt(() => this.#take(computer, message));
  }

  /** Where the store fails, the computer is to come back: what it was not answered it says again. */
  #attempt(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#options.database.onFault(error);
      this.end(1011, 'the service could not store or read what this needs');
    }
  }

  #greet({ client, holding }: MessageOf<ComputerMessage, 'hello'>): void {
    if (this.#computer) return this.#refuse('hello: came a second time');
    this.introduced();
    const { clock, computers, connections, database, queue, random } = this.#options;
    const computer = database.write(() => computers.register(this.identity.account.id, client, clock.now()));
    if (connections.of(computer.id).length >= MOST_CONNECTIONS) {
      return this.#refuse(`hello: the computer has ${MOST_CONNECTIONS} connections, and may have no more`);
    }
    this.#computer = computer;
    database.afterCommit(() => {
      this.#send({
        type: 'welcome',
        computerId: computer.id,
        accountId: this.identity.account.id,
        heartbeatMs: HEARTBEAT_MS,
      });
      if (this.hasLeft) return;
      this.#connection = {
        serverUuid: random.uuid(),
        hostname: client.hostname,
        connectedMs: clock.now(),
        edition: client.edition,
        version: client.version,
      };
      connections.begun(computer, this.#connection);
      queue.attach(this, holding);
    });
  }

  #take(computer: Computer, message: Exclude<ComputerMessage, { type: 'hello' }>): void {
    const { clock, database, computers, printers, scales, queue } = this.#options;
    switch (message.type) {
      case 'ack':
        if (!queue.acknowledged(this, jobIdOf(message.id))) this.#refuse(`ack: nothing waits for '${message.id}'`);
        return;
      case 'printers':
        database.write(() => printers.replace(computer, message.printers, clock.now()));
        break;
      case 'job-state':
        return this.#collect(computer, message);
      case 'scales':
        // A computer that was deleted may still be talking.
        if (computers.byId(computer.id)) scales.replace(computer, message.scales);
        break;
      case 'reading':
        scales.record(computer, message.scaleKey, message);
        break;
    }
    database.afterCommit(() => this.#send({ type: 'ack', id: message.id }));
  }

  /** A client says several things about a job at once: reports that came together are recorded in one write. */
  #collect(computer: Computer, report: JobStateReport): void {
    this.#reports.push(report);
    if (this.#reports.length === 1) queueMicrotask(() => this.#attempt(() => this.#record(computer)));
  }

  #record(computer: Computer): void {
    const { database, jobs } = this.#options;
    const reports = this.#reports;
    if (reports.length === 0) return;
    this.#reports = [];
    database.writeHot(() => jobs.reported(computer.id, reports, computer.version));
    database.afterCommit(() => {
      for (const { id } of reports) this.#send({ type: 'ack', id });
    });
  }

  #refuse(message: string): void {
    this.leave();
    this.#send({ type: 'error', code: 'bad-message', message });
    this.end(LINK_CLOSE_CODES.badMessage, message);
  }

  #send(message: ServiceMessage): void {
    if (this.#behind) this.#behind.push(message);
    else if (message.type === 'job' && message.content.length > LONG_FRAME_BYTES) void this.#sendLong(message);
    else this.#write(encodeMessage(message));
  }

  async #sendLong(job: MessageOf<ServiceMessage, 'job'>): Promise<void> {
    const behind: ServiceMessage[] = (this.#behind = []);
    const hold = this.#options.clock.hold(`the delivery of job ${job.jobId}`);
    this.#write(await inSlices(encodeLong(job)));
    hold.release();
    this.#behind = undefined;
    for (const message of behind) this.#send(message);
  }

  #write(text: string | Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    writesOfTick.gather(this.#stream);
    this.send(text);
  }
}

/** The job that an acknowledgement is for; 0, which no job has, when it is for something else. */
function jobIdOf(messageId: string): number {
  return Number(/^job-(\d+)$/.exec(messageId)?.[1] ?? 0);
}
