/**
 * Responder: numbers what comes in, and turns replies and errors into responses with all their headers.
 */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Clock } from '../../common/clock.ts';
import type { Random } from '../../common/random.ts';
import { inSlices } from '../../common/sliced-work.ts';
import { monotonicMs } from '../../common/stopwatch.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { ApiError, internalError } from '../gate/api-error.ts';
import type { Caller } from '../gate/child-account.ts';
import { isOn, type ListReply, type Reply } from '../gate/request-context.ts';
import type { ServiceObserver } from '../service-observer.ts';
import type { ServiceRules } from '../service-rules.ts';
import { prepareList, sendList } from './long-list.ts';
import { sendBareReply, sendReply, type FinishedReply, type Remainder } from './reply-sender.ts';

/** A request on its way to its answer. */
export interface Exchange {
  /** Undefined for bytes that were not a request. */
  readonly request: IncomingMessage | undefined;
  readonly requestId: string;
  /** On the scale of monotonicMs(). */
  readonly startedMs: number;
  /** Set once the request is authenticated. */
  caller: Caller | undefined;
  /** Set once it has been read. */
  body: Uint8Array | undefined;
}

/** An exchange with the means to answer it. */
export interface Pending {
  readonly exchange: Exchange;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ResponderOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: ServiceRules;
  /** Called with errors that are not refusals. */
  readonly onFault: (error: unknown) => void;
  readonly observer?: ServiceObserver | undefined;
}

const PRETTY = REQUEST_HEADERS.pretty.name.toLowerCase();
const DONT_LOG = REQUEST_HEADERS.dontLog.name.toLowerCase();

export class Responder {
  readonly #options: ResponderOptions;
  readonly #requestIdPrefix: string;
  #requests = 0;

  constructor(options: ResponderOptions) {
    this.#options = options;
    // The start time tells apart the ids of two runs with the same seed.
    this.#requestIdPrefix = `${options.random.hex(8)}-${options.clock.now().toString(36)}-`;
  }

  begin(request: IncomingMessage | undefined): Exchange {
    this.#requests++;
    return {
      request,
      requestId: this.#requestIdPrefix + this.#requests.toString(36),
      startedMs: monotonicMs(),
      caller: undefined,
      body: undefined,
    };
  }

  send({ exchange, request, response }: Pending, reply: Reply, remainder: Remainder = 'body'): void {
    // A request that broke while its body was read has been refused already.
    if (!response.headersSent) sendReply(request, response, this.#finish(exchange, reply), remainder);
  }

  /** The same of a long list, which takes a while. */
  async sendList({ exchange, request, response }: Pending, { records, headers = [] }: ListReply): Promise<void> {
    const prepared = await inSlices(prepareList(records, isOn(request.headers[PRETTY])));
    const { bytes, md5, beginning } = prepared;
    response.writeHead(200, this.#complete(exchange, { status: 200, headers, bytes, md5, text: beginning }));
    sendList(response, prepared);
  }

  /** Sends the reply without a response object, and ends the connection. */
  sendBare(exchange: Exchange, socket: Duplex, reply: Reply): void {
    sendBareReply(socket, this.#finish(exchange, reply));
  }

  /** The reply to an error; one that is not a refusal is reported as a fault, and its message is hidden. */
  errorReply({ requestId }: Exchange, error: unknown): Reply {
    const { onFault, rules } = this.#options;
    if (!(error instanceof ApiError)) onFault(error);
    const apiError = error instanceof ApiError ? error : internalError();
    return {
      status: apiError.status,
      json: rules.renderError(apiError, requestId),
      headers: apiError.headers,
    };
  }

  #finish(exchange: Exchange, { status, json, encoded: known, headers = [] }: Reply): FinishedReply {
    const isPretty = isOn(exchange.request?.headers[PRETTY]);
    const body = isPretty ? JSON.stringify(JSON.parse(json), null, 2) : json;
    const encoded = body === json ? known : undefined;
    const bytes = encoded?.bytes.length ?? Buffer.byteLength(body);
    const md5 = encoded?.md5 ?? hash('md5', body, 'base64');
    const sent = this.#complete(exchange, { status, headers, bytes, md5, text: body });
    return { status, headers: sent, body, bytes: encoded?.bytes };
  }

  /** All headers of a response, which the observer hears of. */
  #complete(exchange: Exchange, { status, headers, bytes, md5, text }: Answer): string[] {
    const { request, requestId, startedMs, caller } = exchange;
    const elapsedMs = monotonicMs() - startedMs;
    const all = this.#options.rules.responseHeaders({
      requestId,
      elapsedMs,
      bodyBytes: bytes,
      bodyMd5: md5,
      accountId: caller?.account.id,
      extra: [...(caller?.headers ?? []), ...headers],
    });
    if (!isOn(request?.headers[DONT_LOG])) {
      this.#options.observer?.answered({
        timeMs: this.#options.clock.now(),
        requestId,
        method: request?.method ?? '',
        status,
        accountId: caller?.account.id,
        durationMs: elapsedMs,
        target: request?.url ?? '',
        requestHeaders: request?.rawHeaders ?? [],
        requestBody: exchange.body,
        responseHeaders: all,
        responseBody: text,
        responseBytes: bytes,
      });
    }
    // Its connection may stay, and remembers its latest request.
    exchange.body = undefined;
    return all;
  }
}

/** What is answered, before its headers are complete. */
interface Answer {
  readonly status: number;
  readonly headers: NonNullable<Reply['headers']>;
  readonly bytes: number;
  readonly md5: string;
  /** The body, or its beginning. */
  readonly text: string;
}
