/**
 * Admission: everything a request must pass before its body is read and its handler runs.
 *
 *   Host? ─► target ─► rate of the address ─► authenticate, act as a child ─► rate of the account
 *         ─► version ─► route
 *
 * A preflight (OPTIONS) needs no account: browsers send it without credentials. HEAD is served as GET.
 */

import type { IncomingMessage } from 'node:http';

import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';

import type { LinkIdentity } from '../delivery/device-gateway.ts';
import type { Handler, Reply } from '../request-context.ts';
import { ok } from '../request-context.ts';
import type { Params, Router } from '../router.ts';
import type { ServiceState } from '../service-state.ts';
import { badRequest, invalidCredentials, methodNotAllowed, notFound, tooManyRequests } from './api-error.ts';
import { namesChild, type Caller } from './child-account.ts';
import type { RateLimit } from './rate-limit.ts';
import { headersOf } from './request-headers.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';
import { API_VERSION } from './response-headers.ts';

export interface Admitted {
  readonly caller: Caller;
  readonly handler: Handler;
  readonly params: Params;
  readonly query: URLSearchParams;
}

/** Where it is written down whom a request acts for, as soon as that is known. */
export interface CallerHolder {
  caller: Caller | undefined;
}

export class Admission {
  readonly #state: ServiceState;
  readonly #router: Router<Handler>;
  readonly #rateLimit: RateLimit | undefined;

  /** @param rateLimit - undefined when requests are not counted */
  constructor(state: ServiceState, router: Router<Handler>, rateLimit: RateLimit | undefined) {
    this.#state = state;
    this.#router = router;
    this.#rateLimit = rateLimit;
  }

  /** @throws ApiError when the request may not go on */
  admit(request: IncomingMessage, holder: CallerHolder): Admitted {
    // Nobody but clients of HTTP/1.1 has to name the host.
    if (request.headers.host === undefined && request.httpVersionMinor === 1) {
      throw badRequest('a request of HTTP/1.1 needs a Host header');
    }
    const target = parseRequestTarget(request.url ?? '/');
    const rateLimit = this.#rateLimit;
    if (rateLimit) this.#countAddress(request, rateLimit);
    if (request.method === 'OPTIONS') return this.#preflight(target);
    const caller = isPing(target) ? NOBODY : this.#identify(request, holder);
    if (rateLimit) this.#countAccount(caller, rateLimit);
    checkVersion(request.headers['accept-version']);
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const match = this.#router.match(method, target.segments);
    if (match.kind === 'found') {
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
    return admitted.caller === NOBODY ? admitted : { ...admitted, caller: this.#identify(request, holder) };
  }

  /**
   * Whom a client that wants to connect belongs to, by an API key or a client key.
   *
   * @throws ApiError 401
   */
  identifyClient(request: IncomingMessage, holder: CallerHolder): LinkIdentity {
    let key = '';
    const account = this.#state.rules.authenticate(request.headers.authorization, (given) => {
      key = given;
      return this.#state.accountForLink(given);
    });
    if (namesChild(headersOf(request))) {
      throw invalidCredentials('a client acts for no Child Account; connect with a key of the Child Account');
    }
    holder.caller = { account, integrator: undefined, headers: [] };
    return { account, key };
  }

  #identify(request: IncomingMessage, holder: CallerHolder): Caller {
    const { accounts, rules } = this.#state;
    holder.caller = undefined;
    const authenticated = rules.authenticate(request.headers.authorization, (key) => accounts.byKey(key));
    holder.caller = rules.actAs(authenticated, headersOf(request), accounts);
    return holder.caller;
  }

  /** Answered for paths that do not exist too, so that a browser lets its page see the 404 that follows. */
  #preflight({ segments, query }: RequestTarget): Admitted {
    const match = this.#router.match('OPTIONS', segments);
    const allowed = match.kind === 'other-methods' ? [...match.allowed, 'OPTIONS'] : [];
    const headers: Reply['headers'] = [
      ['Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS],
      ...(allowed.length > 0 ? ([['Allow', allowed.join(', ')]] as const) : []),
    ];
    return { caller: NOBODY, handler: () => ok('null', headers), params: {}, query };
  }

  #countAddress(request: IncomingMessage, rateLimit: RateLimit): void {
    if (this.#state.choices.rateLimitScope === 'account') return;
    count(rateLimit, `address ${request.socket.remoteAddress ?? ''}`, this.#state.clock.now());
  }

  #countAccount(caller: Caller, rateLimit: RateLimit): void {
    if (caller === NOBODY || this.#state.choices.rateLimitScope === 'address') return;
    count(rateLimit, `account ${caller.account.id}`, this.#state.clock.now());
  }
}

/** Browsers ask again after this time. */
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Stands for the account where a request needs none; no record belongs to it. */
const NOBODY: Caller = {
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
    passwordHash: null,
    tags: new Map(),
    apiKeys: new Map(),
  },
  integrator: undefined,
  headers: [],
};

function isPing({ segments }: RequestTarget): boolean {
  return segments.length === 1 && segments[0] === 'ping';
}

function count(rateLimit: RateLimit, key: string, nowMs: number): void {
  const waitMs = rateLimit.take(key, nowMs);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

/** Longer texts are no range that anybody means. */
const RANGE_MAX_CHARACTERS = 256;

/** Choice (gap/version-selection): a range that the one version there is satisfies is served. */
function checkVersion(header: string | string[] | undefined): void {
  if (header === undefined) return;
  const range = String(header);
  if (range.length > RANGE_MAX_CHARACTERS || validRange(range) === null) {
    throw badRequest(`Accept-Version: '${range.slice(0, 40)}' is no range of semantic versions`);
  }
  if (!satisfies(API_VERSION, range)) {
    throw badRequest(
      `Accept-Version: this service speaks version ${API_VERSION}, which is not in '${range}'`,
    );
  }
}
