/**
 * Headers the specification names, by where they are sent. Names as printed; HTTP ignores their case.
 */

import type { Header } from './clause.ts';

type Headers = Readonly<Record<string, Header>>;

/** What a caller may send beside Authorization and Content-Type. */
export const REQUEST_HEADERS = {
  idempotencyKey: { name: 'X-Idempotency-Key', clause: 'print-jobs/idempotency-conflict' },
  childAccountById: { name: 'X-Child-Account-By-Id', clause: 'authentication/child-by-id' },
  childAccountByEmail: { name: 'X-Child-Account-By-Email', clause: 'authentication/child-by-email' },
  childAccountByCreatorRef: {
    name: 'X-Child-Account-By-CreatorRef',
    clause: 'authentication/child-by-creator-ref',
  },
  pretty: { name: 'X-Pretty', clause: 'service/x-pretty-accepted' },
  dontLog: { name: 'X-Dont-Log', clause: 'service/x-dont-log-accepted' },
  acceptVersion: { name: 'Accept-Version', clause: 'versioning/accept-version-accepted' },
} as const satisfies Headers;

/** On responses of every kind; X-Account and X-Auth-With are in AUTHENTICATION_HEADERS. */
export const RESPONSE_HEADERS = {
  contentType: { name: 'Content-Type', value: 'application/json', clause: 'service/json-content-type' },
  requestId: { name: 'Request-Id', clause: 'service/request-id-present' },
  elapsed: { name: 'Elapsed', clause: 'service/elapsed' },
  responseTime: { name: 'Response-Time', clause: 'service/response-time' },
  apiVersion: { name: 'Api-Version', clause: 'versioning/api-version' },
  contentMd5: { name: 'Content-MD5', clause: 'service/content-md5' },
} as const satisfies Headers;

/** On list responses. */
export const LIST_HEADERS = {
  returned: { name: 'Records-Returned', clause: 'service/records-returned' },
  offset: { name: 'Records-Returned-Offset', clause: 'service/records-returned-offset' },
  limit: { name: 'Records-Returned-Limit', clause: 'service/records-returned-limit' },
  total: { name: 'Records-Total', clause: 'service/records-total' },
} as const satisfies Headers;

export const ACCESS_CONTROL_HEADERS = {
  allowOrigin: { name: 'Access-Control-Allow-Origin', clause: 'service/access-control-allow-origin' },
  allowHeaders: { name: 'Access-Control-Allow-Headers', clause: 'service/access-control-allow-headers' },
  allowMethods: { name: 'Access-Control-Allow-Methods', clause: 'service/access-control-allow-methods' },
  exposeHeaders: { name: 'Access-Control-Expose-Headers', clause: 'service/access-control-expose-headers' },
} as const satisfies Headers;

/** Response headers that say who the caller is, or that the service does not know. */
export const AUTHENTICATION_HEADERS = {
  challenge: {
    name: 'WWW-Authenticate',
    value: 'Basic realm=Api',
    clause: 'authentication/www-authenticate',
  },
  account: { name: 'X-Account', clause: 'authentication/x-account' },
  /** The value was observed, not stated. */
  authWith: { name: 'X-Auth-With', value: 'ApiKey', clause: 'authentication/x-auth-with' },
  authorizedAs: { name: 'X-Authorized-As', clause: 'authentication/child-x-authorized-as' },
} as const satisfies Headers;

/** What a webhook receiver adds to a 2xx response to say that it has taken the events. */
export const WEBHOOK_STATUS_HEADER = {
  name: 'X-Service-Webhook-Status',
  value: 'OK',
  clause: 'events/success-needs-status-header',
} as const satisfies Header;

/** Media types of bodies. JSON is assumed of a request without Content-Type. */
export const MEDIA_TYPES = {
  json: { value: 'application/json', clause: 'service/json-bodies' },
  form: { value: 'application/x-www-form-urlencoded', clause: 'service/form-bodies' },
} as const;
