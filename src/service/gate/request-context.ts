/**
 * Request and reply: what a route handler is given, and what it gives back.
 */

import type { IncomingMessage } from 'node:http';

import type { Account } from '../domain/account.ts';

export interface RequestContext {
  readonly requestId: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Placeholders of the path by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Value of a request header, named in lower case. */
  header(name: string): string | undefined;
  readonly account: Account;
  /** The Integrator Account that acts as `account`; undefined when an account acts for itself. */
  readonly integrator: Account | undefined;
  /** The decoded body; undefined when it is empty. */
  readonly body: unknown;
}

/** A body as it goes over the network, for one that is sent again and again. */
export interface EncodedBody {
  readonly bytes: Buffer;
  /** Base64 */
  readonly md5: string;
}

export interface Reply {
  readonly status: number;
  readonly json: string;
  /** The same as `json`. */
  readonly encoded?: EncodedBody;
  readonly headers?: readonly (readonly [string, string])[];
}

export type Handler = (context: RequestContext) => Reply;

export function ok(json: string, headers?: Reply['headers']): Reply {
  return headers ? { status: 200, json, headers } : { status: 200, json };
}

/** The value of a request header, named in lower case. */
export type HeaderLookup = (name: string) => string | undefined;

export function headersOf({ headers }: IncomingMessage): HeaderLookup {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

/** Flag headers (X-Pretty, X-Dont-Log) are on with any value but `0` and `false`. */
export function isOn(value: string | string[] | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false';
}
