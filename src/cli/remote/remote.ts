/**
 * Remote: a service that runs somewhere, seen from the command line. Whatever it does wrong becomes a
 * message that names it and the next step.
 */

import type { Dispatcher } from 'undici';

import { ActionableError } from '../../common/actionable-error.ts';
import { basicAuthorization } from '../../common/basic-authorization.ts';
import { MEDIA_TYPES } from '../../spec/headers.ts';
import { CONTROL_PREFIX } from '../../workbench/defaults.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly key: string;
}

/** A service that has not begun its answer by then hangs. */
const ANSWER_LIMIT_MS = 10_000;

interface RequestInit {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly body?: string;
}

/** The service understood and said no. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class Remote {
  readonly url: string;
  readonly #authorization: string;

  /** @throws ActionableError when the address is none */
  constructor({ url, key }: RemoteOptions) {
    this.url = baseUrl(url);
    this.#authorization = basicAuthorization(key);
  }

  /** @throws Refusal, or ActionableError when there is no such service */
  get(path: string): Promise<unknown> {
    return this.#json(path, { method: 'GET' });
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.#json(path, { method: 'POST', body: JSON.stringify(body) });
  }

  delete(path: string): Promise<unknown> {
    return this.#json(path, { method: 'DELETE' });
  }

  async bytes(path: string): Promise<Uint8Array> {
    const { statusCode, body } = await this.#send(path, { method: 'GET' });
    if (statusCode >= 400) throw refusal(statusCode, await body.text());
    return body.bytes();
  }

  async #json(path: string, init: RequestInit): Promise<unknown> {
    const { statusCode, headers, body } = await this.#send(path, init);
    const text = await body.text().catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    const parsed = parse(text);
    if (parsed === undefined) throw this.#notAService(statusCode, headers['content-type']);
    if (statusCode >= 400) throw refusal(statusCode, text);
    return parsed;
  }

  async #send(path: string, init: RequestInit): Promise<Dispatcher.ResponseData> {
    const token = path.startsWith(CONTROL_PREFIX) ? process.env['PLATEN_CONTROL_TOKEN'] : undefined;
    const authorization = token === undefined ? this.#authorization : `Bearer ${token}`;
    const headers = { authorization, 'content-type': MEDIA_TYPES.json.value };
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    // Here, as most commands need no client, and loading it takes longer than all else at a start.
    const { request } = await import('undici');
    const response = await request(this.url + path, { ...init, headers, signal }).catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    const { statusCode } = response;
    if (statusCode >= 300 && statusCode < 400) throw this.#redirects(response.headers['location']);
    if (statusCode === 401) throw this.#wrongKey();
    return response;
  }

  #redirects(location: string | string[] = 'another address'): ActionableError {
    return new ActionableError(
      'unreachable',
      `${this.url} redirects to ${String(location)}`,
      'Use the address it redirects to, without the path.',
    );
  }

  #wrongKey(): ActionableError {
    return new ActionableError(
      'usage',
      `${this.url} does not accept this API key`,
      'Give the right one with --key or PLATEN_API_KEY.',
    );
  }

  #unreachable(error: unknown): ActionableError {
    return new ActionableError(
      'unreachable',
      `nothing answers at ${this.url}: ${reasonOf(error)}`,
      'Start a service with `platen start`, or name a running one with --url.',
      { cause: error },
    );
  }

  #notAService(status: number, contentType: string | string[] = 'no content type'): ActionableError {
    return new ActionableError(
      'unreachable',
      `${this.url} is no printing service: it answers ${status} with ${String(contentType)}, and no JSON`,
      'Check the address given with --url.',
    );
  }
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/\/$/, '');
  throw new ActionableError('usage', `'${text}' is no address`, 'Write it like http://127.0.0.1:8631.');
}

function refusal(status: number, text: string): Refusal {
  const body = parse(text);
  const explained = typeof body === 'object' && body !== null && 'message' in body && 'code' in body;
  return new Refusal(
    status,
    explained ? `${status} ${String(body.code)}: ${String(body.message)}` : `${status}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer in ${ANSWER_LIMIT_MS / 1_000} seconds`;
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error.message || code);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'there is no host of that name',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  HPE_INVALID_CONSTANT: 'what answers there does not speak HTTP',
};
