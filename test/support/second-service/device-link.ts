/**
 * The service's end of the device link, as docs/device-link.md has it.
 */

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { WebSocketServer, type WebSocket } from 'ws';

import { accountOfKey, basicKey } from './http-front.ts';
import type { Jobs } from './job-routes.ts';
import { timestamp, type Account, type Computer, type Job, type Json, type Scale, type Store } from './store.ts';
import {
  checkMessage,
  ProtocolError,
  type ComputerMessage,
  type Hello,
  type JobStateReport,
  type PrintersReport,
  type ReadingReport,
  type ScalesReport,
} from './link-messages.ts';

const PROTOCOL = 'platen.link.v1';
const MOST_FRAME_BYTES = 4_194_304;
const HEARTBEAT_MS = 20_000;
const HELLO_LIMIT_MS = 10_000;
const MOST_UNACKNOWLEDGED = 8;

export interface LinkEvents {
  /** A connection of a computer began or ended. */
  connectionsChanged(computer: Computer, connections: readonly ConnectionInfo[], event: ConnectionInfo): void;
}

export interface ConnectionInfo {
  readonly hostname: string | null;
  readonly version: string | null;
  readonly edition: string | null;
  readonly since: number;
}

interface Connection {
  readonly socket: WebSocket;
  readonly key: string;
  readonly computer: Computer;
  readonly info: ConnectionInfo;
  /** Jobs to send before those that are queued. */
  again: Job[];
  /** Delivery id → the job, and how to tell the clock that it is acknowledged. */
  readonly sent: Map<string, { readonly job: Job; readonly done: () => void }>;
}

export class DeviceLinkEnd {
  readonly #store: Store;
  readonly #jobs: Jobs;
  readonly #events: LinkEvents;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MOST_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  /** Oldest first. */
  #connections: Connection[] = [];

  constructor(store: Store, jobs: Jobs, events: LinkEvents) {
    this.#store = store;
    this.#jobs = jobs;
    this.#events = events;
  }

  listen(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      const key = basicKey(request.headers.authorization) ?? '';
      const account = this.#accountOf(key);
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
      if (!account) return refuse(socket, 401, 'InvalidCredentials', ['WWW-Authenticate: Basic realm=Api']);
      if (request.url?.split('?')[0] !== '/link') return refuse(socket, 404, 'ResourceNotFound', []);
      if (!offered.includes(PROTOCOL)) {
        return refuse(socket, 426, 'UpgradeRequired', [`Sec-WebSocket-Protocol: ${PROTOCOL}`]);
      }
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#greet(opened, key, account));
    });
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.close(1001, 'The service is going down');
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  offer(job: Job): void {
    this.#pump(job.printer.computer);
  }

  refresh(accountId: number): void {
    for (const { computer, socket } of this.#connections) {
      if (computer.account.id === accountId) send(socket, { type: 'refresh' });
    }
  }

  computerRemoved(computer: Computer): void {
    for (const { socket } of this.#of(computer)) socket.close(4404, 'The computer was deleted');
  }

  accessChanged(): void {
    for (const { key, socket, computer } of this.#connections) {
      if (this.#accountOf(key) !== computer.account) socket.close(4401, 'The key is no longer good');
    }
  }

  #accountOf(key: string): Account | undefined {
    const account =
      accountOfKey(this.#store, key) ??
      [...this.#store.accounts.values()].find(({ clientKeys }) => clientKeys.has(key));
    return account?.state === 'active' ? account : undefined;
  }

  #of(computer: Computer): Connection[] {
    return this.#connections.filter((connection) => connection.computer === computer);
  }

  #greet(socket: WebSocket, key: string, account: Account): void {
    const { clock } = this.#store;
    const done = clock.busy('a hello');
    let connection: Connection | undefined;
    const tooLate = clock.after(HELLO_LIMIT_MS, () => socket.close(4400, 'No hello came'));
    let isAlive = true;
    const stopBeating = clock.every(HEARTBEAT_MS, () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
    });
    const seen = (): void => {
      isAlive = true;
    };
    socket.on('pong', seen).on('ping', seen);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => {
      seen();
      // What follows a frame that was no message is not read any more.
      if (socket.readyState !== socket.OPEN) return;
      try {
        if (isBinary) throw new ProtocolError('a binary frame');
        const message = checkMessage(data.toString('utf8'));
        if (message.type === 'hello') {
          if (connection) throw new ProtocolError('a second hello');
          tooLate();
          connection = this.#welcome(socket, key, account, message);
          done();
        } else {
          if (!connection) throw new ProtocolError('the first message must be hello');
          this.#take(connection, message);
        }
      } catch (error) {
        const reason = error instanceof ProtocolError ? error.message : 'the service failed';
        send(socket, { type: 'error', code: 'BadMessage', message: reason });
        socket.close(error instanceof ProtocolError ? 4400 : 1011, reason.slice(0, 100));
      }
    });
    socket.on('close', () => {
      done();
      tooLate();
      stopBeating();
      if (connection) this.#ended(connection);
    });
  }

  #welcome(socket: WebSocket, key: string, account: Account, { client, holding }: Hello): Connection {
    const { clock } = this.#store;
    const computer =
      this.#store.computersOf(account).find(({ installationId }) => installationId === client.installationId) ??
      this.#newComputer(account, client.installationId);
    computer.name = client.computerName;
    computer.hostname = client.hostname;
    computer.inet = client.inet;
    computer.inet6 = client.inet6;
    computer.version = client.version;
    computer.isConnected = true;
    const { hostname, version, edition } = client;
    const info = { hostname, version, edition, since: clock.now() };
    const again = this.#jobsOf(computer).filter(
      ({ id, isSent, isEnded }) => isSent && !isEnded && !holding.includes(id),
    );
    const connection: Connection = { socket, key, computer, info, again, sent: new Map() };
    this.#connections.push(connection);
    send(socket, {
      type: 'welcome',
      computerId: computer.id,
      accountId: account.id,
      heartbeatMs: HEARTBEAT_MS,
    });
    this.#tellConnections(computer, info);
    this.#pump(computer);
    return connection;
  }

  #newComputer(account: Account, installationId: string): Computer {
    const computer: Computer = {
      id: this.#store.nextId(),
      account,
      installationId,
      createdAt: this.#store.clock.now(),
      name: '',
      hostname: null,
      inet: null,
      inet6: null,
      version: null,
      isConnected: false,
      printers: new Map(),
      scales: [],
      seenReports: new Set(),
    };
    this.#store.computers.set(computer.id, computer);
    return computer;
  }

  #tellConnections(computer: Computer, event: ConnectionInfo): void {
    this.#events.connectionsChanged(
      computer,
      this.#of(computer).map(({ info }) => info),
      event,
    );
  }

  #ended(connection: Connection): void {
    const { computer, info, sent, again } = connection;
    this.#connections = this.#connections.filter((other) => other !== connection);
    for (const { done } of sent.values()) done();
    if (this.#store.computers.get(computer.id) !== computer) return;
    const heir = this.#of(computer).at(-1);
    computer.isConnected = heir !== undefined;
    const unacknowledged = [...Array.from(sent.values(), ({ job }) => job), ...again];
    heir?.again.push(...unacknowledged);
    this.#tellConnections(computer, info);
    this.#pump(computer);
  }

  #jobsOf(computer: Computer): Job[] {
    return [...this.#store.jobs.values()].filter(({ printer }) => printer.computer === computer);
  }

  /** Sends what is to be sent, over the newest connection, while it has room. */
  #pump(computer: Computer): void {
    const connection = this.#of(computer).at(-1);
    if (!connection || connection.socket.readyState !== connection.socket.OPEN) return;
    while (connection.sent.size < MOST_UNACKNOWLEDGED) {
      const job = connection.again.shift() ?? this.#jobsOf(computer).find(({ isSent, isEnded }) => !isSent && !isEnded);
      if (!job) return;
      this.#deliver(connection, job);
    }
  }

  #deliver({ socket, sent }: Connection, job: Job): void {
    if (job.isEnded || !this.#store.jobs.has(job.id)) return;
    const id = randomUUID();
    sent.set(id, { job, done: this.#store.clock.busy(`a delivery of job ${job.id}`) });
    if (!job.isSent) {
      job.isSent = true;
      job.stopExpiry();
      this.#jobs.note(job, 'pending_confirmation');
    }
    send(socket, {
      type: 'job',
      id,
      jobId: job.id,
      printerKey: job.printer.key,
      title: job.title,
      source: job.source,
      contentType: job.contentType,
      content: job.content,
      options: job.options,
      qty: job.qty,
      authentication: job.authentication,
      createTimestamp: timestamp(job.createdAt),
      expireAt: timestamp(job.expiresAt),
    });
  }

  #take(connection: Connection, message: Exclude<ComputerMessage, Hello>): void {
    if (message.type === 'ack') return this.#acknowledged(connection, message.id);
    if (this.#store.computers.get(connection.computer.id) === connection.computer) {
      if (message.type === 'printers') this.#takePrinters(connection.computer, message);
      if (message.type === 'scales') takeScales(connection.computer, message);
      if (message.type === 'reading') this.#takeReading(connection.computer, message);
      if (message.type === 'job-state') this.#takeJobState(connection.computer, message);
    }
    send(connection.socket, { type: 'ack', id: message.id });
  }

  #acknowledged(connection: Connection, id: string): void {
    const delivery = connection.sent.get(id);
    if (!delivery) throw new ProtocolError(`an acknowledgement of '${id}', which was not sent`);
    connection.sent.delete(id);
    const { job, done } = delivery;
    if (!job.isEnded && !job.states.some(({ state }) => state === 'sent_to_client')) {
      this.#jobs.note(job, 'sent_to_client');
    }
    this.#pump(connection.computer);
    done();
  }

  #takePrinters(computer: Computer, { printers }: PrintersReport): void {
    const reported = new Set(printers.map(({ key }) => key));
    for (const [key, printer] of computer.printers) if (!reported.has(key)) printer.state = 'deleted';
    for (const { key, default: isDefault, ...fields } of printers) {
      const known = computer.printers.get(key);
      if (known) Object.assign(known, fields, { isDefault });
      else {
        const id = this.#store.nextId();
        computer.printers.set(key, {
          id,
          key,
          computer,
          createdAt: this.#store.clock.now(),
          isDefault,
          ...fields,
        });
      }
    }
  }

  #takeReading(computer: Computer, reading: ReadingReport): void {
    const scale = computer.scales.find(({ key }) => key === reading.scaleKey);
    if (!scale) return;
    this.#store.addReading({
      scale,
      computerId: computer.id,
      account: computer.account,
      mass: reading.mass,
      measurement: reading.measurement,
      reportedAt: reading.clientReportedCreateTimestamp,
      storedAt: this.#store.clock.now(),
    });
  }

  #takeJobState(computer: Computer, report: JobStateReport): void {
    const job = this.#store.jobs.get(report.jobId);
    if (!job || job.printer.computer !== computer || computer.seenReports.has(report.id)) return;
    computer.seenReports.add(report.id);
    if (report.state === 'done' || report.state === 'error') job.isEnded = true;
    this.#jobs.record(job, {
      state: report.state,
      message: report.message,
      clientVersion: computer.version,
      at: Date.parse(report.createTimestamp),
    });
  }
}

/** A scale that is still there keeps its number; a new one takes the smallest that is free for its name. */
function takeScales(computer: Computer, { scales }: ScalesReport): void {
  const kept = computer.scales.filter((old) =>
    scales.some(({ key, deviceName }) => key === old.key && deviceName === old.deviceName),
  );
  const numbered: Scale[] = [...kept];
  for (const { key, deviceName, vendor, vendorId, productId, port } of scales) {
    if (kept.some((old) => old.key === key)) continue;
    const used = new Set(numbered.filter((one) => one.deviceName === deviceName).map(({ deviceNum }) => deviceNum));
    let deviceNum = 0;
    while (used.has(deviceNum)) deviceNum++;
    numbered.push({
      key,
      deviceName,
      deviceNum,
      vendor: vendor ?? '',
      vendorId,
      productId,
      port: port ?? '',
    });
  }
  computer.scales = numbered;
}

function send(socket: WebSocket, message: Json): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'Not Found',
  426: 'Upgrade Required',
};

function refuse(socket: Duplex, status: number, code: string, headers: readonly string[]): void {
  const uid = randomUUID();
  const body = JSON.stringify({ uid, code, message: `No link here: ${code}` });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status]}`,
      'Content-Type: application/json',
      `Request-Id: ${uid}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
}
