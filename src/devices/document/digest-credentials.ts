/**
 * Digest credentials: the computer's end of HTTP Digest authentication, for one user at one origin.
 *
 *   GET ─► 401 with challenges ─► take() the first that can be met ─► GET with authorization()
 *          401 stale=true      ─► take() the new nonce              ─► GET again
 *
 * A nonce serves all requests to its origin, each with the next count. Source: RFC 7616; without qop it
 * is the older form of RFC 2069.
 */

import { createHash } from 'node:crypto';

import type { Random } from '../../common/random.ts';

/** Names of the standard → Node's names. Each has a variant for sessions. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['md5', 'md5'],
  ['sha-256', 'sha256'],
  ['sha-512-256', 'sha512-256'],
]);
const SESSION = '-sess';
/** Values that stand without quotes in the header. */
const UNQUOTED: ReadonlySet<string> = new Set(['algorithm', 'qop', 'nc']);

interface UserAndPass {
  readonly user: string;
  readonly pass: string;
}

interface Accepted {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** As the server wrote it; absent means MD5. */
  readonly algorithm: string | undefined;
  readonly hash: string;
  readonly inSession: boolean;
  readonly withQop: boolean;
}

export class DigestCredentials {
  readonly #credentials: UserAndPass;
  readonly #random: Random;
  #accepted: Accepted | undefined;
  #count = 0;

  constructor(credentials: UserAndPass, random: Random) {
    this.#credentials = credentials;
    this.#random = random;
  }

  /** Takes the first challenge that can be met; false when none can. */
  take(challenges: readonly Challenge[]): boolean {
    const accepted = challenges.map(accept).find((one) => one !== undefined);
    this.#accepted = accepted ?? this.#accepted;
    this.#count = 0;
    return accepted !== undefined;
  }

  /** The Authorization header for a request, or undefined before a challenge was taken. */
  authorization(method: string, uri: string): string | undefined {
    const accepted = this.#accepted;
    if (!accepted) return undefined;
    const { realm, nonce, opaque, algorithm, withQop, inSession } = accepted;
    const nc = (++this.#count).toString(16).padStart(8, '0');
    const cnonce = this.#random.hex(32);
    const response = this.#response(accepted, { method, uri, nc, cnonce });
    const parameters = Object.entries({
      username: this.#credentials.user,
      realm,
      nonce,
      uri,
      response,
      algorithm,
      opaque,
      qop: withQop ? 'auth' : undefined,
      nc: withQop ? nc : undefined,
      cnonce: withQop || inSession ? cnonce : undefined,
    });
    return `Digest ${parameters.flatMap(([name, value]) => (value === undefined ? [] : [written(name, value)])).join(', ')}`;
  }

  #response(
    { hash, realm, nonce, inSession, withQop }: Accepted,
    request: { readonly method: string; readonly uri: string; readonly nc: string; readonly cnonce: string },
  ): string {
    const digest = (...parts: readonly string[]): string => createHash(hash).update(parts.join(':')).digest('hex');
    const { user, pass } = this.#credentials;
    const { method, uri, nc, cnonce } = request;
    const secret = digest(user, realm, pass);
    const ha1 = inSession ? digest(secret, nonce, cnonce) : secret;
    const ha2 = digest(method, uri);
    return withQop ? digest(ha1, nonce, nc, cnonce, 'auth', ha2) : digest(ha1, nonce, ha2);
  }
}

/** Whether the server says that the credentials are right and only the nonce is too old. */
export function isStale(challenges: readonly Challenge[]): boolean {
  return challenges.some(({ parameters }) => parameters.get('stale')?.toLowerCase() === 'true');
}

function accept({ scheme, parameters }: Challenge): Accepted | undefined {
  const nonce = parameters.get('nonce');
  const algorithm = parameters.get('algorithm');
  const name = algorithm?.toLowerCase() ?? 'md5';
  const inSession = name.endsWith(SESSION);
  const hash = HASHES.get(inSession ? name.slice(0, -SESSION.length) : name);
  const qop = parameters.get('qop');
  const withQop = qop?.split(',').some((one) => one.trim().toLowerCase() === 'auth') ?? false;
  if (scheme !== 'digest' || nonce === undefined || !hash || (qop !== undefined && !withQop)) return undefined;
  return {
    realm: parameters.get('realm') ?? '',
    nonce,
    opaque: parameters.get('opaque'),
    algorithm,
    hash,
    inSession,
    withQop,
  };
}

/** Header fields carry bytes: what is not ASCII goes as UTF-8. */
function written(name: string, value: string): string {
  if (UNQUOTED.has(name)) return `${name}=${value}`;
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  return `${name}="${bytes.replaceAll(/["\\]/g, '\\$&')}"`;
}

/**
 * What a server asks for with 401, read from its WWW-Authenticate headers (RFC 9110, 11.6.1). One header may
 * hold several: `Basic realm="a, b", Digest nonce="x", qop="auth"`.
 */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case, quoting undone. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A word, and what it is set to; a word that is set to nothing begins the next challenge. */
const ITEM = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy;

/** The challenges of all headers, in order; what cannot be read ends its header. */
export function readChallenges(headers: readonly string[]): Challenge[] {
  return headers.flatMap(readHeader);
}

function readHeader(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, name = '', quoted, plain] of header.matchAll(ITEM)) {
    const value = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1');
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return challenges;
}
