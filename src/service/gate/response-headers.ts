/**
 * Response headers: what every response of the service carries.
 */

import {
  ACCESS_CONTROL_HEADERS,
  AUTHENTICATION_HEADERS,
  LIST_HEADERS,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
} from '../../specification/headers.ts';

/** The version of the API that this service implements (choice: the specification prints none). */
const API_VERSION = '1.0.0';

/** What is known about a request when its response is written. */
export interface ResponseFacts {
  readonly requestId: string;
  /** Handling time so far, in milliseconds. */
  readonly elapsedMs: number;
  readonly bodyBytes: number;
  /** Base64 */
  readonly bodyMd5: string;
  /** Set once the request is authenticated. */
  readonly accountId: number | undefined;
  readonly extra: readonly (readonly [string, string])[];
}

const { contentType, requestId, elapsed, responseTime, apiVersion, contentMd5 } = RESPONSE_HEADERS;
const { account, authWith, authorizedAs } = AUTHENTICATION_HEADERS;
const { acceptVersion, idempotencyKey, pretty, dontLog, ...child } = REQUEST_HEADERS;
const { allowOrigin, allowHeaders, allowMethods, exposeHeaders } = ACCESS_CONTROL_HEADERS;

const ACCEPTED = [acceptVersion, idempotencyKey, ...Object.values(child), pretty, dontLog];
const ABOUT_CALLER = [account, authWith, authorizedAs, ...Object.values(child)];
const ABOUT_REQUEST = [requestId, elapsed, responseTime, apiVersion, contentMd5];
const EXPOSED = [...ABOUT_REQUEST, ...ABOUT_CALLER, ...Object.values(LIST_HEADERS)];

const ACCESS_CONTROL: readonly string[] = [
  allowOrigin.name,
  '*',
  allowHeaders.name,
  ['Authorization', contentType.name, ...ACCEPTED.map(({ name }) => name)].join(', '),
  allowMethods.name,
  'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  exposeHeaders.name,
  EXPOSED.map(({ name }) => name).join(', '),
];

/** All headers of a response, names and values in turn, as `writeHead` takes them. */
export function responseHeaders(facts: ResponseFacts): string[] {
  const headers = [
    contentType.name,
    contentType.value,
    'Content-Length',
    String(facts.bodyBytes),
    contentMd5.name,
    facts.bodyMd5,
    requestId.name,
    facts.requestId,
    elapsed.name,
    (facts.elapsedMs / 1_000).toFixed(6),
    responseTime.name,
    facts.elapsedMs.toFixed(3),
    apiVersion.name,
    API_VERSION,
    ...ACCESS_CONTROL,
  ];
  if (facts.accountId !== undefined) {
    headers.push(account.name, String(facts.accountId), authWith.name, authWith.value);
  }
  for (const [name, value] of facts.extra) headers.push(name, value);
  return headers;
}
