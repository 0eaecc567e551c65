/**
 * Digest guard: the server's end of RFC 7616 with qop=auth, for MD5 and SHA-256.
 *
 *   GET ──────────────────────────────► 401, nonce N
 *   GET, nonce N, nc=1, response ─────► the document
 *   … after `usesPerNonce` uses ──────► 401, nonce M, stale=true: the same credentials with M will do
 *
 * A nonce that was not given out, or a count that was used already, is stale as well, as long as the
 * response itself is right; wrong credentials are refused without `stale`.
 */

import { createHash } from 'node:crypto';
import type { Random } from '../common/random.ts';
import { headerValues } from '../common/header-pairs.ts';
import { sameSecret, challenge, DOCUMENT_REALM, type Credentials, type Guard } from './basic-credentials.ts';
import type { Answer } from './reply.ts';
import { type SinkRequest } from './sink-server.ts';

/** Hash names of the challenge, and Node's names for them. */
const HASHES = { MD5: 'md5', 'SHA-256': 'sha256' } as const;
export type DigestAlgorithm = keyof typeof HASHES;

export interface DigestGuardOptions extends Credentials {
  /** One challenge each, the preferred first. */
  readonly algorithms: readonly DigestAlgorithm[];
  /** Requests a nonce is good for; without it a nonce never grows stale. */
  readonly usesPerNonce?: number | undefined;
  readonly random: Random;
}

/** What a client hashes: every field but the password is in its Authorization header. */
interface DigestInput extends Credentials {
  readonly algorithm: DigestAlgorithm;
  readonly realm: string;
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
}

interface NonceUse {
  count: number;
  highestNc: number;
}

const NONCE_COUNT = /^[0-9a-f]{8}$/i;

/** The `response` of RFC 7616 section 3.4.1 for qop=auth, in lower-case hexadecimal. */
export function digestResponse(input: DigestInput): string {
  const hash = (text: string): string => createHash(HASHES[input.algorithm]).update(text).digest('hex');
  const a1 = hash(`${input.user}:${input.realm}:${input.pass}`);
  const a2 = hash(`${input.method}:${input.uri}`);
  return hash([a1, input.nonce, input.nc, input.cnonce, 'auth', a2].join(':'));
}

/** Lets requests with a right, fresh Digest response pass. */
export function digestGuard(options: DigestGuardOptions): Guard {
  const { algorithms, random, usesPerNonce = Number.POSITIVE_INFINITY } = options;
  const nonces = new Map<string, NonceUse>();
  const opaque = random.hex(32);

  const newChallenge = (stale: boolean): Answer => {
    const nonce = random.hex(32);
    nonces.set(nonce, { count: 0, highestNc: 0 });
    const common = `realm="${DOCUMENT_REALM}", qop="auth", nonce="${nonce}", opaque="${opaque}"`;
    return challenge(...algorithms.map((name) => `Digest ${common}, algorithm=${name}${stale ? ', stale=true' : ''}`));
  };

  return {
    refuse(request) {
      const given = readDigest(request);
      if (!given || given.opaque !== opaque || !isRight(given, request, options)) return newChallenge(false);
      const use = nonces.get(given.nonce);
      const nc = Number.parseInt(given.nc, 16);
      if (!use || use.count >= usesPerNonce || nc <= use.highestNc) return newChallenge(true);
      use.count++;
      use.highestNc = nc;
      return undefined;
    },
  };
}

interface GivenDigest extends Omit<DigestInput, 'pass' | 'method' | 'algorithm'> {
  readonly algorithm: string;
  readonly opaque: string;
  readonly response: string;
}

/** The header as a digest with qop=auth; undefined when anything it needs is missing or malformed. */
function readDigest(request: SinkRequest): GivenDigest | undefined {
  const headers = headerValues(request.rawHeaders, 'Authorization');
  const parameters = headers.length === 1 ? digestParameters(headers[0] ?? '') : undefined;
  if (!parameters) return undefined;
  const value = (name: string): string => parameters.get(name) ?? '';
  if (value('qop') !== 'auth' || !NONCE_COUNT.test(value('nc')) || value('cnonce') === '') return undefined;
  return {
    user: value('username'),
    realm: value('realm'),
    uri: value('uri'),
    nonce: value('nonce'),
    nc: value('nc'),
    cnonce: value('cnonce'),
    algorithm: parameters.get('algorithm') ?? 'MD5',
    opaque: value('opaque'),
    response: value('response'),
  };
}

function isRight(given: GivenDigest, request: SinkRequest, expected: DigestGuardOptions): boolean {
  const algorithm = expected.algorithms.find((name) => name === given.algorithm.toUpperCase());
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`;
  if (!algorithm || given.realm !== DOCUMENT_REALM || given.uri !== target) return false;
  const response = digestResponse({
    ...given,
    algorithm,
    user: expected.user,
    pass: expected.pass,
    method: request.method,
  });
  return sameSecret(given.user, expected.user) && sameSecret(given.response.toLowerCase(), response);
}

const PARAMETER = /\s*([a-z0-9*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,|$)/iy;

/**
 * The parameters of a Digest Authorization header, `Digest username="a", nc=00000001, …`, by name in lower case.
 *
 * @returns undefined for another scheme, a malformed list, or a name that occurs twice
 */
export function digestParameters(header: string): ReadonlyMap<string, string> | undefined {
  const scheme = /^digest\s+/i.exec(header);
  if (!scheme) return undefined;
  const found = new Map<string, string>();
  PARAMETER.lastIndex = scheme[0].length;
  while (PARAMETER.lastIndex < header.length) {
    const match = PARAMETER.exec(header);
    const name = match?.[1]?.toLowerCase();
    if (!match || name === undefined || found.has(name)) return undefined;
    found.set(name, match[3] ?? (match[2] ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return found;
}
