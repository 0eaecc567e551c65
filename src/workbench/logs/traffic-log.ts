/**
 * Traffic log: the latest requests to the service, for people who look at them.
 *
 * It keeps the newest thousand, and of the newest two hundred headers and bodies as well. Secrets are
 * taken out when an entry is shown.
 */

import type { SlicedWork } from '../../common/sliced-work.ts';
import type { TrafficEntry } from '../../record/control-types.ts';
import type { AnsweredRequest } from '../../service/service-observer.ts';
import { beginningOf, keepBody, keepText, showBody, type KeptBody } from './body-text.ts';
import { HIDDEN, type Redaction } from './redaction.ts';
import { curl } from './shell.ts';

const MOST_ENTRIES = 1_000;
const MOST_WITH_BODIES = 200;
const LONGEST_TARGET = 2_000;
/** The limit for all headers of a request together, in characters. */
const MOST_HEADER_CHARACTERS = 16_000;

interface KeptRequest {
  readonly id: number;
  readonly facts: Pick<AnsweredRequest, 'timeMs' | 'requestId' | 'method' | 'status' | 'durationMs' | 'accountId'>;
  readonly target: string;
  /** Undefined once it is too old. */
  exchange: KeptExchange | undefined;
}

interface KeptExchange {
  readonly requestHeaders: readonly string[];
  readonly requestBody: KeptBody | null;
  readonly responseHeaders: readonly string[];
  readonly responseBody: KeptBody | null;
}

/** Which entries are asked for; fields that are not given do not restrict. */
export interface TrafficWanted {
  /** Only entries with a higher id. */
  readonly since?: number | undefined;
  readonly accountId?: number | undefined;
  readonly limit: number;
}

/** Headers that a repeated request leaves out. */
const NOT_REPEATED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
]);

export class TrafficLog {
  readonly #redaction: Redaction;
  readonly #url: () => string;
  #entries: KeptRequest[] = [];
  #lastId = 0;

  constructor(redaction: Redaction, url: () => string) {
    this.#redaction = redaction;
    this.#url = url;
  }

  /** @returns the id of the entry */
  add(request: AnsweredRequest): number {
    const { timeMs, requestId, method, status, durationMs, accountId } = request;
    this.#entries.push({
      id: ++this.#lastId,
      facts: { timeMs, requestId, method, status, durationMs, accountId },
      target: beginningOf(request.target, LONGEST_TARGET),
      exchange: {
        requestHeaders: keepHeaders(request.requestHeaders),
        requestBody: keepBody(request.requestBody),
        responseHeaders: request.responseHeaders,
        responseBody: keepText(request.responseBody, request.responseBytes),
      },
    });
    const old = this.#entries.at(-MOST_WITH_BODIES - 1);
    if (old) old.exchange = undefined;
    // In one piece now and then: an array that loses its first element each time is slow.
    if (this.#entries.length >= 2 * MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES);
    return this.#lastId;
  }

  /** The newest of those that are wanted, oldest first. */
  *list({ since = 0, accountId, limit }: TrafficWanted): SlicedWork<TrafficEntry[]> {
    const wanted = this.#entries
      .slice(-MOST_ENTRIES)
      .filter(({ id, facts }) => id > since && (accountId === undefined || facts.accountId === accountId));
    const shown: TrafficEntry[] = [];
    for (const entry of wanted.slice(-limit)) {
      shown.push(this.#show(entry));
      yield;
    }
    return shown;
  }

  get(id: number): TrafficEntry | undefined {
    const entry = this.#entries[id - (this.#entries[0]?.id ?? 0)];
    return entry && this.#show(entry);
  }

  /** Ids go on, so that a viewer never takes a new entry for an old one. */
  clear(): void {
    this.#entries = [];
  }

  #show({ id, facts, target, exchange }: KeptRequest): TrafficEntry {
    const path = this.#redaction.target(target);
    const requestHeaders = exchange ? this.#headers(exchange.requestHeaders) : null;
    const requestBody = showBody(exchange?.requestBody ?? null, this.#redaction);
    return {
      id,
      ...facts,
      accountId: facts.accountId ?? null,
      path,
      requestHeaders,
      requestBody,
      responseHeaders: exchange ? this.#headers(exchange.responseHeaders) : null,
      responseBody: showBody(exchange?.responseBody ?? null, this.#redaction),
      curl: requestHeaders && this.#curl(facts.method, path, requestHeaders, requestBody),
    };
  }

  #headers(pairs: readonly string[]): Record<string, string> {
    const headers: Record<string, string> = Object.create(null) as Record<string, string>;
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      const name = (pairs[index] ?? '').toLowerCase();
      const value = this.#redaction.header(name, pairs[index + 1] ?? '');
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    return headers;
  }

  #curl(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: TrafficEntry['requestBody'],
  ): string | null {
    if (method === '' || body?.cut) return null;
    return curl({
      method,
      url: this.#url() + path,
      headers: Object.entries(headers).filter(
        ([name, value]) => !NOT_REPEATED.has(name) && value !== HIDDEN && !name.startsWith('sec-'),
      ),
      body: body?.text,
    });
  }
}

/** The headers that fit, from the first on, none of them longer than a target. */
function keepHeaders(pairs: readonly string[]): string[] {
  const kept: string[] = [];
  let characters = 0;
  for (const text of pairs) {
    const short = beginningOf(text, LONGEST_TARGET);
    characters += short.length;
    if (characters > MOST_HEADER_CHARACTERS) break;
    kept.push(short);
  }
  return kept;
}
