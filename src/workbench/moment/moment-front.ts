/**
 * Moment front: stands before a service. It records each request as it comes off the wire, and lets the moment happen
 * to the one that it is about.
 *
 *   app ─► recorded ─► lost before? refused? ─► service ─► answer held back ─► lost? cut? late? ─► app
 */

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { systemClock } from '../../common/clock.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import { LIST, placeOfRequest, type SeenAnswer, type SeenRequest } from '../../record/caller-history.ts';
import type { Moment, RequestFault } from '../../record/moments.ts';
import { internalError, invalidCredentials, tooManyRequests, type ApiError } from '../../service/gate/api-error.ts';
import type { HttpFront } from '../../service/http/http-server.ts';

type RequestMoment = Extract<Moment, { at: 'request' }>;

/** A caller that has not given up by then is taken to have no limit. */
const SLOW_MS = 12_000;
const RETRY_AFTER_MS = 1_000;
/** How often a caller must have waited that long before a busy service has time. */
const QUIET_WAITS = 2;
const DOWN_MS = 10_000;
/** A caller's clock and ours do not tick together. */
const QUIET_TOLERANCE_MS = 50;
/** What is written of an answer that is cut has left by then. */
const CUT_AFTER_MS = 20;

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type OpenRequest = Writable<SeenRequest>;

interface Exchange {
  readonly seen: OpenRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Gives it to the service. */
  readonly serve: (refusal?: ApiError) => void;
}

interface HeldAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders | string[];
  readonly body: Buffer;
}

export interface FrontOptions {
  /** Undefined where the app is only watched. */
  readonly moment: RequestMoment | undefined;
  readonly speed: number;
  /** Sends what another till sends. */
  readonly crowd: (authorization: string) => Promise<void>;
  /** Value of a header by which requests of the front itself are known, which are not recorded. */
  readonly ownMark: string;
}

export const OWN_MARK_HEADER = 'x-platen-moment';

export class MomentFront {
  readonly requests: OpenRequest[] = [];
  isReached = false;
  /** How much faster the app's clock runs than ours. All times are the app's. */
  readonly speed: number;
  readonly #elapsedMs = startStopwatch();
  readonly #options: FrontOptions;
  readonly #counts = new Map<string, number>();
  readonly #connections = new WeakMap<Socket, number>();
  #connectionCount = 0;
  #quietWaits = 0;
  #refusedMs = -Infinity;
  #isRevoked = false;
  #upAgainMs = 0;
  /** Ends when another till has sent all that it sends: lists wait for it. */
  #crowding: Promise<void> | undefined;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.speed = options.speed;
  }

  readonly sinceStartMs = (): number => this.#elapsedMs() * this.speed;

  before(service: HttpFront): HttpFront {
    return {
      handle: (request, response, refusal) => {
        if (request.headers[OWN_MARK_HEADER] === this.#options.ownMark) service.handle(request, response, refusal);
        else this.#handle(request, response, (own) => service.handle(request, response, refusal ?? own));
      },
      upgrade: (request, socket, head, refusal) => service.upgrade(request, socket, head, refusal),
      reject: (error, socket) => service.reject(error, socket),
    };
  }

  #handle(request: IncomingMessage, response: ServerResponse, serve: Exchange['serve']): void {
    const exchange = { seen: this.#record(request), request, response, serve };
    const fault = this.#faultFor(exchange.seen);
    if (fault) {
      exchange.seen.isHit = true;
      this.isReached = true;
      APPLY[fault](exchange, this);
      return;
    }
    const pass = (): void => carry(exchange, (answer) => send(exchange, answer), this);
    if (exchange.seen.place === LIST && this.#crowding) void this.#crowding.then(pass);
    else pass();
  }

  #record(request: IncomingMessage): OpenRequest {
    const { method = '', url = '/', socket } = request;
    const place = placeOfRequest(method, url);
    const nth = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, nth);
    const before = this.#connections.get(socket);
    const connection = before ?? ++this.#connectionCount;
    this.#connections.set(socket, connection);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const seen: OpenRequest = {
      place,
      nth,
      target: url,
      headers,
      connection,
      isKept: before !== undefined,
      body: Buffer.alloc(0),
      sentMs: this.sinceStartMs(),
      answer: null,
      got: null,
      isHit: false,
      jobId: null,
    };
    keepBody(request, seen);
    this.requests.push(seen);
    return seen;
  }

  #faultFor({ place, nth, isKept }: SeenRequest): RequestFault | undefined {
    const { moment } = this.#options;
    if (this.#isRevoked) return 'key-revoked';
    if (moment?.place !== place) return undefined;
    if (moment.fault === 'busy-until-quiet' && this.isReached) return this.#isBusy() ? moment.fault : undefined;
    if (moment.fault === 'down' && this.isReached) return this.sinceStartMs() < this.#upAgainMs ? 'down' : undefined;
    const isMeant = moment.nth === 'kept' ? isKept && !this.isReached : nth === moment.nth;
    return isMeant ? moment.fault : undefined;
  }

  /** Whether a service that is busy is so still: the caller has not yet waited as long as it was told to. */
  #isBusy(): boolean {
    if (this.sinceStartMs() - this.#refusedMs >= RETRY_AFTER_MS - QUIET_TOLERANCE_MS) this.#quietWaits++;
    return this.#quietWaits < QUIET_WAITS;
  }

  goDown(): void {
    this.#upAgainMs ||= this.sinceStartMs() + DOWN_MS;
  }

  refused(): void {
    this.#refusedMs = this.sinceStartMs();
  }

  revoke(): void {
    this.#isRevoked = true;
  }

  crowd(authorization: string): void {
    // A workbench that ends takes no more jobs.
    this.#crowding = this.#options.crowd(authorization).catch(() => undefined);
  }
}

/** Keeps what arrives without taking it from the service. */
function keepBody(request: IncomingMessage, seen: OpenRequest): void {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, ...rest: []) => {
    if (chunk === null) seen.body = Buffer.concat(chunks);
    else chunks.push(chunk);
    return push(chunk, ...rest);
  };
}

/** Lets the service answer, and keeps the answer back. */
function carry({ seen, response, serve }: Exchange, onAnswer: (answer: HeldAnswer) => void, front: MomentFront): void {
  holdBack(response, (answer) => {
    seen.answer = seenAnswer(answer, front.sinceStartMs());
    onAnswer(answer);
  });
  serve();
}

function holdBack(response: ServerResponse, onAnswer: (answer: HeldAnswer) => void): void {
  let status = 200;
  let headers: HeldAnswer['headers'] = {};
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const held = {
    writeHead(code: number, given: HeldAnswer['headers']): ServerResponse {
      status = code;
      headers = given;
      return response;
    },
    write(chunk: unknown, ...rest: readonly unknown[]): boolean {
      keep(chunk);
      const done = rest.find((one) => typeof one === 'function');
      if (done) process.nextTick(done);
      return true;
    },
    end(chunk?: unknown): ServerResponse {
      keep(chunk);
      for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
      onAnswer({ status, headers, body: Buffer.concat(chunks) });
      return response;
    },
  };
  Object.assign(response, held);
}

function send({ seen, response }: Exchange, { status, headers, body }: HeldAnswer): void {
  if (response.destroyed) return;
  response.once('finish', () => {
    seen.got = status;
  });
  response.writeHead(status, headers);
  response.end(body);
}

function seenAnswer({ status, headers, body }: HeldAnswer, atMs: number): SeenAnswer {
  const flat = Array.isArray(headers) ? headers : Object.entries(headers).flat();
  const pairs = Array.from({ length: flat.length / 2 }, (_, index) => [
    String(flat[2 * index]).toLowerCase(),
    String(flat[2 * index + 1]),
  ]);
  return { status, headers: Object.fromEntries(pairs), body: body.toString(), atMs };
}

type Apply = (exchange: Exchange, front: MomentFront) => void;

/** The service refuses what it gets, as it refuses anything. */
const refusing =
  (refusal: () => ApiError, then: (front: MomentFront) => void = () => undefined): Apply =>
  (exchange, front) => {
    const { seen, request, response, serve } = exchange;
    then(front);
    request.resume();
    request.once('end', () => {
      holdBack(response, (answer) => {
        send(exchange, answer);
        seen.answer = seenAnswer(answer, front.sinceStartMs());
      });
      serve(refusal());
    });
  };

const reset = ({ request }: Exchange): void => void request.socket.resetAndDestroy();

const busy = refusing(
  () => tooManyRequests(RETRY_AFTER_MS),
  (front) => front.refused(),
);

const APPLY: Readonly<Record<RequestFault, Apply>> = {
  'lost-before': (exchange) => {
    exchange.request.resume();
    exchange.request.once('end', () => reset(exchange));
  },
  'lost-after': (exchange, front) => carry(exchange, () => reset(exchange), front),
  cut: (exchange, front) =>
    carry(
      exchange,
      ({ status, headers, body }) => {
        exchange.response.writeHead(status, headers);
        exchange.response.write(body.subarray(0, body.length / 2));
        systemClock.schedule(CUT_AFTER_MS, () => exchange.request.socket.destroy());
      },
      front,
    ),
  'error-after': (exchange, front) =>
    carry(
      exchange,
      () => {
        holdBack(exchange.response, (answer) => send(exchange, answer));
        exchange.serve(internalError());
      },
      front,
    ),
  slow: (exchange, front) =>
    carry(
      exchange,
      (answer) => {
        const late = systemClock.schedule(SLOW_MS / front.speed, () => send(exchange, answer));
        exchange.response.once('close', () => late.cancel());
      },
      front,
    ),
  busy,
  'busy-until-quiet': busy,
  down: refusing(internalError, (front) => front.goDown()),
  'key-revoked': refusing(
    () => invalidCredentials('the key has been revoked'),
    (front) => front.revoke(),
  ),
  error: refusing(internalError),
  crowd: (exchange, front) =>
    carry(
      exchange,
      (answer) => {
        front.crowd(exchange.seen.headers['authorization'] ?? '');
        send(exchange, answer);
      },
      front,
    ),
};
