/**
 * HTTP Basic credentials as a server reads them (RFC 7617).
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { HeaderPair } from './reply.ts';
import { headerValues } from './sink-server.ts';

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
