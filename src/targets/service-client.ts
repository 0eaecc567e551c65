/**
 * Service client: requests to a service with an API key, where the answer matters and the exchange does not.
 *
 *   send, trySend    once; with `isPatient` again while the service answers 429
 *   look             GET, until the service has time to answer it
 *   listAll          every page of a list
 */

import { ActionableError } from '../common/actionable-error.ts';
import { basicAuthorization } from '../common/basic-authorization.ts';
import { systemClock, type Clock } from '../common/clock.ts';
import { retryAfterMs } from '../common/retry-after.ts';
import { isObject, parseJson, showValue, type JsonObject } from '../common/json-value.ts';
import { failure, success, type Outcome } from '../common/outcome.ts';
import { realTimekeeper, type Timekeeper } from '../common/timekeeper.ts';
import { headerValues, type HeaderPair } from '../common/header-pairs.ts';
import { MEDIA_TYPES } from '../specification/headers.ts';
import { createHttpSender, type Exchange, type HttpSender, type WireFailure } from '../wire/http-exchange.ts';

export interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** In messages; the address by default. */
  readonly name?: string | undefined;
  /** The clock of the service, as far as this process can share it; real time by default. */
  readonly clock?: Clock | undefined;
  readonly timekeeper?: Timekeeper | undefined;
  /** How long to wait for one answer; the sender's limit by default. */
  readonly limitMs?: number | undefined;
  /** Sends a request again while the service answers 429 to it. */
  readonly isPatient?: boolean | undefined;
  /** Ends its patience, except for requests that remove what is left. */
  readonly signal?: AbortSignal | undefined;
  /** Is shown every request when its answer is there, or when none will come. */
  readonly watch?: ((request: WatchedRequest) => void) | undefined;
}

/** A request as it was sent, and what came of it. */
export interface WatchedRequest {
  readonly apiKey: string;
  /** The value of its body, if it was given as one. */
  readonly json: unknown;
  /** On the clock of the service, as far as this process can take part in it. */
  readonly sentMs: number;
  readonly outcome: Outcome<Exchange, WireFailure>;
  /** The body of the answer as JSON, or a NotJson; undefined without an answer. */
  readonly value: unknown;
}

export interface ServiceRequest {
  readonly method: string;
  /** Path and query: `/printjobs?limit=5`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** JSON that is sent as it stands, instead of `json`. */
  readonly body?: Uint8Array | undefined;
  /** Instead of the key of the client. */
  readonly apiKey?: string | undefined;
  /** Instead of what the client is. */
  readonly isPatient?: boolean | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  /** The body as JSON; a NotJson if it is not. */
  readonly value: unknown;
  /** The first of this name, in upper or lower case. */
  readonly header: (name: string) => string | undefined;
}

export const TOO_MANY_REQUESTS = 429;
const PAUSE_MS = 200;
const MOST_PAUSES = 100;
/** A service that asks for more is asked again sooner. */
const LONGEST_PAUSE_MS = 60_000;
const MOST_PATIENCE_MS = 120_000;
/** With each request of a run that was interrupted. */
const LAST_PATIENCE_MS = 1_000;
/** The default of the specification; a service may refuse larger ones. */
const PAGE_SIZE = 100;
/** A list without an end has more. */
const MOST_RECORDS = 100_000;

export class ServiceClient {
  readonly name: string;
  readonly #options: ServiceClientOptions;
  readonly #sender: HttpSender;
  #baseUrl: string;

  constructor(options: ServiceClientOptions) {
    this.name = options.name ?? options.baseUrl;
    this.#options = options;
    this.#baseUrl = options.baseUrl;
    this.#sender = createHttpSender({ clock: options.clock ?? systemClock, limitMs: options.limitMs });
  }

  /** Sends all further requests to another address, such as that of a proxy. */
  goThrough(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** @throws ActionableError when no whole answer comes */
  async send(request: ServiceRequest): Promise<ServiceAnswer> {
    return this.#whole(request, await this.trySend(request));
  }

  /** The answer, or why no whole one came. */
  trySend(request: ServiceRequest): Promise<Outcome<ServiceAnswer, string>> {
    const { isPatient = this.#options.isPatient } = request;
    return isPatient === true ? this.#insist(request) : this.#once(request);
  }

  /** The answer to GET, once it is not "too many requests". @throws ActionableError when no whole answer comes */
  async lookFor(path: string, as: Pick<ServiceRequest, 'apiKey' | 'headers'> = {}): Promise<ServiceAnswer> {
    const request = { method: 'GET', path, ...as };
    return this.#whole(request, await this.#insist(request));
  }

  /** As `lookFor`, the value of a 200. @throws ActionableError when it is another status */
  async look(path: string): Promise<unknown> {
    const { status, value } = await this.lookFor(path);
    if (status === 200) return value;
    throw this.#unexpected(path, status, value);
  }

  /** All records of a list, page by page; it may stand in an object. @throws ActionableError without one */
  async listAll(path: string, apiKey: string = this.#options.apiKey): Promise<readonly JsonObject[]> {
    const records: JsonObject[] = [];
    for (let after = ''; ;) {
      const pagePath = `${path}?limit=${PAGE_SIZE}&dir=asc${after}`;
      const request = { method: 'GET', path: pagePath, apiKey };
      const { status, value } = this.#whole(request, await this.#insist(request));
      const page = pageIn(value);
      if (status !== 200 || !page) throw this.#unexpected(path, status, value);
      for (const record of page) records.push(record);
      const next = `&after=${String(page.at(-1)?.['id'])}`;
      if (records.length > MOST_RECORDS)
        throw new ActionableError(
          'unreachable',
          `GET ${path} has more than ${MOST_RECORDS} records`,
          'Do its pages end?',
        );
      // A service may ignore where a page is to begin.
      if (page.length < PAGE_SIZE || next === after) return records;
      after = next;
    }
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  async #insist(request: ServiceRequest): Promise<Outcome<ServiceAnswer, string>> {
    const { timekeeper = realTimekeeper, signal } = this.#options;
    let waitedMs = 0;
    for (let pauses = 0; ; pauses++) {
      const outcome = await this.#once(request);
      if (!outcome.ok || outcome.value.status !== TOO_MANY_REQUESTS) return outcome;
      const isOver = signal?.aborted === true;
      const mostMs = isOver ? LAST_PATIENCE_MS : MOST_PATIENCE_MS;
      if (pauses >= MOST_PAUSES || waitedMs >= mostMs) return outcome;
      // Where time is moved, a pause of a minute would let jobs expire.
      const pauseMs = timekeeper.isVirtual ? PAUSE_MS : Math.min(pauseAskedFor(outcome.value), mostMs);
      await timekeeper.elapse(pauseMs, isOver ? undefined : signal).catch(() => undefined);
      waitedMs += pauseMs;
    }
  }

  async #once(request: ServiceRequest): Promise<Outcome<ServiceAnswer, string>> {
    const { method, path, headers = {}, json, apiKey = this.#options.apiKey } = request;
    const body = request.body ?? (json === undefined ? undefined : JSON.stringify(json));
    const pairs: HeaderPair[] = [
      ['Authorization', basicAuthorization(apiKey)],
      ...(body === undefined ? [] : [['Content-Type', MEDIA_TYPES.json.value] as const]),
      ...Object.entries(headers),
    ];
    const sentMs = (this.#options.timekeeper ?? realTimekeeper).now();
    const outcome = await this.#sender.send({ method, baseUrl: this.#baseUrl, path, headers: pairs, body });
    const value = outcome.ok ? parseJson(outcome.value.response.body) : undefined;
    this.#options.watch?.({ apiKey, json, sentMs, outcome, value });
    if (!outcome.ok) return failure(outcome.error.message);
    const { response } = outcome.value;
    return success({
      status: response.status,
      value,
      header: (name) => headerValues(response.headers, name)[0],
    });
  }

  #whole({ method, path }: ServiceRequest, outcome: Outcome<ServiceAnswer, string>): ServiceAnswer {
    if (outcome.ok) return outcome.value;
    throw new ActionableError(
      'unreachable',
      `${this.name} gave no answer to ${method} ${path} (${outcome.error})`,
      'Is the service still running?',
    );
  }

  #unexpected(path: string, status: number, value: unknown): ActionableError {
    return new ActionableError(
      'unreachable',
      `${this.name} answers GET ${path} with ${status}: ${showValue(value)}`,
      'Try the address with curl, and run `platen check` on the service.',
    );
  }
}

/** The records of an array, or of the only array in an object; undefined without such an array. */
function pageIn(value: unknown): readonly JsonObject[] | undefined {
  const lists = isObject(value) ? Object.values(value).filter((member) => Array.isArray(member)) : [value];
  const [list] = lists;
  return lists.length === 1 && Array.isArray(list) && list.every(isObject) ? list : undefined;
}

function pauseAskedFor({ header }: ServiceAnswer): number {
  const askedMs = retryAfterMs(header('retry-after'), systemClock.now()) ?? 0;
  return Math.min(Math.max(askedMs, PAUSE_MS), LONGEST_PAUSE_MS);
}
