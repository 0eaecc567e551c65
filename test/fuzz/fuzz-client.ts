/**
 * Fuzz client: sends one fuzz request after the other over a few connections and judges what comes back.
 *
 * Every answer must be complete, with a status below 500, and JSON with the headers of the service; every
 * refusal must be the error object. Each request is answered or cut off, never left waiting.
 */

import type { Random } from '../../src/common/random.ts';
import { WaitExpired, within } from '../../src/common/waiter.ts';
import { RawClient, type RawResponse } from '../support/raw-client.ts';
import { fuzzRequest, type FuzzRequest } from './fuzz-request.ts';

export interface Finding {
  /** The number of the request: the same seed and number make the same bytes. */
  readonly index: number;
  readonly kind: string;
  readonly what: string;
}

export interface FuzzResult {
  requests: number;
  /** Answers by status; `none` where the connection ended without one. */
  readonly statuses: Map<string, number>;
  readonly findings: Finding[];
}

export interface FuzzOptions {
  readonly port: number;
  readonly random: Random;
  readonly requests: number;
  readonly connections?: number;
  /** Number of the first request. */
  readonly first?: number;
}

const ANSWER_LIMIT = '15s';

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { connections = 8, first = 0, requests } = options;
  const result: FuzzResult = { requests: 0, statuses: new Map(), findings: [] };
  let next = first;
  const work = async (): Promise<void> => {
    const line = new FuzzLine(options.port, result);
    while (next < first + requests) {
      const index = next++;
      await line.send(index, fuzzRequest(options.random.stream(String(index))));
    }
    await line.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return result;
}

/** One connection at a time, opened again whenever the last one is used up. */
class FuzzLine {
  readonly #port: number;
  readonly #result: FuzzResult;
  #client: RawClient | undefined;

  constructor(port: number, result: FuzzResult) {
    this.#port = port;
    this.#result = result;
  }

  async send(index: number, request: FuzzRequest): Promise<void> {
    this.#result.requests++;
    try {
      const problem = await within(this.#exchange(request), {
        description: 'an answer or the end of the connection',
        limit: ANSWER_LIMIT,
      });
      if (problem !== undefined) this.#find(index, request, problem);
    } catch (error) {
      if (!(error instanceof WaitExpired)) throw error;
      this.#find(index, request, error.message);
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#client?.[Symbol.asyncDispose]();
    this.#client = undefined;
  }

  async #exchange(request: FuzzRequest): Promise<string | undefined> {
    this.#client ??= await RawClient.connect(this.#port);
    const client = this.#client;
    for (const piece of request.pieces) {
      client.send(piece);
      if (request.pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
    if (request.leave === 'reset') {
      client.socket.resetAndDestroy();
      this.#count('none');
      await this.close();
      return undefined;
    }
    if (request.leave === 'end') client.socket.end();
    const problem = await this.#judgeAll(client, request);
    if (request.leave === 'end' || client.socket.readyState !== 'open') await this.close();
    return problem;
  }

  /** Judges the answers: one of a whole request, all of what came before the end of any other. */
  async #judgeAll(client: RawClient, request: FuzzRequest): Promise<string | undefined> {
    for (let answers = 0; ; answers++) {
      const response = await client.nextResponse(request.isHead);
      if (!response) {
        if (answers === 0) this.#count('none');
        if (client.unread !== '' && !request.isHead) return `half a response: ${client.unread.slice(0, 200)}`;
        return answers === 0 && request.leave === 'reuse' ? 'no answer to a whole request' : undefined;
      }
      this.#count(String(response.status));
      const problem = judge(response, request.isHead);
      if (problem !== undefined) return problem;
      if (response.status === 101) return undefined;
      if (request.leave === 'reuse' && response.status >= 200) {
        if (response.headers.get('connection') === 'close') await this.close();
        return undefined;
      }
    }
  }

  #count(status: string): void {
    this.#result.statuses.set(status, (this.#result.statuses.get(status) ?? 0) + 1);
  }

  #find(index: number, { kind }: FuzzRequest, what: string): void {
    this.#result.findings.push({ index, kind, what });
  }
}

/** What is wrong with an answer; undefined when nothing is. */
function judge({ status, headers, text }: RawResponse, isHead: boolean): string | undefined {
  if (status < 200) return undefined;
  if (!(status < 500)) return `status ${status}: ${text}`;
  if (headers.get('content-type') !== 'application/json') return `type ${headers.get('content-type')}`;
  if (isHead) return undefined;
  const body = parsed(text);
  if (body === undefined) return `no JSON: ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  const { uid, code, message } = body as Record<string, unknown>;
  if (uid !== headers.get('request-id')) return `uid ${String(uid)} is not the Request-Id`;
  return typeof code === 'string' && typeof message === 'string' ? undefined : `no error object: ${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
