/**
 * Control client: the few requests around a load that are no part of it: accounts made and removed, printers
 * looked up, submissions settled. They wait where the service says "too many", and are counted nowhere.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { basicAuthorization } from '../../common/basic-authorization.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import { parseJson, showValue } from '../../common/json-value.ts';
import { MEDIA_TYPES } from '../../spec/headers.ts';
import { createHttpSender, type HeaderPair, type HttpSender } from '../../wire/http-exchange.ts';

export interface ControlRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; nothing is sent without it. */
  readonly json?: unknown;
  /** Sent as it stands, instead of `json`. */
  readonly body?: Uint8Array;
}

export interface ControlAnswer {
  readonly status: number;
  /** Of the body as JSON. */
  readonly value: unknown;
  readonly header: (name: string) => string | undefined;
}

const TOO_MANY_REQUESTS = 429;
const PAUSE_MS = 250;
const MOST_PAUSES = 80;

export class ControlClient {
  readonly baseUrl: string;
  readonly #sender: HttpSender;

  constructor(baseUrl: string, limitMs?: number) {
    this.baseUrl = baseUrl;
    this.#sender = createHttpSender(limitMs === undefined ? {} : { limitMs });
  }

  /** The answer; undefined when no whole one came. */
  async trySend({
    method,
    path,
    apiKey,
    headers = {},
    json,
    body,
  }: ControlRequest): Promise<ControlAnswer | undefined> {
    const content = body ?? (json === undefined ? undefined : JSON.stringify(json));
    const pairs: HeaderPair[] = [
      ['Authorization', basicAuthorization(apiKey)],
      ...(content === undefined ? [] : [['Content-Type', MEDIA_TYPES.json.value] as const]),
      ...Object.entries(headers),
    ];
    for (let pauses = 0; ; pauses++) {
      const outcome = await this.#sender.send({
        method,
        baseUrl: this.baseUrl,
        path,
        headers: pairs,
        ...(content !== undefined && { body: content }),
      });
      if (!outcome.ok) return undefined;
      const { response } = outcome.value;
      if (response.status !== TOO_MANY_REQUESTS || pauses >= MOST_PAUSES) {
        return {
          status: response.status,
          value: parseJson(response.body),
          header: (name) => response.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
        };
      }
      await sleep(systemClock, PAUSE_MS);
    }
  }

  /** @throws ActionableError when no whole answer comes */
  async send(request: ControlRequest): Promise<ControlAnswer> {
    const answer = await this.trySend(request);
    if (answer) return answer;
    throw new ActionableError(
      'unreachable',
      `${this.baseUrl} gave no answer to ${request.method} ${request.path}`,
      'Is the service still running?',
    );
  }

  /** All records of a list, page by page. @throws ActionableError when the answer is no list */
  async listAll(path: string, apiKey: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const records: Readonly<Record<string, unknown>>[] = [];
    for (let after = ''; ;) {
      const query = `limit=${PAGE_SIZE}&dir=asc${after}`;
      const { status, value } = await this.send({ method: 'GET', path: `${path}?${query}`, apiKey });
      if (status !== 200 || !Array.isArray(value)) throw noList(path, status, value);
      const page = value as readonly Readonly<Record<string, unknown>>[];
      records.push(...page);
      const last = page.at(-1)?.['id'];
      if (page.length < PAGE_SIZE || typeof last !== 'number') return records;
      after = `&after=${last}`;
    }
  }

  close(): Promise<void> {
    return this.#sender.close();
  }
}

/** The default; larger pages are a service's own affair. */
const PAGE_SIZE = 100;

function noList(path: string, status: number, value: unknown): ActionableError {
  return new ActionableError(
    'unreachable',
    `GET ${path} answers ${status}: ${showValue(value)}`,
    'Try the address with curl; a load needs a service that answers it.',
  );
}
