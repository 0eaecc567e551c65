// The device link: computers, what they report, and what is delivered to them.
import { accountOfKey, userOf } from './accounts.mjs';
import { isWaiting, markDelivered, markEnded, record } from './jobs.mjs';
import { BadMessage, readMessage } from './messages.mjs';
import { reportReading, reportScales } from './scales.mjs';
import { nextId, save, state } from './store.mjs';
import { emit } from './webhooks.mjs';
import { acceptWebSocket, refuseUpgrade } from './websocket.mjs';
import { western } from './times.mjs';

const PROTOCOL = 'platen.link.v1';
const HEARTBEAT_MS = 12_000;
const SILENT_HALVES = 5;
const HELLO_MS = 10_000;
const FRAME_MOST = 4 * 1024 * 1024;
const WINDOW = 8;
const CONNECTIONS_MOST = 32;
const OF_SERVICE = new Set(['new', 'sent_to_client', 'expired']);
const FINAL = new Set(['done', 'error']);

/** All of them, oldest first. */
const connections = new Set();

const connectionsOf = (computer) => [...connections].filter((one) => one.computer === computer);

export function acceptLink(request, socket, head) {
  const { headers } = request;
  const key = userOf(headers.authorization);
  const clientKey = state.clientKeys.get(key);
  const child = clientKey && state.accounts.get(clientKey.accountId);
  const account = accountOfKey(key) ?? (child?.state === 'active' ? child : undefined);
  const isActing = Object.keys(headers).some((name) => name.startsWith('x-child-account-by-'));
  if (!account || isActing) {
    const words = 'the key of the link is not in use';
    return refuseUpgrade(socket, 401, 'InvalidCredentials', words, { 'www-authenticate': 'Basic realm=Api' });
  }
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  if (!offered.includes(PROTOCOL)) {
    return refuseUpgrade(socket, 426, 'OtherProtocol', `only ${PROTOCOL} is spoken`, {
      'sec-websocket-protocol': PROTOCOL,
    });
  }
  return new Connection(request, socket, head, account, key);
}

class Connection {
  computer;
  /** Deliveries that wait to be acknowledged: id → job id. */
  pending = new Map();
  /** Ids of jobs to deliver, smallest first. */
  queue = [];
  #socket;
  #silentHalves = 0;
  #halves = 0;
  #sent = 0;
  #isWrong = false;
  #timer;

  constructor(request, socket, head, account, key) {
    Object.assign(this, { account, key });
    this.#socket = acceptWebSocket(
      request,
      socket,
      head,
      {
        maxBytes: FRAME_MOST,
        onAlive: () => (this.#silentHalves = 0),
        onText: (text) => this.#hear(text),
        onEnd: () => this.#ended(),
      },
      PROTOCOL,
    );
    const hello = setTimeout(() => this.computer ?? this.close(4400, 'no hello came'), HELLO_MS);
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS / 2);
    this.stopTimers = () => [clearTimeout(hello), clearInterval(this.#timer)];
  }

  /** A ping at every second half; a buffer that drains is a sign of life. */
  #beat() {
    this.#halves++;
    this.#silentHalves = this.#socket.isDraining ? 0 : this.#silentHalves + 1;
    if (this.#silentHalves >= SILENT_HALVES) this.#socket.cut();
    else if (this.#halves % 2 === 0) this.#socket.ping();
  }

  close(code, reason) {
    this.#isWrong = true;
    this.#socket.close(code, reason);
  }

  say(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #hear(text) {
    if (this.#isWrong) return;
    try {
      this.#take(readMessage(text));
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.say({ type: 'error', code: 'Unheard', message: error.message });
      this.close(4400, error.message);
    }
  }

  #take(message) {
    const { type, id } = message;
    if ((type === 'hello') !== (this.computer === undefined)) throw new BadMessage(`${type} at the wrong time`);
    if (type === 'hello') return this.#greet(message);
    if (type === 'ack') {
      if (!this.pending.delete(id)) throw new BadMessage(`ack of ${id}, which does not wait`);
      return this.pump();
    }
    if (type === 'printers') reportPrinters(this.computer, message.printers);
    if (type === 'scales') reportScales(this.computer, message.scales);
    if (type === 'reading') reportReading(this.computer, message);
    if (type === 'job-state') reportJobState(this.computer, message);
    this.say({ type: 'ack', id, thanks: true });
  }

  #greet({ client, holding }) {
    const computer = computerOf(this.account, client);
    if (connectionsOf(computer).length >= CONNECTIONS_MOST) return this.close(1008, 'too many connections');
    const before = connectionsOf(computer).at(-1);
    this.computer = computer;
    this.since = { from: western(Date.now()), version: client.version };
    connections.add(this);
    computer.isConnected = true;
    if (before) before.queue = [];
    const mine = { type: 'welcome', accountId: this.account.id, computerId: computer.id, heartbeatMs: HEARTBEAT_MS };
    this.say({ ...mine, greeting: 'hej' });
    const held = new Set(holding);
    const isDue = (job) => job.end === undefined && job.computerId === computer.id && !held.has(job.id);
    const due = [...state.jobs.values()].filter(isDue).toSorted((one, other) => one.id - other.id);
    this.queue = [...due.filter((job) => job.wasDelivered), ...due.filter((job) => !job.wasDelivered)].map(
      ({ id }) => id,
    );
    announce(computer, { began: this.since });
    this.pump();
  }

  pump() {
    while (this.pending.size < WINDOW && this.queue.length > 0 && connections.has(this)) {
      const job = state.jobs.get(this.queue.shift());
      if (job?.end === undefined && job !== undefined) this.#deliver(job);
    }
  }

  #deliver(job) {
    const id = `${job.id}#${++this.#sent}`;
    this.pending.set(id, job.id);
    markDelivered(job);
    record(job, 'sent_to_client', 'on its way', null);
    this.say({
      type: 'job',
      id,
      jobId: job.id,
      printerKey: job.printerKey,
      title: job.title,
      source: job.source,
      contentType: job.contentType,
      content: state.documents.get(job.id).content,
      options: job.options,
      qty: job.qty,
      authentication: job.authentication,
      createTimestamp: western(job.createdMs).replace(/-05$/, '-05:00'),
      expireAt: western(job.expireMs).replace(/-05$/, '-05:00'),
    });
  }

  #ended() {
    this.stopTimers();
    const { computer } = this;
    const wasNewest = computer && connectionsOf(computer).at(-1) === this;
    if (!connections.delete(this)) return;
    const next = connectionsOf(computer).at(-1);
    computer.isConnected = next !== undefined;
    announce(computer, { ended: { ...this.since, until: western(Date.now()) } });
    if (!wasNewest || !next) return;
    const has = new Set(next.pending.values());
    const taken = [...this.pending.values(), ...this.queue].filter((id) => !has.has(id));
    next.queue = [...new Set(taken)].toSorted((one, other) => one - other);
    next.pump();
  }
}

function announce(computer, what) {
  const account = state.accounts.get(computer.accountId);
  if (!account || !state.computers.has(computer.id)) return;
  emit(account, 'computer state', {
    computerId: computer.id,
    state: computer.isConnected ? 'up' : 'disconnected',
    ...what,
  });
}

function computerOf(account, client) {
  const fields = Object.fromEntries(['hostname', 'inet', 'inet6', 'version'].map((name) => [name, client[name]]));
  const { installationId, computerName: name } = client;
  const known = [...state.computers.values()].find(
    (one) => one.accountId === account.id && one.installationId === installationId,
  );
  if (known) return save('computers', known.id, Object.assign(known, { name, ...fields }));
  const id = nextId();
  const fresh = {
    id,
    accountId: account.id,
    installationId,
    name,
    ...fields,
    createdMs: Date.now(),
    isConnected: false,
  };
  return save('computers', id, fresh);
}

function reportPrinters(computer, reported) {
  const there = [...state.printers.values()].filter(({ computerId }) => computerId === computer.id);
  const listed = new Map(reported.map((one) => [one.key, one]));
  for (const printer of there) {
    if (!listed.has(printer.key) && !printer.isGone)
      save('printers', printer.id, Object.assign(printer, { isGone: true }));
  }
  for (const { key, name, description, default: isDefault, state: printerState, capabilities } of listed.values()) {
    const fields = { name, description, default: isDefault, state: printerState, capabilities, isGone: false };
    const known = there.find((one) => one.key === key);
    const id = known?.id ?? nextId();
    const { accountId, id: computerId } = computer;
    const fresh = known ?? { id, key, accountId, computerId, createdMs: Date.now() };
    save('printers', id, Object.assign(fresh, fields));
  }
}

function reportJobState(computer, { id, jobId, state: name, message, data }) {
  const reportId = `${computer.id} ${id}`;
  const job = state.jobs.get(jobId);
  if (job?.computerId !== computer.id || OF_SERVICE.has(name) || state.reports.has(reportId)) return;
  save('reports', reportId, 1);
  if (isWaiting(job)) markDelivered(job);
  record(job, name, message, { version: computer.version, data: data ?? {} });
  if (FINAL.has(name)) markEnded(job, name);
}

/** A job that was just taken goes to the newest connection of its computer. */
export function offer(job) {
  const newest = [...connections].findLast(({ computer }) => computer.id === job.computerId);
  if (!newest) return;
  newest.queue.push(job.id);
  // The caller hears of the job before its computer does.
  setImmediate(() => newest.pump());
}

export function refreshOf(account) {
  for (const one of connections) if (one.account.id === account.id) one.say({ type: 'refresh' });
}

/** @param isMeant - given a connection */
export function closeWhere(isMeant, code, reason) {
  for (const one of connections) if (isMeant(one)) one.close(code, reason);
}

export const closeLinks = () => closeWhere(() => true, 1001, 'the service ends');
