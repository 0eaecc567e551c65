/**
 * Document fetch: how a computer gets the document of a `_uri` job.
 *
 *   GET ─► 2xx: read the body up to the limit
 *    ▲      3xx with Location ─┐  at most 10 of them
 *    └─────────────────────────┘  anything else: a message naming the cause
 *
 * Only http and https, and only from loopback hosts and hosts that were named: a job must not make
 * platen call anything else. Credentials go to the origin of the job's own address and to no other. They are
 * the job's `authentication`, or else the user and password in the address, which count as Basic.
 */

import type { Dispatcher } from 'undici';

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { holding, type Clock, type Timer } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { decoded } from '../../common/form-decoded.ts';
import { isLoopbackName } from '../../common/loopback.ts';
import { ON_BEHALF } from '../../common/on-behalf.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { Random } from '../../common/random.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import { readChallenges, DigestCredentials, isStale, type Challenge } from './digest-credentials.ts';
import { addressOf, describeFetchFailure } from './fetch-failure.ts';

export interface FetchSettings {
  /** Hosts allowed beside loopback, as in `files.example` or `10.0.0.7`; no ports, no patterns. */
  readonly allowedHosts: readonly string[];
  readonly maxBytes: number;
  /** Longest wait for the answer's head, and between two pieces of its body. */
  readonly silenceMs: number;
  /** Longest time for all of it, redirects included. */
  readonly wholeMs: number;
}

export type DocumentSource = Pick<DeliveredJob, 'content' | 'authentication'>;

export const DEFAULT_FETCH_SETTINGS: FetchSettings = {
  allowedHosts: [],
  maxBytes: 200 * 1024 * 1024,
  silenceMs: 30_000,
  wholeMs: 30 * 60_000,
};

/** Source: limits, "HTTP redirects when the client downloads a document: 10 by default". */
const MOST_REDIRECTS = 10;
/** How long virtual time waits for the HTTP client to be loaded. */
const FIRST_USE_MS = 10_000;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** What a job proves itself with at the origin of its document. */
type Proof =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly header: string }
  | { readonly kind: 'digest'; readonly credentials: DigestCredentials };

type Step =
  | { readonly kind: 'body'; readonly body: Uint8Array }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'challenged'; readonly challenges: readonly Challenge[] };

const NO_PROOF: Proof = { kind: 'none' };

export class DocumentFetch {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #settings: FetchSettings;
  #dispatcher: Promise<Dispatcher> | undefined;

  /** @param random - gives the nonces of Digest authentication */
  constructor(clock: Clock, random: Random, settings: FetchSettings = DEFAULT_FETCH_SETTINGS) {
    this.#clock = clock;
    this.#random = random;
    this.#settings = settings;
  }

  /** The document's bytes, or a message saying why they are missing. */
  async fetch({ content, authentication }: DocumentSource): Promise<Outcome<Uint8Array, string>> {
    const start = this.#readAddress(content);
    if (!start.ok) return start;
    const proof = this.#proofOf(authentication, start.value);
    await holding(this.#clock, 'document fetch: first use', () => this.#client(), FIRST_USE_MS);
    return holding(this.#clock, `document fetch: ${start.value.host}`, () => this.#inTime(start.value, proof));
  }

  async close(): Promise<void> {
    const dispatcher = await this.#dispatcher;
    this.#dispatcher = undefined;
    await dispatcher?.destroy();
  }

  #proofOf(authentication: DocumentSource['authentication'], url: URL): Proof {
    const credentials = authentication?.credentials ?? credentialsIn(url);
    if (!credentials) return NO_PROOF;
    if (authentication?.type !== 'DigestAuth')
      return { kind: 'basic', header: basicAuthorization(credentials.user, credentials.pass) };
    return { kind: 'digest', credentials: new DigestCredentials(credentials, this.#random) };
  }

  async #inTime(start: URL, proof: Proof): Promise<Outcome<Uint8Array, string>> {
    const { wholeMs } = this.#settings;
    const late = new AbortController();
    const reason = new Error(`timeout: the document was not there whole after ${formatDuration(wholeMs)}`);
    const timer = this.#clock.schedule(wholeMs, () => late.abort(reason));
    try {
      return await this.#follow(start, proof, late.signal);
    } finally {
      timer.cancel();
    }
  }

  async #follow(start: URL, proof: Proof, late: AbortSignal): Promise<Outcome<Uint8Array, string>> {
    let url = start;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const step = await this.#getWithProof(url, url.origin === start.origin ? proof : NO_PROOF, late);
      if (!step.ok) return step;
      if (step.value.kind === 'body') return success(step.value.body);
      if (step.value.kind === 'challenged') return failure(refusedProof(step.value.challenges, proof, url));
      const next = this.#readAddress(step.value.location, url);
      if (!next.ok) return next;
      url = next.value;
    }
    return failure(`download failed: more than ${MOST_REDIRECTS} redirects, the last one to ${addressOf(url)}`);
  }

  /** Answers a challenge, and once more when only the nonce was too old. */
  async #getWithProof(url: URL, proof: Proof, late: AbortSignal): Promise<Outcome<Step, string>> {
    const first = await this.#get(url, authorizationFor(proof, url), late);
    if (proof.kind !== 'digest' || !first.ok || first.value.kind !== 'challenged') return first;
    if (!proof.credentials.take(first.value.challenges)) return first;
    const second = await this.#get(url, authorizationFor(proof, url), late);
    if (!second.ok || second.value.kind !== 'challenged' || !isStale(second.value.challenges)) return second;
    proof.credentials.take(second.value.challenges);
    return this.#get(url, authorizationFor(proof, url), late);
  }

  #readAddress(text: string, base?: URL): Outcome<URL, string> {
    const url = URL.parse(text, base?.href);
    if (!url) return failure(`download failed: '${text.slice(0, 200)}' is not an address`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      return failure(`download failed: ${url.protocol} addresses are not fetched, only http: and https:`);
    }
    if (!isLoopbackName(url.hostname) && !this.#settings.allowedHosts.includes(url.hostname)) {
      return failure(`download failed: host ${url.hostname} is neither loopback nor among the allowed hosts`);
    }
    return success(url);
  }

  async #get(url: URL, authorization: string | undefined, late: AbortSignal): Promise<Outcome<Step, string>> {
    const silence = new SilenceLimit(this.#clock, this.#settings.silenceMs, late);
    try {
      const response = await this.#request(url, authorization, silence.signal);
      const turn = redirectOf(response, url) ?? challengeOf(response);
      if (turn) {
        await response.body.dump({ limit: 65_536 });
        return turn;
      }
      return await readBody(response, silence, this.#settings.maxBytes);
    } catch (error) {
      return failure(`download failed: ${describeFetchFailure(error, url)}`);
    } finally {
      silence.end();
    }
  }

  /** Loaded at the first download: most runs have none, and start-up is measured. */
  #client(): Promise<Dispatcher> {
    this.#dispatcher ??= import('undici').then(
      ({ Agent }) => new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 1_000 }),
    );
    return this.#dispatcher;
  }

  async #request(url: URL, authorization: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const dispatcher = await this.#client();
    return dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { ...ON_BEHALF, 'accept-encoding': 'identity', ...(authorization ? { authorization } : {}) },
      signal,
    });
  }
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData, url: URL): Outcome<Step, string> | undefined {
  if (!REDIRECT_STATUSES.has(statusCode)) return undefined;
  const location = headers['location'];
  if (typeof location === 'string' && location !== '') return success({ kind: 'redirect', location });
  return failure(`download failed: ${addressOf(url)} redirects (${statusCode}) without saying where to`);
}

function challengeOf({ statusCode, headers }: Dispatcher.ResponseData): Outcome<Step, string> | undefined {
  const asked = headers['www-authenticate'];
  if (statusCode !== 401 || asked === undefined) return undefined;
  const lines = typeof asked === 'string' ? [asked] : asked;
  return success({ kind: 'challenged', challenges: readChallenges(lines) });
}

function authorizationFor(proof: Proof, { pathname, search }: URL): string | undefined {
  if (proof.kind === 'basic') return proof.header;
  return proof.kind === 'digest' ? proof.credentials.authorization('GET', pathname + search) : undefined;
}

function refusedProof(challenges: readonly Challenge[], proof: Proof, url: URL): string {
  const schemes = [...new Set(challenges.map(({ scheme }) => scheme))].join(' or ') || 'nothing that platen knows';
  const shown = { none: 'no credentials', basic: 'Basic credentials', digest: 'Digest credentials' };
  const refused = schemes === proof.kind ? 'were refused' : `were given, and it asks for ${schemes}`;
  return `download failed: the server answered 401: ${shown[proof.kind]} ${refused} (${addressOf(url)})`;
}

async function readBody(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  silence: SilenceLimit,
  maxBytes: number,
): Promise<Outcome<Step, string>> {
  const refusal = refusalOf(statusCode, headers, maxBytes);
  if (refusal) {
    body.on('error', () => undefined).destroy();
    return failure(`download failed: ${refusal}`);
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    silence.heard();
    length += piece.length;
    if (length > maxBytes) return failure(`download failed: the document is larger than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return success({ kind: 'body', body: Buffer.concat(pieces, length) });
}

function refusalOf(
  statusCode: number,
  headers: Dispatcher.ResponseData['headers'],
  maxBytes: number,
): string | undefined {
  if (statusCode === 206 || statusCode < 200 || statusCode > 299) return `the server answered ${statusCode}`;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return `the server sent the document as ${String(encoding)}, which was not asked for`;
  }
  if (Number(headers['content-length']) > maxBytes) return `the document is larger than ${maxBytes} bytes`;
  return undefined;
}

/** What stands before the host: `http://user:pass@host/`. */
function credentialsIn({ username, password }: URL): { user: string; pass: string } | undefined {
  return username === '' && password === '' ? undefined : { user: decoded(username), pass: decoded(password) };
}

/** Ends a request when nothing was heard from the other end for a time on the clock, or when it is late altogether. */
class SilenceLimit {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  readonly signal: AbortSignal;
  #timer: Timer;

  constructor(clock: Clock, limitMs: number, late: AbortSignal) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.signal = AbortSignal.any([this.#abort.signal, late]);
    this.#timer = this.#arm();
  }

  heard(): void {
    this.#timer.cancel();
    this.#timer = this.#arm();
  }

  end(): void {
    this.#timer.cancel();
  }

  #arm(): Timer {
    const reason = new Error(`timeout: nothing was heard for ${formatDuration(this.#limitMs)}`);
    return this.#clock.schedule(this.#limitMs, () => this.#abort.abort(reason));
  }
}
