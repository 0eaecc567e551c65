/**
 * A reference service on a real port, with two accounts, on a virtual clock.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { request } from 'undici';

import { portOf } from '../../src/common/port-of.ts';
import { createRandom } from '../../src/common/random.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';
import type { NewAccount } from '../../src/service/domain/account.ts';
import { attachService, serverOptions, type ConnectionLimits } from '../../src/service/http/http-server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/service/server.ts';
import type { AnsweredRequest } from '../../src/service/service-observer.ts';

export const FIRST_KEY = 'first-key';
export const SECOND_KEY = 'second-key';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The parsed body; undefined when it is empty. */
  readonly body: unknown;
}

export interface CallOptions {
  /** API key; null sends no Authorization header. */
  readonly key?: string | null;
  /** Sent as JSON, or as it is when it is a string. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly clock: VirtualClock;
  readonly service: Service;
  /** What an observer heard of requests and their answers. */
  readonly answered: readonly AnsweredRequest[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

export interface RunOptions extends Partial<ServiceOptions> {
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

/** Requests are not counted unless `limits: 'spec'` is asked for: time stands still here. */
export async function runService({ connectionLimits, ...options }: RunOptions = {}): Promise<RunningService> {
  const clock = new VirtualClock();
  const faults: unknown[] = [];
  const answered: AnsweredRequest[] = [];
  const service = createService({
    clock,
    random: createRandom(1),
    accounts: testAccounts,
    limits: 'off',
    onFault: (error) => faults.push(error),
    observer: {
      answered: (request) => answered.push(request),
      submitted: () => undefined,
      jobState: () => undefined,
      connection: () => undefined,
      delivered: () => undefined,
    },
    ...options,
  });
  const server = createServer(serverOptions(connectionLimits));
  attachService(server, service);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    clock,
    service,
    answered,
    call: (method, path, callOptions) => call(url, method, path, callOptions),
    async [Symbol.asyncDispose]() {
      service.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (faults.length > 0) throw new AggregateError(faults, 'the service had faults of its own');
    },
  };
}

export function basic(key: string): string {
  return `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
}

async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { key = FIRST_KEY, body, headers = {} } = options;
  const response = await request(url + path, {
    method: method as 'GET',
    headers: { ...(key !== null && { authorization: basic(key) }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** An Integrator Account with FIRST_KEY and a Single Account with SECOND_KEY. */
export function testAccounts(): readonly NewAccount[] {
  return [newAccount('Integra', true, FIRST_KEY), newAccount('Single', false, SECOND_KEY)];
}

function newAccount(name: string, isIntegrator: boolean, key: string): NewAccount {
  return {
    firstname: name,
    lastname: 'Account',
    email: `${name.toLowerCase()}@example.test`,
    creatorRef: null,
    parentId: null,
    isIntegrator,
    tags: {},
    apiKeys: { default: key },
  };
}
