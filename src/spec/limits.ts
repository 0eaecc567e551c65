/**
 * Limits: every number the specification prints, with its unit as printed. Whoever computes with one
 * converts it where it is used (`LIMITS.scaleRetentionSeconds.value * 1000`).
 */

import type { ClauseRows, Limit } from './clause.ts';

export const LIMITS = {
  requestsPerSecond: { value: 10, unit: 'requests per second', clause: 'limits/request-rate' },
  requestBurst: { value: 30, unit: 'requests', clause: 'limits/request-burst' },
  pageSize: { value: 100, unit: 'records', clause: 'limits/page-size-default' },
  requestBodyMegabytes: { value: 50, unit: 'MB', clause: 'limits/body-over-refused' },
  base64DocumentMegabytes: { value: 37.5, unit: 'MB', clause: 'limits/base64-document' },
  base64OverheadPercent: { value: 33, unit: '%', clause: 'limits/base64-overhead' },
  expireAfterDefaultSeconds: { value: 1_209_600, unit: 'seconds', clause: 'limits/expire-after-default' },
  qtyDefault: { value: 1, unit: 'deliveries', clause: 'limits/qty-default' },
  qtyMaximum: { value: 999, unit: 'deliveries', clause: 'limits/qty-maximum' },
  idempotencyHours: { value: 24, unit: 'hours', clause: 'limits/idempotency-reuse' },
  scaleRetentionSeconds: { value: 45, unit: 'seconds', clause: 'limits/scale-retention' },
  webhooksPerAccount: { value: 5, unit: 'webhooks', clause: 'limits/webhooks-per-account' },
  webhookRetries: { value: 1, unit: 'retries', clause: 'limits/webhook-retries' },
  webhookRetryDelaySeconds: { value: 5, unit: 'seconds', clause: 'limits/webhook-retry-delay' },
  tagNameCharacters: { value: 64, unit: 'characters', clause: 'limits/tag-name-over-refused' },
  tagValueCharacters: { value: 1024, unit: 'characters', clause: 'limits/tag-value-over-refused' },
  creationTagValueBytes: { value: 1024, unit: 'bytes', clause: 'limits/creation-tag-value-over-refused' },
  apiKeyNameBytes: { value: 16, unit: 'bytes', clause: 'limits/api-key-name-over-refused' },
  apiKeyNames: { value: 10, unit: 'names', clause: 'limits/api-key-names-over-refused' },
  passwordBytes: { value: 8, unit: 'bytes', clause: 'limits/password-under-refused' },
  clientKeyCharacters: { value: 47, unit: 'characters', clause: 'limits/client-key' },
  documentRedirects: { value: 10, unit: 'redirects', clause: 'limits/document-redirects' },
} as const satisfies Record<string, Limit>;

/** Each limit at its edge and beyond. What a limit is about stands in the chapter of that thing. */
export const LIMIT_CLAUSES = {
  'limits/request-rate': {
    statement: 'Ten requests a second, sustained, are all answered without 429.',
    span: 'seconds',
  },
  'limits/request-burst': { statement: 'A short burst of about 30 requests is tolerated.', span: 'seconds' },
  'limits/request-rate-exceeded': {
    statement: 'Sustained excess gets 429 for some requests.',
    span: 'seconds',
  },
  'limits/request-rate-recovers': {
    level: 'should',
    statement: 'After a pause requests are answered without 429 again.',
    span: 'seconds',
  },
  'limits/request-rate-does-nothing': {
    level: 'should',
    statement:
      'A request refused with 429 changes nothing: the same job can be sent again with the same idempotency key.',
    needs: ['computer'],
    span: 'seconds',
  },
  'limits/request-rate-accounts-apart': {
    level: 'should',
    statement:
      'The excess of one account does not get another account, calling from another address, refused.',
    needs: ['second-account'],
    span: 'seconds',
  },
  'limits/page-size-default': {
    statement: 'A list without limit has at most 100 records.',
    needs: ['computer', 'many-jobs'],
  },
  'limits/page-size-default-newest': {
    statement: 'A list without limit has the most recent records, most recent first.',
    needs: ['computer', 'many-jobs'],
  },
  'limits/page-size-default-full': {
    level: 'should',
    statement: 'Where there are more than 100 records a list without limit has exactly 100.',
    needs: ['computer', 'many-jobs'],
  },
  'limits/page-size-above-default': {
    level: 'should',
    statement: 'A limit above 100 returns more than 100 records where there are more.',
    needs: ['computer', 'many-jobs'],
  },
  'limits/body-at-accepted': {
    statement: 'A POST body of 50 MB or just under is accepted.',
    needs: ['computer', 'large-body'],
  },
  'limits/body-over-refused': {
    statement: 'A POST body larger than 50 MB is refused.',
    needs: ['large-body'],
  },
  'limits/body-over-no-job': {
    level: 'should',
    statement: 'A body that was refused for its size leaves no job behind.',
    needs: ['computer', 'large-body'],
  },
  'limits/base64-document': {
    statement: 'A document of just under 37.5 MB fits as base64.',
    needs: ['computer', 'large-body'],
  },
  'limits/base64-overhead': {
    party: 'caller',
    statement: 'A caller reckons with about 33% that base64 adds to the size of a document.',
  },
  'limits/uri-document-unlimited': {
    statement: 'The size of a document fetched from a URI is not limited by the service.',
    needs: ['computer', 'document-host', 'large-body'],
  },
  'limits/expire-after-default': {
    statement:
      'Without expireAfter a job that cannot be delivered expires after 1209600 seconds, and not before.',
    needs: ['computer', 'virtual-clock'],
    span: 'days',
  },
  'limits/qty-default': {
    party: 'client',
    statement: 'Without qty the document is delivered to the print queue once.',
    needs: ['computer'],
  },
  'limits/qty-maximum': {
    party: 'client',
    statement: 'The client delivers a document at most 999 times for one job.',
    needs: ['computer'],
  },
  'limits/copies-at-most-capability': {
    party: 'caller',
    statement: 'A caller asks for no more copies than the capabilities of the printer allow.',
    needs: ['computer'],
  },
  'limits/idempotency-within': {
    statement: 'An idempotency key is refused for 24 hours.',
    needs: ['computer', 'virtual-clock'],
    span: 'days',
  },
  'limits/idempotency-reuse': {
    statement: 'An idempotency key may be used again after 24 hours.',
    needs: ['computer', 'virtual-clock'],
    span: 'days',
  },
  'limits/idempotency-from-first-use': {
    level: 'should',
    statement: 'The 24 hours run from the job that was accepted; refused repeats do not prolong them.',
    needs: ['computer', 'virtual-clock'],
    span: 'days',
  },
  'limits/scale-retention': {
    statement: 'Scale data is deleted 45 seconds after its creation.',
    needs: ['scale'],
    span: 'seconds',
  },
  'limits/scale-retention-not-early': {
    statement: 'Scale data can be read until 45 seconds after its creation.',
    needs: ['scale'],
    span: 'seconds',
  },
  'limits/webhooks-per-account': { statement: 'An account may have five webhooks.' },
  'limits/webhooks-sixth-refused': { statement: 'A sixth webhook is refused, and the five stay.' },
  'limits/webhooks-freed': {
    level: 'should',
    statement: 'After one of five webhooks is deleted another can be created.',
  },
  'limits/webhooks-none-at-first': { statement: 'A new account has no webhooks.', needs: ['integrator'] },
  'limits/webhook-retries': {
    statement: 'An event of a failed request is sent once more, and not more often.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'limits/webhook-retry-delay': {
    statement: 'An event of a failed request is sent again five seconds after that request.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'limits/tag-name-at-accepted': { statement: 'A tag name of 64 characters is accepted.' },
  'limits/tag-name-over-refused': { statement: 'A tag name of 65 characters is refused.' },
  'limits/tag-value-at-accepted': { statement: 'A tag value of 1024 characters is accepted.' },
  'limits/tag-value-over-refused': { statement: 'A tag value of 1025 characters is refused.' },
  'limits/creation-tag-value-at-accepted': {
    statement: 'A tag value of 1024 bytes is accepted at account creation.',
    needs: ['integrator'],
  },
  'limits/creation-tag-value-over-refused': {
    statement: 'A tag value of 1025 bytes is refused at account creation.',
    needs: ['integrator'],
  },
  'limits/api-key-name-at-accepted': {
    statement: 'An API key name of 16 bytes is accepted at account creation.',
    needs: ['integrator'],
  },
  'limits/api-key-name-over-refused': {
    statement: 'An API key name of 17 bytes is refused at account creation.',
    needs: ['integrator'],
  },
  'limits/api-key-name-in-bytes': {
    statement: 'An API key name counts in bytes: nine two-byte characters are refused.',
    needs: ['integrator'],
  },
  'limits/api-key-names-at-accepted': {
    statement: 'Ten API key names are accepted at account creation.',
    needs: ['integrator'],
  },
  'limits/api-key-names-over-refused': {
    statement: 'Eleven API key names are refused at account creation.',
    needs: ['integrator'],
  },
  'limits/password-at-accepted': {
    statement: 'A password of eight bytes is accepted.',
    needs: ['integrator'],
  },
  'limits/password-under-refused': {
    statement: 'A password of seven bytes is refused.',
    needs: ['integrator'],
  },
  'limits/password-in-bytes': {
    statement: 'A password counts in bytes: four two-byte characters are accepted.',
    needs: ['integrator'],
  },
  'limits/password-on-update': {
    level: 'should',
    statement: 'A password of seven bytes is refused by PATCH /account too.',
    needs: ['child-account'],
  },
  'limits/client-key': { statement: 'A client key is a string of 47 characters.' },
  'limits/document-redirects': {
    party: 'client',
    statement: 'The client follows ten redirects on the way to a document.',
    needs: ['computer', 'document-host'],
  },
  'limits/document-redirects-over': {
    party: 'client',
    statement: 'The client does not follow an eleventh redirect by default.',
    needs: ['computer', 'document-host'],
  },
} as const satisfies ClauseRows;
