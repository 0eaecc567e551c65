/**
 * Control client: the control API as a program asks it, of a workbench in this process or of one elsewhere.
 *
 *   Platen ─► ControlClient ─┬─ in this process ─► ControlApi
 *                            └─ HTTP ────────────► front door ─► ControlApi
 */

import type { Agent } from 'undici';

import { isObject } from '../../common/json-value.ts';
import { ActionableError, usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import type { ControlErrorView, JobWaitExpiredView } from '../../record/control-types.ts';
import { JobWaitExpired } from '../views/job-query.ts';
import type { ControlApi } from './control-api.ts';
import { errorReply } from './control-reply.ts';

/** What came back. */
interface Answer {
  readonly status: number;
  readonly body: Uint8Array | string;
}

type Ask = (method: string, target: string, body: unknown) => Promise<Answer>;

export type QueryValues = Readonly<Record<string, string | number | undefined>>;

export class ControlClient {
  readonly #ask: Ask;
  readonly #scope: QueryValues;

  constructor(ask: Ask, scope: QueryValues = {}) {
    this.#ask = ask;
    this.#scope = scope;
  }

  /** The same, with every question about this account. */
  of(accountId: number): ControlClient {
    return new ControlClient(this.#ask, { account: accountId });
  }

  /** The same, for what is not of one account: the clock, accounts, a job by its id. */
  get unscoped(): ControlClient {
    return new ControlClient(this.#ask);
  }

  /** The same, as long as this does not throw: it is called before each question. */
  while(ensureOpen: () => void): ControlClient {
    const ask: Ask = async (...question) => {
      ensureOpen();
      return this.#ask(...question);
    };
    return new ControlClient(ask, this.#scope);
  }

  get<T>(path: string, query: QueryValues = {}): Promise<T> {
    return this.#json('GET', path, query, undefined);
  }

  post<T>(path: string, body?: unknown, query: QueryValues = {}): Promise<T> {
    return this.#json('POST', path, query, body);
  }

  delete<T>(path: string, query: QueryValues = {}): Promise<T> {
    return this.#json('DELETE', path, query, undefined);
  }

  /** @throws ActionableError when the workbench refuses */
  async bytes(path: string, query: QueryValues = {}): Promise<Uint8Array> {
    return Buffer.from(await this.#whole('GET', path, query, undefined));
  }

  async #json<T>(method: string, path: string, query: QueryValues, body: unknown): Promise<T> {
    const answer = await this.#whole(method, path, query, body);
    return JSON.parse(Buffer.from(answer).toString('utf8')) as T;
  }

  async #whole(method: string, path: string, query: QueryValues, body: unknown): Promise<Uint8Array | string> {
    const answer = await this.#ask(method, path + queryText({ ...this.#scope, ...query }), body);
    if (answer.status < 300) return answer.body;
    throw refusalOf(answer, `${method} ${path}`);
  }
}

/** Asks the workbench in this process. */
export function askHere(control: ControlApi): Ask {
  return async (method, target, body) => {
    const question = {
      method,
      target,
      headers: {},
      bytes: () => Promise.resolve(Buffer.from(JSON.stringify(body) ?? '')),
      body: () => Promise.resolve(body),
      signal: undefined,
    };
    const reply = await control.answer(question).catch(errorReply);
    if ('stream' in reply) throw new Error(`${method} ${target} is a stream`);
    return reply;
  };
}

/** Asks a workbench elsewhere; a wait may take as long as it likes. */
export function askThere(url: string, token: string | undefined, agent: Agent): Ask {
  return async (method, target, body) => {
    const { request } = await import('undici');
    const response = await request(`${url}/_platen${target}`, {
      method,
      dispatcher: agent,
      headersTimeout: 0,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'x-platen-page': '1',
      },
      body: body === undefined ? null : JSON.stringify(body),
    }).catch((error: unknown) => {
      throw unreachable(url, error);
    });
    return { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) };
  };
}

/** No printout was what the wait asked for. */
export class PrintoutWaitExpired extends Error {
  override readonly name = 'PrintoutWaitExpired';
}

function unreachable(url: string, cause: unknown): ActionableError {
  const reason = messageOf(cause);
  const nextStep = 'Start one with `platen start`, and give the address that it prints.';
  return new ActionableError('unreachable', `no workbench answers at ${url}: ${reason}`, nextStep, { cause });
}

function refusalOf({ status, body }: Answer, what: string): Error {
  const text = Buffer.from(body).toString('utf8');
  const { message = text, ...rest } = errorIn(text);
  if (status === 408) {
    return rest.closest ? new JobWaitExpired(message, rest.closest) : new PrintoutWaitExpired(message);
  }
  const nextStep = 'docs/control-api.md says what a workbench takes.';
  return usageError(`${message} (${what} was answered with ${status})`, nextStep);
}

function errorIn(text: string): Partial<ControlErrorView & JobWaitExpiredView> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function queryText(query: QueryValues): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
