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

/** An array that is too long to be made and sent at once (http/long-list.ts). */
export interface ListReply extends Pick<Reply, 'headers'> {
  readonly records: readonly JsonRecord[];
}

/** JSON text, in pieces that other records may share. */
export type JsonRecord = readonly string[];

export type Handler = (context: RequestContext) => Reply | ListReply;

export function ok(json: string, headers?: Reply['headers']): Reply {
  return headers ? { status: 200, json, headers } : { status: 200, json };
}

/** Made, hashed and encoded in a few milliseconds. */
const SHORT_LIST_CHARACTERS = 1_000_000;

/** An array of records, at once where it is short. */
export function list(records: readonly JsonRecord[], headers: NonNullable<Reply['headers']> = []): Reply | ListReply {
  let characters = 0;
  for (const record of records) for (const piece of record) characters += piece.length;
  if (characters > SHORT_LIST_CHARACTERS) return { records, headers };
  return ok(`[${records.map((record) => record.join('')).join(',')}]`, headers);
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
