/**
 * Limits: every number the specification prints, with its unit as printed. Whoever computes with one
 * converts it where it is used (`LIMITS.scaleRetentionSeconds.value * 1000`).
 */

import type { Limit } from './clause.ts';

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
