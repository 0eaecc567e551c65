/**
 * HTTP exchange: sends a request exactly as it is given and keeps exactly what came back.
 *
 *   HttpRequest ──► socket ──► Exchange (status, raw header pairs, body bytes, when)
 *                        └───► WireFailure (refused, reset, timeout, …), as a value
 *
 * It smooths nothing over: no redirect is followed, no header is merged or re-cased, no body is
 * decoded. HTTP/1.1 only, since HTTP/2 would change the case of header names.
 */

import { Readable } from 'node:stream';

import { Agent, errors, type Dispatcher } from 'undici';

import { systemClock, type Clock } from '../common/clock.ts';
import { CONNECTION_WORDS } from '../common/connection-words.ts';
import { formatDuration } from '../common/duration.ts';
import { failure, success, type Outcome } from '../common/outcome.ts';
import { monotonicMs } from '../common/stopwatch.ts';
import { whileRunning } from '../common/waiter.ts';
import { headerValues, type HeaderPair } from '../common/header-pairs.ts';
import { NotJson, parseJson } from '../common/json-value.ts';

export interface HttpRequest {
  readonly method: string;
  /** Base address; a path prefix in it is kept: `https://host/api`. */
  readonly baseUrl: string;
  /** Path and query, sent as given after the prefix: `/printjobs?limit=5`, `//account`. */
  readonly path: string;
  readonly headers: readonly HeaderPair[];
  readonly body?: Uint8Array | string | undefined;
  /** Sends the body in chunks, without Content-Length. */
  readonly isChunked?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly body: Buffer;
}

/** A request and its answer, on a scale of milliseconds that never jumps. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly sentMs: number;
  readonly receivedMs: number;
  /**
   * The exchange before it, whose body the service had refused and left unread, and took for the beginning of this
   * request: this is the answer to a repetition on a connection of its own.
   */
  readonly unreadBefore?: Exchange;
}

/**
 * refused     nothing listens there             reset      the connection broke before the answer was whole
 * unresolved  the host name is unknown          timeout    no whole answer within the limit
 * tls         no secure connection              not-http   what came back is not HTTP
 * no-tls      the port speaks no TLS at all     failed     anything else
 * too-large   the answer passed the size cap
 */
export type WireFailureKind =
  | 'refused'
  | 'unresolved'
  | 'tls'
  | 'no-tls'
  | 'reset'
  | 'timeout'
  | 'not-http'
  | 'too-large'
  | 'failed';

const NO_TLS = 'the port does not speak TLS';

/** In words; of other kinds the message says it. */
export const WIRE_FAILURE_WORDS: Readonly<Partial<Record<WireFailureKind, string>>> = {
  refused: CONNECTION_WORDS.ECONNREFUSED,
  unresolved: CONNECTION_WORDS.ENOTFOUND,
  'no-tls': NO_TLS,
  reset: CONNECTION_WORDS.ECONNRESET,
  'not-http': 'the answer is not HTTP',
};

/** A request that got no whole answer. Whether the service acted on it is unknown. */
export interface WireFailure {
  readonly kind: WireFailureKind;
  readonly message: string;
  readonly request: HttpRequest;
  readonly sentMs: number;
  readonly failedMs: number;
}

export interface HttpSenderOptions {
  /** For a whole exchange, in real milliseconds. Default 10 s. */
  readonly limitMs?: number | undefined;
  /** Default 32 MiB. */
  readonly responseMaxBytes?: number;
  /** A virtual clock that must wait while a request is under way. */
  readonly clock?: Clock;
  /** Source address, where the machine has several. */
  readonly localAddress?: string;
}

export interface HttpSender {
  send(request: HttpRequest): Promise<Outcome<Exchange, WireFailure>>;
  close(): Promise<void>;
}

const DEFAULT_LIMIT_MS = 10_000;
/** Services close idle connections after two seconds or more, and a request that crosses that is lost. */
const IDLE_MS = 1_000;
const DEFAULT_RESPONSE_MAX_BYTES = 32 * 1024 * 1024;

/** Repetitions that tell nothing, after which a service is taken to read what it is sent. */
const IN_VAIN_MOST = 10;

/** A sender with its own connections, kept alive between requests. */
export function createHttpSender(options: HttpSenderOptions = {}): HttpSender {
  const limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
  const responseMaxBytes = options.responseMaxBytes ?? DEFAULT_RESPONSE_MAX_BYTES;
  const clock = options.clock ?? systemClock;
  const connect = (): Agent =>
    new Agent({
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: limitMs },
      keepAliveTimeout: IDLE_MS,
      ...(options.localAddress !== undefined && { localAddress: options.localAddress }),
    });
  const agent = connect();
  let refused: Exchange | undefined;
  let inVain = 0;
  const sendOver = async (connections: Agent, request: HttpRequest): Promise<Outcome<Exchange, WireFailure>> => {
    const hold = clock.hold(`${request.method} ${request.path}`);
    const sentMs = monotonicMs();
    try {
      const response = await dispatch(connections, request, {
        limitMs: limitMs + uploadMs(request),
        responseMaxBytes,
      });
      return success({ request, response, sentMs, receivedMs: monotonicMs() });
    } catch (error) {
      const { kind, message } = describeFailure(error);
      return failure({ kind, message, request, sentMs, failedMs: monotonicMs() });
    } finally {
      hold.release();
    }
  };
  /** Once more on a fresh connection, which may be answered otherwise. */
  const sendAfresh = async (
    request: HttpRequest,
    unreadBefore: Exchange,
  ): Promise<Outcome<Exchange, WireFailure> | undefined> => {
    const fresh = connect();
    const again = await sendOver(fresh, request);
    await fresh.destroy();
    if (again.ok && !isOutOfStep(again)) return success({ ...again.value, unreadBefore });
    inVain++;
    return undefined;
  };
  return {
    async send(request) {
      const before = refused;
      const isSoonAfter = before !== undefined && monotonicMs() - before.receivedMs < IDLE_MS;
      const first = await sendOver(agent, request);
      const isDoubtful = isSoonAfter && inVain < IN_VAIN_MOST && isOutOfStep(first);
      const outcome = (isDoubtful && (await sendAfresh(request, before))) || first;
      if (outcome.ok && outcome.value.response.status >= 400 && (request.body?.length ?? 0) > 0)
        refused = outcome.value;
      return outcome;
    },
    close: () => agent.destroy(),
  };
}

/**
 * Whether a service may have read something else than the request: what is left of the one before makes a line that is
 * no request, or one with an unknown method. Its HTTP library refuses that, and then hangs up.
 */
function isOutOfStep(outcome: Outcome<Exchange, WireFailure>): boolean {
  if (!outcome.ok) return outcome.error.kind === 'not-http';
  const { status, headers, body } = outcome.value.response;
  const hangsUp = headerValues(headers, 'Connection').some((value) => value.toLowerCase() === 'close');
  return (status === 400 || status === 501) && hangsUp && parseJson(body) instanceof NotJson;
}

/** Where a request goes: origin, and the path with the prefix of the base address before it. */
export function requestTarget(request: HttpRequest): { readonly origin: string; readonly path: string } {
  const base = new URL(request.baseUrl);
  return { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + request.path };
}

/** A large body takes its time on the slowest way that is still tried. */
const SLOWEST_BYTES_PER_MS = 1_000;

function uploadMs({ body }: HttpRequest): number {
  return Math.round((body?.length ?? 0) / SLOWEST_BYTES_PER_MS);
}

interface DispatchLimits {
  readonly limitMs: number;
  readonly responseMaxBytes: number;
}

class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly kind: 'timeout' | 'too-large';

  constructor(kind: 'timeout' | 'too-large', message: string) {
    super(message);
    this.kind = kind;
  }
}

function dispatch(agent: Agent, request: HttpRequest, limits: DispatchLimits): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    const giveUp = (error: Error): void => {
      reject(error);
      controller?.abort(error);
    };
    const timer = whileRunning(limits.limitMs, () =>
      giveUp(new LimitReached('timeout', `no whole answer within ${formatDuration(limits.limitMs)}`)),
    );
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    let status = 0;
    let headers: readonly HeaderPair[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
      },
      onResponseStart: (started, statusCode) => {
        status = statusCode;
        headers = headerPairs(started.rawHeaders);
      },
      onResponseData: (_, chunk) => {
        receivedBytes += chunk.length;
        if (receivedBytes > limits.responseMaxBytes) {
          giveUp(new LimitReached('too-large', `the answer is longer than ${limits.responseMaxBytes} bytes`));
          return;
        }
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        timer.cancel();
        resolve({ status, headers, body: Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => {
        timer.cancel();
        reject(error);
      },
    };
    try {
      agent.dispatch(dispatchOptions(request), handler);
    } catch (error) {
      timer.cancel();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function dispatchOptions(request: HttpRequest): Dispatcher.DispatchOptions {
  return {
    ...requestTarget(request),
    method: request.method,
    headers: request.headers.flatMap(([name, value]) => [name, value]),
    body: request.isChunked ? Readable.from(chunksOf(request.body ?? '')) : (request.body ?? null),
  };
}

const CHUNK_BYTES = 64 * 1024;

function* chunksOf(body: Uint8Array | string): Generator<Buffer> {
  const bytes = Buffer.from(body);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}

/** Blanks around a value are not of it (RFC 9110, 5.5). */
function headerPairs(raw: Dispatcher.DispatchController['rawHeaders']): readonly HeaderPair[] {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  return texts.flatMap((name, index): HeaderPair[] =>
    index % 2 === 0 ? [[name, (texts[index + 1] ?? '').trim()]] : [],
  );
}

const KIND_OF_CODE: Readonly<Record<string, WireFailureKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  EPROTO: 'tls',
};

/** OpenSSL and Node name dozens of reasons not to trust a certificate. */
const TLS_CODE = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/;

function describeFailure(error: unknown): { readonly kind: WireFailureKind; readonly message: string } {
  if (error instanceof LimitReached) return { kind: error.kind, message: error.message };
  if (error instanceof errors.HTTPParserError) return { kind: 'not-http', message: error.message };
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  const isPlain = error.message.includes('wrong version number');
  if (isPlain) return { kind: 'no-tls', message: NO_TLS };
  const message = error.message || code || error.name;
  return { kind: KIND_OF_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : 'failed'), message };
}
