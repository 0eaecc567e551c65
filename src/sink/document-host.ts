/**
 * Document host: where a caller keeps the documents of its `_uri` jobs.
 *
 *   http://127.0.0.1:A/…   url        ┐ same paths, same log, two origins:
 *   http://127.0.0.1:B/…   otherUrl   ┘ credentials given to one must not reach the other
 *
 * Each path has a reply (well-formed or not, reply.ts) and may be guarded by Basic or Digest
 * authentication. The log says which kind of credentials came and whether they were good; it never
 * holds the credentials themselves. Content is sent as it is, never compressed.
 */

import type { Clock } from '../common/clock.ts';
import type { FaultPlan } from '../common/fault-plan.ts';
import type { Random } from '../common/random.ts';
import { headerValues, type HeaderPair } from '../common/header-pairs.ts';
import type { DOCUMENT_AUTHENTICATION_INPUT } from '../specification/inputs.ts';
import { basicGuard, type Credentials, type Guard } from './basic-credentials.ts';
import { digestGuard, type DigestGuardOptions } from './digest-guard.ts';
import { replyUnderFaults } from './fault-replies.ts';
import { ReceivedLog } from './received-log.ts';
import { answer, named, redirectTo, type Answer, type Reply } from './reply.ts';
import { startSinkServer, type SinkRequest, type SinkServer } from './sink-server.ts';

/** Fetching a document needs no request body. */
const FETCH_BODY_MAX_BYTES = 64 * 1024;

const NOT_FOUND = named('404', answer(404, [['Content-Type', 'text/plain']], 'no such document'));

type HostOrigin = 'main' | 'other';
/** Kinds of credentials by the names jobs give them; `unknown` is any other scheme. */
type CredentialKind = 'none' | (typeof DOCUMENT_AUTHENTICATION_INPUT.type.values)[number] | 'unknown';

/** One fetch of a document. Credentials in `rawHeaders` are hidden. */
export interface DocumentFetch extends SinkRequest {
  readonly origin: HostOrigin;
  readonly credentials: CredentialKind;
  /** Whether the guard let it pass; null for a path without a guard. */
  readonly admitted: boolean | null;
}

export type Protection =
  | ({ readonly type: 'BasicAuth' } & Credentials)
  | ({ readonly type: 'DigestAuth' } & Omit<DigestGuardOptions, 'random'>);

export interface DocumentHost extends AsyncDisposable {
  /** Base address without a trailing slash. */
  readonly url: string;
  /** Base address of the second origin, with the same documents. */
  readonly otherUrl: string;
  readonly log: ReceivedLog<DocumentFetch>;
  /** Serves the reply at `path` (percent-encoded, with a leading slash), on both origins. */
  serve(path: string, reply: Reply): void;
  /** Adds the hops of a redirect chain; absolute locations stay on the main origin. */
  redirect(chain: RedirectChain): void;
  /** From now on `path` needs these credentials. */
  protect(path: string, protection: Protection): void;
  /** Back to the state after the start: nothing served, empty log. */
  reset(): void;
  close(): Promise<void>;
}

export function documentAnswer(bytes: Uint8Array, contentType: string): Answer {
  return named('document', answer(200, [['Content-Type', contentType]], bytes));
}

/**
 * Starts a host on two free loopback ports. `random` gives the nonces; places of `faults` are
 * `document/<path>`.
 */
export async function startDocumentHost(options: {
  readonly clock: Clock;
  readonly random: Random;
  readonly faults?: FaultPlan | undefined;
}): Promise<DocumentHost> {
  const { clock, random, faults } = options;
  const log = new ReceivedLog<DocumentFetch>();
  const replies = new Map<string, Reply>();
  const guards = new Map<string, Guard>();
  const startOrigin = (origin: HostOrigin): Promise<SinkServer> =>
    startSinkServer({
      clock,
      bodyMaxBytes: FETCH_BODY_MAX_BYTES,
      answer(request) {
        const guard = guards.get(request.path);
        const refusal = guard?.refuse(request);
        log.add(asFetch(request, origin, guard ? refusal === undefined : null));
        if (refusal) return refusal;
        return replyUnderFaults('document', request.path, replies.get(request.path) ?? NOT_FOUND, faults);
      },
    });
  const main = await startOrigin('main');
  const other = await startOrigin('other');
  const close = async (): Promise<void> => {
    await Promise.all([main.close(), other.close()]);
  };
  return {
    url: main.url,
    otherUrl: other.url,
    log,
    serve: (path, reply) => {
      replies.set(path, reply);
    },
    redirect: (chain) => {
      for (const [path, reply] of redirectChain(chain, main.url)) replies.set(path, reply);
    },
    protect: (path, protection) => {
      guards.set(path, guardFor(protection, random));
    },
    reset: () => {
      replies.clear();
      guards.clear();
      log.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function guardFor(protection: Protection, random: Random): Guard {
  return protection.type === 'BasicAuth' ? basicGuard(protection) : digestGuard({ ...protection, random });
}

function asFetch(request: SinkRequest, origin: HostOrigin, admitted: boolean | null): DocumentFetch {
  return {
    ...request,
    rawHeaders: request.rawHeaders.map(hideCredentials),
    origin,
    credentials: credentialKind(request),
    admitted,
  };
}

function credentialKind(request: SinkRequest): CredentialKind {
  const [header] = headerValues(request.rawHeaders, 'Authorization');
  if (header === undefined) return 'none';
  if (/^basic\b/i.test(header)) return 'BasicAuth';
  return /^digest\b/i.test(header) ? 'DigestAuth' : 'unknown';
}

const CREDENTIAL_HEADER = /^(?:proxy-)?authorization$|^cookie$/i;

function hideCredentials([name, value]: HeaderPair): HeaderPair {
  return CREDENTIAL_HEADER.test(name) && value !== '' ? [name, '(hidden)'] : [name, value];
}

/** A chain with a known number of hops, or a loop: /bill ─► /bill/hop-1 ─► /bill/hop-2 ─► the document. */
interface RedirectChain {
  readonly from: string;
  /** Path or address the last hop leads to. */
  readonly to: string;
  /** Number of redirects until `to` is reached, at least 1. */
  readonly hops: number;
  /** How the Location of each hop is written. */
  readonly form: 'absolute' | 'relative';
  /** 301, 302, 303, 307 or 308; 302 unless given. */
  readonly status?: number;
}

/**
 * The answers that make the chain, by path.
 *
 * @param origin - base address that absolute locations begin with
 */
function redirectChain(chain: RedirectChain, origin: string): ReadonlyMap<string, Answer> {
  const { from, to, hops, form, status = 302 } = chain;
  const stops = Array.from({ length: hops }, (_, hop) => (hop === 0 ? from : `${from}/hop-${hop}`));
  const locate = (path: string): string => (form === 'absolute' && path.startsWith('/') ? `${origin}${path}` : path);
  return new Map(stops.map((path, index) => [path, redirectTo(locate(stops[index + 1] ?? to), status)] as const));
}
