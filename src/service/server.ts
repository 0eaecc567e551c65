/**
 * The reference service: a complete implementation of the specification.
 *
 *   request ─► admission ─► body ─► handler ─► commit ─► response
 *                  └── anything thrown on the way ─► error object ──┘
 *
 * It owns no port: the program that starts it listens with serverOptions() and hands the connections over
 * with attachService() (http/http-server.ts). It is bare node:http under a router of its own, since it needs
 * exact headers, an early 413 and raw sockets: each framework that was measured cost throughput and had none
 * of these.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { usageError } from '../common/actionable-error.ts';
import type { Clock } from '../common/clock.ts';
import type { Random } from '../common/random.ts';
import { atOnce, inSlices } from '../common/sliced-work.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../link/messages.ts';
import { DEFAULT_CHOICES, type ServiceChoices } from './choices.ts';
import { DeviceGateway } from './delivery/device-gateway.ts';
import type { ForbiddenAddresses } from './delivery/webhook-request.ts';
import type { NewAccount } from './domain/account.ts';
import { Admission, checkWebSocketUpgrade, type Admitted } from './gate/admission.ts';
import {
  type ApiError,
  expectationFailed,
  methodNotAllowed,
  notFound,
  shuttingDown,
  upgradeRequired,
} from './gate/api-error.ts';
import { BodyRoom, decodeBody, hasBody, readBody } from './gate/request-body.ts';
import { headersOf, type Handler, type ListReply, type Reply } from './gate/request-context.ts';
import { parseRequestTarget } from './gate/request-target.ts';
import { Router } from './gate/router.ts';
import { connectionRefusal, type HttpFront } from './http/http-server.ts';
import type { Remainder } from './http/reply-sender.ts';
import { Responder, type Pending } from './http/responder.ts';
import { accountRoutes } from './routes/accounts/accounts.ts';
import { clientDownloadRoutes } from './routes/client-downloads.ts';
import { computerRoutes } from './routes/computers.ts';
import { miscRoutes } from './routes/misc.ts';
import { printJobRoutes } from './routes/print-jobs.ts';
import { printerRoutes } from './routes/printers.ts';
import { scaleRoutes } from './routes/scales.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { isScaleFeedPath } from './scale-feed/scale-feed.ts';
import { ServiceAdmin } from './service-admin.ts';
import type { ServiceObserver } from './service-observer.ts';
import { SERVICE_RULES, type ServiceRules } from './service-rules.ts';
import { ServiceState } from './service-state.ts';
import { DamagedRow } from './store/damage.ts';
import { unusable } from './store/data-file.ts';
import { Database } from './store/database.ts';

export interface ServiceOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where everything is stored; in memory without it. */
  readonly dataFile?: string | undefined;
  /** Accounts a new service begins with, and one that is reset; a data file that has accounts keeps its own. */
  readonly accounts: () => readonly NewAccount[];
  /** Addresses to which no webhook is sent; all are allowed by default. */
  readonly forbiddenAddresses?: ForbiddenAddresses | undefined;
  /** Why no webhook may lead to an address; undefined for one to which it may. */
  readonly refuseWebhook?: ((url: URL) => string | undefined) | undefined;
  /** Whether the request rate is limited as the specification says, or not at all. Default 'spec'. */
  readonly limits?: 'spec' | 'off' | undefined;
  /** Choices that differ from the defaults. */
  readonly choices?: Partial<ServiceChoices>;
  /** Rules to replace, to make a service that breaks them. */
  readonly rules?: Partial<ServiceRules>;
  readonly observer?: ServiceObserver | undefined;
  /** Called with faults of the service itself, each answered with 500. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export interface Service extends HttpFront {
  /** For the program that runs the service. */
  readonly admin: ServiceAdmin;
  /** Resets the service to the accounts it began with: forgets everything else and ends all connections. */
  reset(): void;
  /**
   * Ends as a process that is killed does, and begins again with what its data file has. Requests find it again on the
   * connections that they have. @throws ActionableError without a data file
   */
  restart(): void;
  /** Ends all connections of devices and closes the data file. */
  close(): void;
}

/** @throws ActionableError when the data file cannot be used */
export function createService(options: ServiceOptions): Service {
  return new ReferenceService(options);
}

/** A body up to this length is decoded in about a millisecond: pausing would only make it wait. */
const AT_ONCE_MAX_BYTES = 64 * 1024;

/** What a reset replaces. */
interface Core {
  readonly state: ServiceState;
  readonly admission: Admission;
}

class ReferenceService implements Service {
  readonly #options: ServiceOptions;
  readonly #rules: ServiceRules;
  #database: Database;
  readonly #responder: Responder;
  #core: Core;
  /** The first of its rows that could not be read. */
  #damage: DamagedRow | undefined;
  readonly admin = new ServiceAdmin(
    () => this.#core.state,
    () => this.#damage,
  );
  /** The latest request of each connection. */
  readonly #pending = new WeakMap<Duplex, Pending>();
  /** The sockets of devices and scale feeds. */
  readonly #upgraded = new Set<Duplex>();
  readonly #bodies = new BodyRoom();
  #isClosed = false;

  constructor(options: ServiceOptions) {
    const { clock, random } = options;
    const onFault = this.#noting(options.onFault ?? (() => undefined));
    this.#options = options;
    this.#rules = { ...SERVICE_RULES, ...options.rules };
    const { observer } = options;
    this.#responder = new Responder({ clock, random, rules: this.#rules, onFault, observer });
    [this.#database, this.#core] = this.#open();
  }

  #noting(onFault: (error: unknown) => void): (error: unknown) => void {
    return (error) => {
      if (error instanceof DamagedRow) this.#damage ??= error;
      onFault(error);
    };
  }

  /** @throws ActionableError when the data file cannot be read, or cannot be written */
  #open(): [Database, Core] {
    const { dataFile, onFault } = this.#options;
    const heard = onFault && { onFault: this.#noting(onFault) };
    const database = Database.open(dataFile, { nextId: this.#rules.nextId, ...heard });
    let core: Core | undefined;
    try {
      core = this.#build(database);
      database.commitNow();
      return [database, core];
    } catch (error) {
      core?.state.stop();
      database.abandon();
      throw dataFile === undefined ? error : unusable(dataFile, error);
    }
  }

  #build(database: Database): Core {
    const { clock, random, accounts, choices, forbiddenAddresses, limits, observer, refuseWebhook } = this.#options;
    const state = new ServiceState({
      database,
      clock,
      random,
      rules: this.#rules,
      choices: { ...DEFAULT_CHOICES, ...choices },
      forbiddenAddresses,
      refuseWebhook,
      observer,
    });
    if (state.accounts.isEmpty) for (const account of accounts()) state.accounts.create(account);
    const router = new Router<Handler>([
      ...miscRoutes(),
      ...accountRoutes(state),
      ...computerRoutes(state),
      ...printerRoutes(state),
      ...printJobRoutes(state),
      ...scaleRoutes(state),
      ...webhookRoutes(state),
      ...clientDownloadRoutes(state),
    ]);
    const admission = new Admission({
      clock,
      accounts: state.accounts,
      accountForLink: (key) => state.accountForLink(key),
      rules: this.#rules,
      router,
      rateLimit: limits === 'off' ? undefined : this.#rules.rateLimit(),
      rateLimitScope: state.choices.rateLimitScope,
    });
    return { state, admission };
  }

  handle(request: IncomingMessage, response: ServerResponse, refusal?: ApiError): void {
    const exchange = this.#responder.begin(request);
    const pending = { exchange, request, response };
    // Something else than the rest of it, or of the next one, may follow on its connection.
    this.#pending.set(request.socket, pending);
    try {
      if (refusal) throw refusal;
      const admitted = this.#core.admission.admit(request, exchange);
      if (hasBody(request)) this.#runWithBody(pending, admitted);
      else this.#run(pending, admitted, undefined);
    } catch (error) {
      this.#refuse(pending, error);
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, refusal?: ApiError): void {
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    const exchange = this.#responder.begin(request);
    try {
      if (refusal) throw refusal;
      if (request.method === 'CONNECT') throw methodNotAllowed('CONNECT', []);
      const { segments } = parseRequestTarget(request.url ?? '/');
      if (isScaleFeedPath(segments)) {
        checkWebSocketUpgrade(request);
        // A browser cannot send credentials with an upgrade: they come as a message.
        this.#core.state.scaleFeed.accept(request, socket, head);
        return;
      }
      const identity = this.#core.admission.identifyClient(request, exchange);
      if (`/${segments.join('/')}` !== LINK_PATH) throw notFound('there is nothing to upgrade to at this path');
      if (!DeviceGateway.offersCommonVersion(request)) throw noCommonVersion();
      checkWebSocketUpgrade(request);
      this.#core.state.gateway.accept(request, socket, head, identity);
    } catch (error) {
      this.#responder.sendBare(exchange, socket, this.#responder.errorReply(exchange, error));
    }
  }

  reject(error: Error, socket: Duplex): void {
    const pending = this.#pending.get(socket);
    // Garbage after a refusal, in place of the rest of the body: it has its answer.
    if (pending && !pending.request.complete && pending.response.headersSent) socket.end();
    else if (pending && !pending.request.complete) this.#refuse(pending, connectionRefusal(error), 'garbage');
    // Complete requests are answered first, in the order in which they came.
    else if (pending && !pending.response.writableFinished) {
      pending.response.once('close', () => this.#rejectNow(error, socket));
    } else this.#rejectNow(error, socket);
  }

  reset(): void {
    this.#core.state.stop();
    this.#database.clear();
    this.#damage = undefined;
    this.#core = this.#build(this.#database);
  }

  restart(): void {
    const { dataFile } = this.#options;
    if (dataFile === undefined) {
      throw usageError('a service that keeps nothing cannot be restarted', 'Give it a data file.');
    }
    for (const socket of this.#upgraded) socket.destroy();
    this.#database.kill(() => this.#core.state.stop());
    [this.#database, this.#core] = this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#core.state.stop();
    this.#database.close();
  }

  #runWithBody(pending: Pending, admitted: Admitted): void {
    const { exchange, request, response } = pending;
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw expectationFailed(expect);
    readBody(request, response, this.#bodies, {
      onReady: () => {
        if (expect !== undefined) response.writeContinue();
      },
      onBody: (body) => {
        exchange.body = body;
        this.#decode(pending, admitted, body);
      },
      onRefused: (error) => this.#refuse(pending, error),
    });
  }

  #decode(pending: Pending, admitted: Admitted, body: Buffer): void {
    const { exchange, request } = pending;
    const decoding = decodeBody(body, request);
    const run = (decoded: unknown): void =>
      this.#run(pending, this.#core.admission.admitAgain(admitted, request, exchange), decoded);
    const refuse = (error: unknown): void => this.#refuse(pending, error);
    if (body.length > AT_ONCE_MAX_BYTES) return void inSlices(decoding).then(run).catch(refuse);
    try {
      run(atOnce(decoding));
    } catch (error) {
      refuse(error);
    }
  }

  #run(pending: Pending, { caller, handler, params, query }: Admitted, body: unknown): void {
    if (this.#isClosed) throw shuttingDown();
    const { exchange, request } = pending;
    const reply = handler({
      requestId: exchange.requestId,
      target: request.url ?? '/',
      params,
      query,
      header: headersOf(request),
      account: caller.account,
      integrator: caller.integrator,
      body,
    });
    // No answer leaves before what it rests on is committed.
    this.#database.whenCommitted((error) => {
      if (error === undefined) this.#send(pending, reply);
      else this.#refuse(pending, error);
    });
  }

  #send(pending: Pending, reply: Reply | ListReply): void {
    try {
      if ('records' in reply)
        void this.#responder.sendList(pending, reply).catch((error) => this.#refuse(pending, error));
      else this.#responder.send(pending, reply);
    } catch (error) {
      this.#refuse(pending, error);
    }
  }

  #refuse(pending: Pending, error: unknown, remainder?: Remainder): void {
    this.#responder.send(pending, this.#responder.errorReply(pending.exchange, error), remainder);
  }

  #rejectNow(error: Error, socket: Duplex): void {
    if (socket.writableEnded || socket.destroyed) return;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const exchange = this.#responder.begin(undefined);
    this.#responder.sendBare(exchange, socket, this.#responder.errorReply(exchange, connectionRefusal(error)));
  }
}

function noCommonVersion(): ApiError {
  const offered = LINK_PROTOCOLS.join(', ');
  return upgradeRequired(`offer one of the WebSocket subprotocols ${offered}`, ['Sec-WebSocket-Protocol', offered]);
}
