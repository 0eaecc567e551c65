/**
 * Limits: every number the specification prints, with its unit as printed. Code that
 * needs another unit converts it where it is used (`LIMITS.scaleRetentionSeconds.value * 1000`).
 */

import { given, type Limit } from './clause.ts';

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

/** Each limit at its edge and beyond. What is limited has its own chapter. */
export const LIMIT_CLAUSES = [
  given({ span: 'seconds' }).must({
    'limits/request-rate': 'Ten requests a second, sustained, are all answered without 429.',
    'limits/request-burst': 'A short burst of about 30 requests is tolerated.',
    'limits/request-rate-exceeded': 'Sustained excess gets 429 for some requests.',
  }),
  given({ span: 'seconds' }).should({
    'limits/request-rate-recovers': 'After a pause requests are answered without 429 again.',
  }),
  given({ needs: ['computer'], span: 'seconds' }).should({
    'limits/request-rate-does-nothing': 'A request refused with 429 changes nothing.',
  }),
  given({ needs: ['second-account'], span: 'seconds' }).should({
    'limits/request-rate-accounts-apart':
      'The excess of one account does not get another account, calling from another address, refused.',
  }),
  given({ needs: ['computer', 'many-jobs'] }).must({
    'limits/page-size-default': 'A list without limit has at most 100 records.',
    'limits/page-size-default-newest': 'A list without limit has the most recent records, most recent first.',
    'limits/page-size-default-full': 'Where there are more than 100 records a list without limit has exactly 100.',
  }),
  given({ needs: ['computer', 'many-jobs'] }).should({
    'limits/page-size-above-default':
      'A limit above 100, up to the greatest that the service takes, returns as many records where there are more.',
  }),
  given({ needs: ['computer', 'large-body'] }).must({
    'limits/body-at-accepted': 'A POST body of 50 MB or just under is accepted.',
    'limits/base64-document': 'A document of just under 37.5 MB fits as base64.',
  }),
  given({ needs: ['computer', 'large-body'] }).should({
    'limits/body-over-no-job': 'A body that was refused for its size leaves no job behind.',
  }),
  given({ needs: ['large-body'] }).must({
    'limits/body-over-refused': 'A POST body larger than 50 MB is refused.',
  }),
  given({ party: 'caller' }).should({
    'limits/caller-waits':
      'A caller that was refused with 429 sends that request again when the time in Retry-After is over, not before.',
    'limits/caller-asks-rarely': 'A caller that waits for a state asks for it once a second at most.',
  }),
  given({ party: 'caller' }).must({
    'limits/base64-overhead': 'A caller reckons with about 33% that base64 adds to the size of a document.',
  }),
  given({ needs: ['computer', 'document-host', 'large-body'] }).must({
    'limits/uri-document-unlimited': 'The size of a document fetched from a URI is not limited by the service.',
  }),
  given({ needs: ['computer', 'virtual-clock'], span: 'days' }).must({
    'limits/expire-after-default':
      'Without expireAfter a job that cannot be delivered expires after 1209600 seconds, not before.',
    'limits/idempotency-within': 'An idempotency key is refused for 24 hours.',
    'limits/idempotency-reuse': 'An idempotency key may be used again after 24 hours.',
  }),
  given({ needs: ['computer', 'virtual-clock'], span: 'days' }).should({
    'limits/idempotency-from-first-use':
      'The 24 hours run from the job that was accepted; refused repeats do not prolong them.',
  }),
  given({ party: 'client', needs: ['computer'] }).must({
    'limits/qty-default': 'Without qty the document is delivered to the print queue once.',
    'limits/qty-maximum': 'The client delivers a document at most 999 times for one job.',
  }),
  given({ party: 'caller', needs: ['computer'] }).must({
    'limits/copies-at-most-capability': 'A caller asks for no more copies than the capabilities of the printer allow.',
  }),
  given({ needs: ['scale'], span: 'seconds' }).must({
    'limits/scale-retention': 'Scale data is deleted 45 seconds after its creation.',
    'limits/scale-retention-not-early': 'Scale data can be read until 45 seconds after its creation.',
  }),
  given().must({
    'limits/webhooks-per-account': 'An account may have five webhooks.',
    'limits/webhooks-sixth-refused': 'A sixth webhook is refused, and the five stay.',
    'limits/tag-name-at-accepted': 'A tag name of 64 characters is accepted.',
    'limits/tag-name-over-refused': 'A tag name of 65 characters is refused.',
    'limits/tag-value-at-accepted': 'A tag value of 1024 characters is accepted.',
    'limits/tag-value-over-refused': 'A tag value of 1025 characters is refused.',
    'limits/client-key': 'A client key is a string of 47 characters.',
    'limits/webhooks-freed': 'After one of five webhooks is deleted another can be created.',
  }),
  given({ needs: ['integrator'] }).must({
    'limits/webhooks-none-at-first': 'A new account has no webhooks.',
    'limits/creation-tag-value-at-accepted': 'A tag value of 1024 bytes is accepted at account creation.',
    'limits/creation-tag-value-over-refused': 'A tag value of 1025 bytes is refused at account creation.',
    'limits/api-key-name-at-accepted': 'An API key name of 16 bytes is accepted at account creation.',
    'limits/api-key-name-over-refused': 'An API key name of 17 bytes is refused at account creation.',
    'limits/api-key-name-in-bytes': 'An API key name counts in bytes: nine two-byte characters are refused.',
    'limits/api-key-names-at-accepted': 'Ten API key names are accepted at account creation.',
    'limits/api-key-names-over-refused': 'Eleven API key names are refused at account creation.',
    'limits/password-at-accepted': 'A password of eight bytes is accepted.',
    'limits/password-under-refused': 'A password of seven bytes is refused.',
    'limits/password-in-bytes': 'A password counts in bytes: four two-byte characters are accepted.',
  }),
  given({ needs: ['webhook-receiver', 'computer'], span: 'seconds' }).must({
    'limits/webhook-retries': 'An event of a failed request is sent once more, and not more often.',
    'limits/webhook-retry-delay': 'An event of a failed request is sent again five seconds after that request.',
  }),
  given({ needs: ['child-account'] }).must({
    'limits/password-on-update': 'PATCH /account refuses a password of seven bytes.',
  }),
  given({ party: 'client', needs: ['computer', 'document-host'] }).must({
    'limits/document-redirects': 'The client follows ten redirects on the way to a document.',
    'limits/document-redirects-over': 'The client does not follow an eleventh redirect by default.',
  }),
];
