/**
 * Listener: the one HTTP server of a workbench. Paths below /_platen go to the control API, everything else to
 * the service; whether loads from elsewhere are permitted it answers itself. Each asks the guard first.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';

import { usageError } from '../common/actionable-error.ts';
import { LOAD_PERMISSION_PATH } from '../common/load-permission.ts';
import { messageOf } from '../common/error-message.ts';
import { portOf } from '../common/port-of.ts';
import type { ServerCertificate } from '../common/self-signed.ts';
import { attachService, serverOptions, type HttpFront } from '../service/http/http-server.ts';
import { sendReply, type FinishedReply } from '../service/http/reply-sender.ts';
import type { ControlApi } from './control/control-api.ts';
import { ApiError, forbidden } from '../service/gate/api-error.ts';
import { errorReply, type ControlReply, type WholeReply } from './control/control-reply.ts';
import { CONTROL_PREFIX, isControlPath } from './defaults.ts';
import { lacksToken, pageRefusal, printingRefusal, strangerRefusal, type GuardRules } from './guard.ts';
import { PageFiles } from './page-files.ts';

export interface Address {
  readonly host: string;
  /** 0 takes any port that is free. */
  readonly port: number;
}

export interface ListenerRules extends Omit<GuardRules, 'scheme'> {
  /** What a load from elsewhere has to know; no load is permitted without one. */
  readonly loadToken: string | undefined;
}

export class Listener {
  readonly #server: Server | TlsServer;
  readonly #scheme: 'http' | 'https';
  readonly #page = new PageFiles();

  /** @param certificate - serves HTTPS with it. @throws ActionableError when it and its key are not a pair */
  constructor(certificate: ServerCertificate | undefined) {
    this.#server = certificate ? tlsServer(certificate) : createServer(serverOptions());
    this.#scheme = certificate ? 'https' : 'http';
  }

  /** Takes the port and returns the address to reach it; nothing is answered before `open`. @throws ActionableError */
  async listen({ host, port }: Address): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening').catch((error: unknown) => {
      throw cannotListen(error as NodeJS.ErrnoException, host, port);
    });
    return urlOf(this.#scheme, host, portOf(this.#server));
  }

  open(service: HttpFront, control: ControlApi, { loadToken, ...given }: ListenerRules): void {
    const rules = { ...given, scheme: this.#scheme };
    const page = this.#page;
    attachService(this.#server, {
      handle: (request, response) => {
        if (isForPeople(request) && !pageRefusal(request.headers, rules) && page.serve(request, response)) return;
        if (isControl(request)) {
          void serveControl(request, response, { control, rules, page });
          return;
        }
        const refusal = refusalBy(printingRefusal(request, rules));
        if (!refusal && asksForLoad(request) && loadToken) permitLoad(response, loadToken);
        else service.handle(request, response, refusal);
      },
      upgrade: (request, socket, head) =>
        service.upgrade(request, socket, head, refusalBy(printingRefusal(request, rules))),
      reject: (error, socket) => service.reject(error, socket),
    });
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

function tlsServer(certificate: ServerCertificate): TlsServer {
  try {
    return createTlsServer({ ...serverOptions(), ...certificate });
  } catch (error) {
    const message = `the certificate and its key cannot be used: ${messageOf(error)}`;
    throw usageError(message, 'Give a certificate in PEM, and the private key that belongs to it.', { cause: error });
  }
}

/** Paths where the page may be. Looks at nothing else: it runs for each request to the service. */
function isForPeople(request: IncomingMessage): boolean {
  return request.url === '/' || isControl(request);
}

function isControl({ url = '/' }: IncomingMessage): boolean {
  return isControlPath(url) || url.startsWith(`${CONTROL_PREFIX}?`);
}

function refusalBy(reason: string | undefined): ApiError | undefined {
  return reason === undefined ? undefined : forbidden(reason);
}

function tokenWanted(): ApiError {
  return new ApiError(403, 'ControlTokenWanted', 'this needs the control token: Authorization: Bearer TOKEN');
}

function asksForLoad({ method, url }: IncomingMessage): boolean {
  return url === LOAD_PERMISSION_PATH && method === 'GET';
}

function permitLoad(response: ServerResponse, token: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${token}\n`);
}

const NOT_FOUND = 404;

interface ControlServer {
  readonly control: ControlApi;
  readonly rules: GuardRules;
  readonly page: PageFiles;
}

async function serveControl(
  request: IncomingMessage,
  response: ServerResponse,
  { control, rules, page }: ControlServer,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the caller has gone')));
  const reply = await answerControl(request, control, rules, gone.signal).catch(errorReply);
  if (gone.signal.aborted) return;
  if ('stream' in reply) {
    reply.stream(response);
    return;
  }
  if (reply.status === NOT_FOUND && page.serveLost(request, response)) return;
  sendReply(request, response, finished(reply), 'body');
}

function finished({ status, contentType, body }: WholeReply): FinishedReply {
  const headers = {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  const text = typeof body === 'string' ? { body } : { body: '', bytes: Buffer.from(body) };
  return { status, headers: Object.entries(headers).flat(), ...text };
}

async function answerControl(
  request: IncomingMessage,
  control: ControlApi,
  rules: GuardRules,
  signal: AbortSignal,
): Promise<ControlReply> {
  const refusal = refusalBy(strangerRefusal(request.headers, rules));
  if (refusal) throw refusal;
  // A health check does not know the token.
  const wantsToken = request.url !== `${CONTROL_PREFIX}/health`;
  if (wantsToken && lacksToken(request.headers, rules)) throw tokenWanted();
  return control.answerHttp(request, signal);
}

/** Where to reach what listens on `host`: an address that stands for all of them is not a destination. */
function urlOf(scheme: string, host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const nowhere = [
    `cannot listen on ${host}: this machine has no such address`,
    'Give --host an address of this machine; 0.0.0.0 is all of them.',
  ] as const;
  const refusals: Readonly<Record<string, readonly [string, string]>> = {
    EADDRINUSE: [`port ${port} of ${host} is in use`, 'Choose another with --port, or --port 0 for any that is free.'],
    EADDRNOTAVAIL: nowhere,
    ENOTFOUND: nowhere,
    EAI_AGAIN: nowhere,
    EACCES: [`port ${port} may not be used here`, 'Choose one above 1023.'],
  };
  const other = [`cannot listen on ${host}: ${cause.message}`, 'Choose another --host.'] as const;
  const [message, nextStep] = refusals[cause.code ?? ''] ?? other;
  return usageError(message, nextStep, { cause });
}
