/**
 * Response headers: what every response of the service carries.
 */

import { hash } from 'node:crypto';

/** The version of the API that this service implements (choice: the specification prints none). */
export const API_VERSION = '1.0.0';

/** What is known about a request when its response is written. */
export interface ResponseFacts {
  readonly requestId: string;
  /** Handling time so far, in milliseconds. */
  readonly elapsedMs: number;
  readonly body: string;
  /** Base64 MD5 of the body, where it is known already. */
  readonly contentMd5: string | undefined;
  /** Set once the request is authenticated. */
  readonly accountId: number | undefined;
  readonly extra: readonly (readonly [string, string])[];
}

const ACCESS_CONTROL: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Accept-Version, X-Idempotency-Key, X-Child-Account-By-Id, ' +
    'X-Child-Account-By-Email, X-Child-Account-By-CreatorRef, X-Pretty, X-Dont-Log',
  'Access-Control-Allow-Methods',
  'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Expose-Headers',
  'Request-Id, Elapsed, Response-Time, Api-Version, Content-MD5, X-Account, X-Auth-With, X-Authorized-As, ' +
    'X-Child-Account-By-Id, X-Child-Account-By-Email, X-Child-Account-By-CreatorRef, ' +
    'Records-Returned, Records-Returned-Offset, Records-Returned-Limit, Records-Total',
];

/** All headers of a response, names and values in turn, as `writeHead` takes them. */
export function responseHeaders(facts: ResponseFacts): string[] {
  const headers = [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(facts.body)),
    'Content-MD5',
    facts.contentMd5 ?? hash('md5', facts.body, 'base64'),
    'Request-Id',
    facts.requestId,
    'Elapsed',
    (facts.elapsedMs / 1_000).toFixed(6),
    'Response-Time',
    facts.elapsedMs.toFixed(3),
    'Api-Version',
    API_VERSION,
    ...ACCESS_CONTROL,
  ];
  if (facts.accountId !== undefined) {
    headers.push('X-Account', String(facts.accountId), 'X-Auth-With', 'ApiKey');
  }
  for (const [name, value] of facts.extra) headers.push(name, value);
  return headers;
}
