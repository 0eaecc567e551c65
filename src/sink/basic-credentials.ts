/**
 * HTTP Basic credentials as a server reads them (RFC 7617), and the guard of a document that needs them;
 * digest-guard.ts has the other guard.
 */

import { createHash, timingSafeEqual } from 'node:crypto';

import { headerValues, type HeaderPair } from '../common/header-pairs.ts';
import { answer, named, type Answer } from './reply.ts';
import { type SinkRequest } from './sink-server.ts';

export interface Credentials {
  readonly user: string;
  readonly pass: string;
}

const BASIC = /^basic +([a-z0-9+/]*={0,2})$/i;

/** The credentials of the one Authorization header; undefined without, or when they are not well-formed. */
export function basicCredentials(headers: readonly HeaderPair[]): Credentials | undefined {
  const values = headerValues(headers, 'Authorization');
  const token = values.length === 1 ? BASIC.exec(values[0] ?? '')?.[1] : undefined;
  if (token === undefined) return undefined;
  const text = Buffer.from(token, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), pass: text.slice(colon + 1) };
}

/** Compares two secrets in a time that reveals nothing about them. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(fingerprint(a), fingerprint(b));
}

function fingerprint(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export const DOCUMENT_REALM = 'platen documents';

/** Protects a document: lets a request pass, or answers 401 with a challenge. */
export interface Guard {
  /** The refusal of this request, or undefined when its credentials are good. */
  refuse(request: SinkRequest): Answer | undefined;
}

/** 401 with one WWW-Authenticate header a challenge, the preferred first. */
export function challenge(...challenges: readonly string[]): Answer {
  const headers = challenges.map((value) => ['WWW-Authenticate', value] as const);
  return named('401', answer(401, [...headers, ['Content-Type', 'text/plain']], 'authentication needed'));
}

/** Lets requests with these Basic credentials pass. */
export function basicGuard({ user, pass }: Credentials): Guard {
  const refusal = challenge(`Basic realm="${DOCUMENT_REALM}", charset="UTF-8"`);
  return {
    refuse(request) {
      const given = basicCredentials(request.rawHeaders);
      const good = given && sameSecret(given.user, user) && sameSecret(given.pass, pass);
      return good ? undefined : refusal;
    },
  };
}
