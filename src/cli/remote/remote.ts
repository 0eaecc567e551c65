/**
 * Remote: a running service, seen from the command line. What it does wrong becomes a message that names it and the
 * next step.
 */

import type { z } from 'zod';

import { ActionableError, usageError } from '../../common/actionable-error.ts';
import { basicAuthorization } from '../../common/basic-authorization.ts';
import { MOST_FILE_BYTES } from '../../common/regular-file.ts';
import { addressOf } from '../../common/service-address.ts';
import { isObject, type JsonObject, NotJson, parseJson } from '../../common/json-value.ts';
import type { Outcome } from '../../common/outcome.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import {
  WIRE_FAILURE_WORDS,
  type Exchange,
  type HttpResponse,
  type HttpSender,
  type WireFailure,
} from '../../wire/http-exchange.ts';
import { CONTROL_PREFIX } from '../../workbench/defaults.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly key: string;
  readonly controlToken?: string;
}

interface RefusalWords {
  readonly code: string;
  readonly message: string;
  readonly isUnfit: boolean;
}

/** The service understood the request and refused it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  /** The message without status and code, for people. */
  readonly reason: string;
  /** Whether what came with the request is what does not fit. */
  readonly isUnfit: boolean;

  constructor(status: number, { code = '', message = '', isUnfit = false }: Partial<RefusalWords> = {}) {
    super(message === '' ? `${status}` : `${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.reason = message || this.message;
    this.isUnfit = isUnfit;
  }
}

const REQUEST_LIMIT_MS = 10_000;

export class Remote {
  readonly url: string;
  readonly #options: RemoteOptions;
  readonly #limitMs: number;
  readonly #authorization: string;
  #sender: HttpSender | undefined;

  /**
   * @param limitMs - for each request
   * @throws ActionableError when the address is not valid
   */
  constructor(options: RemoteOptions, limitMs = REQUEST_LIMIT_MS) {
    this.url = baseUrl(options.url);
    this.#options = options;
    this.#limitMs = limitMs;
    this.#authorization = basicAuthorization(options.key);
  }

  /** @throws Refusal, or ActionableError when there is no such service */
  get(path: string): Promise<unknown> {
    return this.#json('GET', path);
  }

  /** What a workbench says beside the service; undefined without a workbench, or where it wants a token. */
  async aside(path: string): Promise<unknown> {
    return this.get(path).catch((error: unknown) => {
      if (!(error instanceof Refusal || error instanceof ActionableError)) throw error;
    });
  }

  /** The answer comes when something has happened, or when the service has waited that long. */
  async getAfterWait(path: string, waitMs: number): Promise<unknown> {
    const patient = new Remote(this.#options, REQUEST_LIMIT_MS + waitMs);
    return patient.get(path);
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.#json('POST', path, body);
  }

  put(path: string, body: unknown): Promise<unknown> {
    return this.#json('PUT', path, body);
  }

  delete(path: string): Promise<unknown> {
    return this.#json('DELETE', path);
  }

  async bytes(path: string): Promise<Uint8Array> {
    const { status, body } = await this.#send('GET', path);
    if (status >= 400) throw refusal(status, parseJson(body));
    return body;
  }

  /** The answer in the shape of the schema. @throws ActionableError when it has none of it */
  async shaped<Value>(schema: z.ZodType<Value>, what: string, answer: Promise<unknown>): Promise<Value> {
    const value = await answer.catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      throw this.#notAService(`asked for ${what}, it answers ${error.message}`);
    });
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw this.#notAService(`its answer is not ${what}`);
  }

  async #json(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#send(method, path, body);
    const value = parseJson(response.body);
    if (value instanceof NotJson) {
      const type = headerOf(response, 'content-type') ?? 'no content type';
      throw this.#notAService(`it answers ${response.status} with ${type}, not with JSON`);
    }
    if (response.status >= 400) throw refusal(response.status, value);
    return value;
  }

  async #send(method: string, path: string, body?: unknown): Promise<HttpResponse> {
    const outcome = await this.#exchange(method, path, body);
    if (!outcome.ok) throw this.#unreachable(outcome.error);
    const { response } = outcome.value;
    if (response.status >= 300 && response.status < 400) throw this.#redirects(response);
    if (response.status === 401) throw this.#wrongKey();
    if (response.status === 429) await this.#ensureTimePasses();
    if (response.status === 500) await this.ensureHealthy();
    return response;
  }

  async #exchange(method: string, path: string, body?: unknown): Promise<Outcome<Exchange, WireFailure>> {
    const token = path.startsWith(CONTROL_PREFIX) ? this.#options.controlToken : undefined;
    const authorization = token === undefined ? this.#authorization : `Bearer ${token}`;
    // Loaded here: most commands need no client, and loading one takes longer than all else at a start.
    const { createHttpSender } = await import('../../wire/http-exchange.ts');
    this.#sender ??= createHttpSender({
      limitMs: this.#limitMs,
      responseMaxBytes: MOST_FILE_BYTES,
    });
    return this.#sender.send({
      method,
      baseUrl: this.url,
      path,
      headers: [
        ['Authorization', authorization],
        ['Content-Type', MEDIA_TYPES.json.value],
      ],
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** The answer to a request says nothing of a full disk; a workbench does. @throws ActionableError */
  async ensureHealthy(): Promise<void> {
    const health = await this.#ofWorkbench('/health');
    if (health['code'] !== 'NotReady') return;
    throw new ActionableError(
      'unreachable',
      `the service failed: ${String(health['message'])}`,
      'Make room on its disk, and try again.',
    );
  }

  /** Where no time passes, the next second with its requests never comes. @throws ActionableError */
  async #ensureTimePasses(): Promise<void> {
    const clock = await this.#ofWorkbench('/clock');
    if (clock['running'] !== false) return;
    throw usageError(
      'the service accepts no more requests in this second, and its clock is stopped',
      'Advance it with `platen clock advance 1s`, or start the workbench with --limits off.',
    );
  }

  /** What a workbench says of itself, asked once: a service may answer every request in the same way. */
  async #ofWorkbench(path: string): Promise<JsonObject> {
    const outcome = await this.#exchange('GET', CONTROL_PREFIX + path);
    const value = outcome.ok ? parseJson(outcome.value.response.body) : undefined;
    return isObject(value) ? value : {};
  }

  #redirects(response: HttpResponse): ActionableError {
    return new ActionableError(
      'unreachable',
      `${this.url} redirects to ${headerOf(response, 'location') ?? 'another address'}`,
      'Use the address it redirects to, without the path.',
    );
  }

  #wrongKey(): ActionableError {
    return usageError(`${this.url} does not accept this API key`, 'Give the right one with --key or PLATEN_API_KEY.');
  }

  #unreachable({ kind, message }: WireFailure): ActionableError {
    if (kind === 'no-tls') {
      const plain = this.url.replace('https:', 'http:');
      return new ActionableError(
        'unreachable',
        `${this.url} does not speak HTTPS`,
        `Write ${plain}, or start it with --tls.`,
      );
    }
    if (kind === 'tls') {
      return new ActionableError(
        'unreachable',
        `${this.url} has a certificate that is not trusted: ${message.split(';', 1)[0]}`,
        'Name the file of its certificate with --ca; `platen start --tls` prints it.',
      );
    }
    const mayBeTls = kind === 'reset' && this.url.startsWith('http:');
    return new ActionableError(
      'unreachable',
      `nothing answers at ${this.url}: ${WIRE_FAILURE_WORDS[kind] ?? message}`,
      mayBeTls
        ? `If it speaks HTTPS on this port, write ${this.url.replace('http:', 'https:')}.`
        : 'Start a service with `platen start`, or name a running one with --url.',
    );
  }

  #notAService(reason: string): ActionableError {
    const { origin, pathname } = new URL(this.url);
    return new ActionableError(
      'unreachable',
      `${this.url} is not a printing service: ${reason}`,
      pathname === '/'
        ? 'Check the address given with --url.'
        : `Check the address given with --url; is it ${origin}, without ${pathname}?`,
    );
  }
}

function baseUrl(text: string): string {
  // The address of the page is what people copy from their browser.
  const page = text.replace(/(\/_platen\/?)?(#.*)?$/, '');
  return addressOf(page, 'a service', 'Write it like http://127.0.0.1:8631.').href.replace(/\/$/, '');
}

function headerOf({ headers }: HttpResponse, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function refusal(status: number, value: unknown): Refusal {
  if (!isObject(value) || !('message' in value && 'code' in value)) return new Refusal(status);
  const { code, message } = value;
  return new Refusal(status, { code: String(code), message: String(message), isUnfit: 'problem' in value });
}

/** The control API of a running workbench, for the commands that use it. */
interface WorkbenchControl {
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
}

/** Paths are relative to /_platen. */
export function workbench(options: RemoteOptions): WorkbenchControl {
  const remote = new Remote(options);
  return {
    get: (path) => remote.get(`/_platen${path}`),
    post: (path, body) => remote.post(`/_platen${path}`, body),
    delete: (path) => remote.delete(`/_platen${path}`),
  };
}

/** By status of the refusal: what to do about it. */
const NEXT_STEPS: Readonly<Partial<Record<number, string>>> = {
  400: '`platen faults` lists the places of a room and what can go wrong there.',
  404: '`platen fault` lists the rules in force.',
  403: 'Give the token that `platen start` prints there with --control-token or PLATEN_CONTROL_TOKEN.',
  409: 'Start the workbench with `platen start --clock virtual` to move its time.',
};

const WHAT_IT_ACCEPTS = 'docs/control-api.md describes what a workbench accepts.';

/** The answer of the workbench. @throws ActionableError when it refuses, or is not a workbench */
export async function controlJson<Value>(
  answer: Promise<unknown>,
  schema: z.ZodType<Value>,
  url: string,
): Promise<Value> {
  const value = await answer.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 404 && error.code !== 'NoSuchFaultRule') throw noWorkbench(url, error);
    const nextStep = error.isUnfit ? undefined : NEXT_STEPS[error.status];
    throw usageError(error.reason, nextStep ?? WHAT_IT_ACCEPTS, { cause: error });
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw noWorkbench(url, parsed.error);
}

function noWorkbench(url: string, cause: unknown): ActionableError {
  return usageError(
    `${url} is not a platen workbench`,
    'This command needs one that `platen start` runs; name it with --url.',
    { cause },
  );
}
