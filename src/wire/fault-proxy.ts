/**
 * Fault proxy: a proxy before a service on loopback in which fault rules break its HTTP.
 *
 *   caller ══ bytes ══► proxy ── does a fault happen to this request? ──► service
 *
 * Places are `http/<METHOD> <path>`, such as `http/POST /printjobs`. Without a rule every byte goes
 * through as it is, in both directions, also when it is not HTTP, and on upgraded connections. A fault
 * other than latency and a slow body ends its connection.
 */

import { createServer, connect, type Socket } from 'node:net';

import { usageError } from '../common/actionable-error.ts';
import { sleep, type Clock } from '../common/clock.ts';
import type { FaultPlan, Firing } from '../common/fault-plan.ts';
import type { FaultMeaning } from '../common/fault-rule.ts';
import { countSetting, durationSetting } from '../common/fault-settings.ts';
import { keysOf } from '../common/keys-of.ts';
import { portOf } from '../common/port-of.ts';
import { RequestScanner, type Segment } from './request-scanner.ts';

export interface FaultProxy extends AsyncDisposable {
  /** Base address without a trailing slash; what is asked there is asked of the service. */
  readonly url: string;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

interface FaultProxyOptions {
  readonly clock: Clock;
  readonly faults: FaultPlan;
  /** Base address of the service, `http://127.0.0.1:8631`. */
  readonly serviceUrl: string;
  /** Any that is free unless given. */
  readonly port?: number;
}

/**
 * Starts a proxy on a loopback port.
 *
 * @throws ActionableError when the service is not reached over plain HTTP
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const service = URL.parse(options.serviceUrl);
  if (service?.protocol !== 'http:') {
    const message = `faults cannot be put in front of '${options.serviceUrl}'`;
    throw usageError(message, 'Give the http: address of a service without TLS.');
  }
  const connections = new Set<ProxiedConnection>();
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const upstream = connect({
      host: service.hostname,
      port: Number(service.port || 80),
      allowHalfOpen: true,
    });
    const connection = new ProxiedConnection(caller, upstream, options);
    connections.add(connection);
    caller.once('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const connection of connections) connection.destroy();
    });
    return closing;
  };
  const port = portOf(server);
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

/** What a fault does to a connection when a request comes; true lets the request go to the service. */
type HttpFault = (connection: ProxiedConnection, firing: Firing) => boolean | Promise<boolean>;

const refusing =
  (status: number, reason: string, code: string): HttpFault =>
  (connection) => {
    connection.answer(status, reason, code);
    return false;
  };

interface DescribedFault extends FaultMeaning {
  readonly apply: HttpFault;
}

const answers = (status: number, reason: string, code: string): DescribedFault => ({
  does: `the answer is ${status}, and the service gets no request`,
  apply: refusing(status, reason, code),
});

/** What can go wrong between a caller and the service. */
export const HTTP_FAULTS = {
  reset: { does: 'the connection is reset', apply: (connection) => connection.reset() },
  empty: { does: 'the connection ends without an answer', apply: (connection) => connection.hangUp() },
  'status-429': answers(429, 'Too Many Requests', 'TooManyRequests'),
  'status-500': answers(500, 'Internal Server Error', 'InternalServerError'),
  'status-503': answers(503, 'Service Unavailable', 'ServiceUnavailable'),
  'lost-answer': {
    does: 'the service does its work, and the caller never learns of it',
    apply: (connection) => connection.cutAnswerAfter(0),
  },
  truncated: {
    does: 'the connection ends in the middle of the answer',
    settings: { bytes: 'after this number of bytes (100)' },
    apply: (connection, firing) => connection.cutAnswerAfter(countSetting(firing, 'bytes', 100)),
  },
  'slow-body': {
    does: 'the head of the answer comes at once, the body slowly',
    settings: { delay: 'how long the body takes (10s)' },
    apply: (connection, firing) => connection.slowBody(durationSetting(firing, 'delay', 10_000)),
  },
  latency: {
    does: 'the request is late',
    settings: { delay: 'how much later (1s)' },
    apply: (connection, firing) => connection.wait(durationSetting(firing, 'delay', 1_000)),
  },
} as const satisfies Readonly<Record<string, DescribedFault>>;
const NAMES = keysOf(HTTP_FAULTS);

class ProxiedConnection {
  readonly #caller: Socket;
  readonly #upstream: Socket;
  readonly #options: FaultProxyOptions;
  readonly #scanner = new RequestScanner();
  readonly #gone = new AbortController();
  #isDone = false;
  /** Bytes of the answer until the cut. */
  #answerBytesLeft = Infinity;
  #bodyDelayMs = 0;

  constructor(caller: Socket, upstream: Socket, options: FaultProxyOptions) {
    this.#caller = caller;
    this.#upstream = upstream;
    this.#options = options;
    for (const socket of [caller, upstream]) {
      socket.setNoDelay(true);
      // An error is followed by 'close', which ends the other side as well.
      socket.on('error', () => undefined);
      socket.once('close', (hadError) => this.#ended(socket, hadError));
    }
    void this.#carry(this.#toService());
    void this.#carry(this.#toCaller());
  }

  destroy(): void {
    this.#caller.destroy();
    this.#upstream.destroy();
  }

  answer(status: number, reason: string, code: string): void {
    const body = JSON.stringify({ code, message: `${reason}, by a fault rule.` });
    const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    this.#isDone = true;
    this.#caller.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
    this.#upstream.destroy();
  }

  reset(): boolean {
    this.#isDone = true;
    this.#caller.resetAndDestroy();
    return false;
  }

  hangUp(): boolean {
    this.#isDone = true;
    this.#caller.end();
    this.#upstream.destroy();
    return false;
  }

  cutAnswerAfter(bytes: number): boolean {
    this.#answerBytesLeft = bytes;
    return true;
  }

  slowBody(delayMs: number): boolean {
    this.#bodyDelayMs = delayMs;
    return true;
  }

  async wait(delayMs: number): Promise<boolean> {
    await sleep(this.#options.clock, delayMs, this.#gone.signal);
    return true;
  }

  async #toService(): Promise<void> {
    for await (const bytes of this.#caller as AsyncIterable<Buffer>) {
      for (const segment of this.#scanner.feed(bytes)) await this.#forward(segment);
    }
    this.#upstream.end(this.#scanner.flush());
  }

  async #forward({ bytes, request }: Segment): Promise<void> {
    // What a caller still sends on a connection that a fault has ended is read and dropped.
    if (this.#isDone) return;
    const firing = request === undefined ? undefined : this.#options.faults.firstOf(`http/${request}`, NAMES);
    const name = NAMES.find((fault) => fault === firing?.fault);
    if (firing && name && !(await HTTP_FAULTS[name].apply(this, firing))) return;
    await write(this.#upstream, bytes);
  }

  async #toCaller(): Promise<void> {
    for await (const bytes of this.#upstream as AsyncIterable<Buffer>) {
      if (bytes.length > this.#answerBytesLeft) return this.#cutAnswer(bytes);
      this.#answerBytesLeft -= bytes.length;
      await this.#answerSlowly(bytes);
    }
    if (!this.#isDone) this.#caller.end();
  }

  /** Nothing of an answer at all is a reset, a part of it a close. */
  #cutAnswer(bytes: Buffer): void {
    if (this.#answerBytesLeft === 0) this.#caller.resetAndDestroy();
    else this.#caller.end(bytes.subarray(0, this.#answerBytesLeft));
    this.#isDone = true;
    this.#upstream.destroy();
  }

  async #answerSlowly(bytes: Buffer): Promise<void> {
    const headEnd = bytes.indexOf('\r\n\r\n');
    const delayMs = headEnd < 0 ? 0 : this.#bodyDelayMs;
    if (delayMs === 0) return write(this.#caller, bytes);
    this.#bodyDelayMs = 0;
    await write(this.#caller, bytes.subarray(0, headEnd + 4));
    await sleep(this.#options.clock, delayMs, this.#gone.signal);
    await write(this.#caller, bytes.subarray(headEnd + 4));
  }

  /** Carries one direction to its end; a connection that breaks is not an error here. */
  async #carry(direction: Promise<void>): Promise<void> {
    await direction.catch(() => undefined);
  }

  #ended(socket: Socket, hadError: boolean): void {
    const other = socket === this.#caller ? this.#upstream : this.#caller;
    if (socket === this.#caller) this.#gone.abort(new Error('the caller is gone'));
    if (hadError && !this.#isDone) other.resetAndDestroy();
    else if (socket === this.#caller) other.destroy();
    else if (!this.#isDone) other.end();
  }
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const onEvent = (): void => {
      socket.off('drain', onEvent).off('close', onEvent);
      resolve();
    };
    socket.on('drain', onEvent).on('close', onEvent);
  });
}
