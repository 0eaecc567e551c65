/**
 * Admission: everything a request must pass before its body is read and its handler runs.
 *
 *   Host? ─► target ─► rate of the address ─► authenticate, act as a child ─► rate of the account
 *         ─► route
 *
 * A preflight (OPTIONS) needs no account: browsers send it without credentials. HEAD is served as GET.
 */

import type { IncomingMessage } from 'node:http';

import type { Clock } from '../../common/clock.ts';
import type { LinkIdentity } from '../delivery/device-gateway.ts';
import type { Accounts } from '../domain/account.ts';
import {
  badRequest,
  invalidCredentials,
  methodNotAllowed,
  notFound,
  tooManyRequests,
  upgradeRequired,
} from './api-error.ts';
import type { authenticate, KeyLookup } from './authentication.ts';
import { namesChild, type actAs, type Caller } from './child-account.ts';
import type { RateLimit } from './rate-limit.ts';
import { headersOf, ok, type Handler } from './request-context.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';
import type { Params, Router } from './router.ts';

export interface Admitted {
  readonly caller: Caller;
  readonly handler: Handler;
  readonly params: Params;
  readonly query: URLSearchParams;
}

/** Takes the caller of a request as soon as it is known. */
export interface CallerHolder {
  caller: Caller | undefined;
}

export interface AdmissionOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** The account that a client may connect for. */
  readonly accountForLink: KeyLookup;
  readonly rules: { readonly authenticate: typeof authenticate; readonly actAs: typeof actAs };
  readonly router: Router<Handler>;
  /** Undefined when requests are not counted. */
  readonly rateLimit: RateLimit | undefined;
  /** gap/rate-limit-scope */
  readonly rateLimitScope: 'account' | 'address' | 'both';
}

export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** @throws ApiError when the request may not go on */
  admit(request: IncomingMessage, holder: CallerHolder): Admitted {
    // Only clients of HTTP/1.1 have to name the host.
    if (request.headers.host === undefined && request.httpVersionMinor === 1) {
      throw badRequest('a request of HTTP/1.1 needs a Host header');
    }
    const target = parseRequestTarget(request.url ?? '/');
    this.#countAddress(request);
    if (request.method === 'OPTIONS') return this.#preflight(target);
    const caller = isPing(target) ? NO_ACCOUNT : this.#identify(request, holder);
    this.#countAccount(caller);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const match = this.#options.router.match(method, target.segments);
    if (match.kind === 'found') {
      if (method === 'DELETE' && match.goesOn && target.endsOpen) throw emptySet(target);
      return { caller, handler: match.handler, params: match.params, query: target.query };
    }
    if (match.kind === 'other-methods') throw methodNotAllowed(method, match.allowed);
    throw notFound(`there is nothing at /${target.segments.join('/').slice(0, 200)}`);
  }

  /**
   * What was admitted, now that its body has arrived: meanwhile its key may have been revoked, its account
   * suspended or deleted.
   *
   * @throws ApiError 401
   */
  admitAgain(admitted: Admitted, request: IncomingMessage, holder: CallerHolder): Admitted {
    return admitted.caller === NO_ACCOUNT ? admitted : { ...admitted, caller: this.#identify(request, holder) };
  }

  /**
   * The account of a client that wants to connect, by an API key or a client key.
   *
   * @throws ApiError 401
   */
  identifyClient(request: IncomingMessage, holder: CallerHolder): LinkIdentity {
    let key = '';
    const { accountForLink, rules } = this.#options;
    const account = rules.authenticate(request.headers.authorization, (given) => {
      key = given;
      return accountForLink(given);
    });
    if (namesChild(headersOf(request))) {
      throw invalidCredentials('a client cannot act for a Child Account; connect with a key of the Child Account');
    }
    holder.caller = { account, integrator: undefined, headers: [] };
    return { account, key };
  }

  #identify(request: IncomingMessage, holder: CallerHolder): Caller {
    const { accounts, rules } = this.#options;
    holder.caller = undefined;
    const authenticated = rules.authenticate(request.headers.authorization, (key) => accounts.byKey(key));
    holder.caller = rules.actAs(authenticated, headersOf(request), accounts);
    return holder.caller;
  }

  /** Answered for paths that do not exist too, so that a browser lets its page see the 404 that follows. */
  #preflight({ segments, query }: RequestTarget): Admitted {
    const match = this.#options.router.match('OPTIONS', segments);
    const allowed = match.kind === 'other-methods' ? [...match.allowed, 'OPTIONS'] : [];
    const headers: [string, string][] = [['Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS]];
    if (allowed.length > 0) headers.push(['Allow', allowed.join(', ')]);
    return { caller: NO_ACCOUNT, handler: () => ok('null', headers), params: {}, query };
  }

  #countAddress(request: IncomingMessage): void {
    if (this.#options.rateLimitScope === 'account') return;
    this.#count(`address ${request.socket.remoteAddress ?? ''}`);
  }

  #countAccount(caller: Caller): void {
    if (caller === NO_ACCOUNT || this.#options.rateLimitScope === 'address') return;
    this.#count(`account ${caller.account.id}`);
  }

  #count(key: string): void {
    const { clock, rateLimit } = this.#options;
    const waitMs = rateLimit?.take(key, clock.now()) ?? 0;
    if (waitMs > 0) throw tooManyRequests(waitMs);
  }
}

/** Browsers ask again after this time. */
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Stands for the account where a request needs none; no record belongs to it. */
const NO_ACCOUNT: Caller = {
  account: {
    id: 0,
    firstname: '',
    lastname: '',
    email: '',
    creatorRef: null,
    parentId: null,
    isIntegrator: false,
    state: 'active',
    totalPrints: 0,
    tags: new Map(),
    apiKeys: new Map(),
  },
  integrator: undefined,
  headers: [],
};

/** Choice: an id that was left out by mistake is not the whole list. */
function emptySet({ segments }: RequestTarget): Error {
  return badRequest(`/${segments.join('/')}/: the set after the last slash is empty`);
}

function isPing({ segments }: RequestTarget): boolean {
  return segments.length === 1 && segments[0] === 'ping';
}

/**
 * Checked here, so that a bad one is refused as every other request is, with an error
 * object; the websocket library would send a page of text.
 */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSIONS = ['13', '8'];
const PROTOCOLS = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+(?:[ \t]*,[ \t]*[-!#$%&'*+.^_`|~0-9A-Za-z]+)*$/;

/** @throws ApiError 400 when a header is wrong, 426 for another version of the protocol */
export function checkWebSocketUpgrade({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw badRequest('a websocket is opened with GET');
  if (headers.upgrade?.toLowerCase() !== 'websocket') throw badRequest('Upgrade: must be websocket');
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw badRequest('Sec-WebSocket-Key: must be 16 bytes as base64');
  }
  if (!VERSIONS.includes(headers['sec-websocket-version'] ?? '')) {
    throw upgradeRequired('Sec-WebSocket-Version: must be 13', ['Sec-WebSocket-Version', VERSIONS.join(', ')]);
  }
  const protocols = headers['sec-websocket-protocol'];
  if (protocols !== undefined && !areDistinctTokens(protocols)) {
    throw badRequest('Sec-WebSocket-Protocol: must be different names, separated by commas');
  }
}

function areDistinctTokens(text: string): boolean {
  if (!PROTOCOLS.test(text)) return false;
  const tokens = text.split(',').map((token) => token.trim());
  return new Set(tokens).size === tokens.length;
}
