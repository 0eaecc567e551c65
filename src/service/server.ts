/**
 * The reference service: a complete implementation of the specification.
 *
 *   request ─► target ─► preflight? ─► authenticate ─► route ─► body ─► handler ─► commit ─► response
 *                                 └── anything thrown on the way ─► error object ──────────────┘
 *
 * It owns no port: whoever starts it hands over requests and upgrades. Bare node:http under a router of
 * our own: the bench needs exact headers, early 413 and raw sockets, and every framework that was
 * measured cost throughput without giving one of these.
 */

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Clock } from '../common/clock.ts';
import type { Random } from '../common/random.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../link/messages.ts';
import { DEFAULT_CHOICES, type ServiceChoices } from './choices.ts';
import { DeviceGateway } from './delivery/device-gateway.ts';
import type { Account, NewAccount } from './domain/account.ts';
import { ApiError, internalError, methodNotAllowed, notFound } from './gate/api-error.ts';
import { decodeBody, readBody } from './gate/request-body.ts';
import { parseRequestTarget, type RequestTarget } from './gate/request-target.ts';
import type { Handler, Reply } from './request-context.ts';
import { Router } from './router.ts';
import { accountRoutes } from './routes/accounts.ts';
import { computerRoutes } from './routes/computers.ts';
import { miscRoutes } from './routes/misc.ts';
import { printerRoutes } from './routes/printers.ts';
import { printJobRoutes } from './routes/print-jobs.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { SERVICE_PARTS, type ServiceParts } from './service-parts.ts';
import { ServiceState } from './service-state.ts';
import { Database } from './store/database.ts';

export interface ServiceOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where everything is kept; in memory when missing. */
  readonly dataFile?: string | undefined;
  /** Accounts a new service begins with; a data file that has accounts keeps its own. */
  readonly accounts: readonly NewAccount[];
  /** Refuses to send webhooks to loopback, private and link-local addresses. */
  readonly forbidPrivateAddresses?: boolean;
  /** Choices to make otherwise than this service does by itself. */
  readonly choices?: Partial<ServiceChoices>;
  /** Rules to replace, for making a service that breaks them. */
  readonly parts?: Partial<ServiceParts>;
  /** Told about faults of the service itself, each answered with 500. */
  readonly onFault?: (error: unknown) => void;
}

export interface Service {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all connections of devices and closes the data file. */
  close(): void;
}

/** What is known of a request by the time its response is written. */
interface Progress {
  readonly requestId: string;
  readonly elapsedMs: () => number;
  account: Account | undefined;
}

/** @throws ActionableError when the data file cannot be used */
export function createService(options: ServiceOptions): Service {
  return new ReferenceService(options);
}

class ReferenceService implements Service {
  readonly #state: ServiceState;
  readonly #parts: ServiceParts;
  readonly #router: Router<Handler>;
  readonly #onFault: (error: unknown) => void;
  readonly #requestIdPrefix: string;
  #requests = 0;
  #isClosed = false;

  constructor(options: ServiceOptions) {
    const { clock, random, dataFile, accounts } = options;
    this.#parts = { ...SERVICE_PARTS, ...options.parts };
    this.#onFault = options.onFault ?? (() => undefined);
    // The start time keeps ids of two runs apart that share a seed.
    this.#requestIdPrefix = `${random.hex(8)}-${clock.now().toString(36)}`;
    const database = Database.open(dataFile);
    const state = new ServiceState({
      database,
      clock,
      random,
      parts: this.#parts,
      choices: { ...DEFAULT_CHOICES, ...options.choices },
      forbidPrivateAddresses: options.forbidPrivateAddresses ?? false,
    });
    if (state.accounts.isEmpty) for (const account of accounts) state.accounts.create(account);
    this.#state = state;
    this.#router = new Router<Handler>([
      ...miscRoutes(),
      ...accountRoutes(state),
      ...computerRoutes(state),
      ...printerRoutes(state),
      ...printJobRoutes(state),
      ...webhookRoutes(state),
    ]);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const progress = this.#begin();
    this.#answer(request, progress).then(
      (reply) => this.#send(response, progress, reply),
      (error: unknown) => this.#send(response, progress, this.#errorReply(error, progress)),
    );
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const progress = this.#begin();
    try {
      const { segments } = parseRequestTarget(request.url ?? '/');
      const account = this.#authenticate(request, progress);
      if (`/${segments.join('/')}` !== LINK_PATH) throw notFound('there is nothing here to upgrade to');
      if (!DeviceGateway.offersCommonVersion(request)) throw noCommonVersion();
      this.#state.gateway.accept(request, socket, head, account);
    } catch (error) {
      this.#refuseUpgrade(socket, progress, this.#errorReply(error, progress));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#state.close();
  }

  async #answer(request: IncomingMessage, progress: Progress): Promise<Reply> {
    const method = request.method ?? 'GET';
    if (method === 'OPTIONS') return { status: 200, json: 'null' };
    const target = parseRequestTarget(request.url ?? '/');
    const isPing = target.segments.length === 1 && target.segments[0] === 'ping';
    const account = isPing ? NOBODY : this.#authenticate(request, progress);
    const { handler, params } = this.#route(method, target);
    const body = hasBody(request) ? decodeBody(await readBody(request)) : undefined;
    if (this.#isClosed) throw shuttingDown();
    const reply = handler({
      requestId: progress.requestId,
      params,
      query: target.query,
      header: (name) => firstValue(request.headers[name]),
      account,
      body,
    });
    // Nothing is answered before what it rests on is committed.
    await this.#state.database.committed();
    return reply;
  }

  #authenticate(request: IncomingMessage, progress: Progress): Account {
    const account = this.#parts.authenticate(request.headers.authorization, (key) =>
      this.#state.accounts.byKey(key),
    );
    progress.account = account;
    return account;
  }

  #route(method: string, { segments }: RequestTarget): { handler: Handler; params: Record<string, string> } {
    const match = this.#router.match(method, segments);
    if (match.kind === 'found') return match;
    if (match.kind === 'other-methods') throw methodNotAllowed(method, match.allowed);
    throw notFound(`there is nothing at /${segments.join('/')}`);
  }

  #begin(): Progress {
    this.#requests++;
    return {
      requestId: `${this.#requestIdPrefix}-${this.#requests.toString(36)}`,
      elapsedMs: startStopwatch(),
      account: undefined,
    };
  }

  #errorReply(error: unknown, { requestId }: Progress): Reply {
    if (!(error instanceof ApiError)) this.#onFault(error);
    const apiError = error instanceof ApiError ? error : internalError();
    return {
      status: apiError.status,
      json: this.#parts.renderError(apiError, requestId),
      headers: apiError.headers,
    };
  }

  #headers({ requestId, elapsedMs, account }: Progress, reply: Reply): string[] {
    return this.#parts.responseHeaders({
      requestId,
      elapsedMs: elapsedMs(),
      body: reply.json,
      accountId: account?.id,
      extra: reply.headers ?? [],
    });
  }

  #send(response: ServerResponse, progress: Progress, reply: Reply): void {
    response.writeHead(reply.status, this.#headers(progress, reply));
    response.end(reply.json);
  }

  #refuseUpgrade(socket: Duplex, progress: Progress, reply: Reply): void {
    const headers = this.#headers(progress, reply);
    let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\nConnection: close\r\n`;
    for (let index = 0; index < headers.length; index += 2)
      head += `${headers[index]}: ${headers[index + 1]}\r\n`;
    // A client that has gone before its refusal arrives is no concern of ours.
    socket.on('error', () => undefined);
    socket.end(`${head}\r\n${reply.json}`);
  }
}

/** Stands for the account where a request needs none; no record belongs to it. */
const NOBODY: Account = {
  id: 0,
  firstname: '',
  lastname: '',
  email: '',
  creatorRef: null,
  parentId: null,
  isIntegrator: false,
  state: 'active',
  totalPrints: 0,
  tags: {},
  apiKeys: {},
};

function noCommonVersion(): ApiError {
  return new ApiError(
    426,
    'UpgradeRequired',
    `offer one of the WebSocket subprotocols ${LINK_PROTOCOLS.join(', ')}`,
    [['Sec-WebSocket-Protocol', LINK_PROTOCOLS.join(', ')]],
  );
}

function shuttingDown(): ApiError {
  return new ApiError(503, 'ServiceUnavailable', 'the service is shutting down');
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0'
  );
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
