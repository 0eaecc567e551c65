/**
 * Service rules: the rules that a service is made of, each a small file.
 *
 * Each can be replaced: tests build a service that breaks one rule to prove that the checks see it, and the
 * service needs no switch for that.
 */

import { expiryMs } from './delivery/print-jobs.ts';
import { dueMs, mayTryAgain } from './delivery/webhook-dispatcher.ts';
import { createWebhookSender } from './delivery/webhook-request.ts';
import { decayingCounts } from './domain/decaying-count.ts';
import { isReadingRetained } from './domain/scale-reading.ts';
import { renderError } from './gate/api-error.ts';
import { authenticate } from './gate/authentication.ts';
import { actAs } from './gate/child-account.ts';
import { StoredIdempotencyKeys, type IdempotencyKeys } from './gate/idempotency.ts';
import { pageHeaders, parsePage } from './gate/pagination.ts';
import { TokenBuckets, type RateLimit } from './gate/rate-limit.ts';
import { responseHeaders } from './gate/response-headers.ts';
import { nextInteger, type Database } from './store/database.ts';

export const SERVICE_RULES = {
  authenticate,
  actAs,
  renderError,
  responseHeaders,
  parsePage,
  pageHeaders,
  expiryMs,
  rateLimit: (): RateLimit => new TokenBuckets(),
  idempotencyKeys: (database: Database): IdempotencyKeys => new StoredIdempotencyKeys(database),
  isReadingRetained,
  dueMs,
  mayTryAgain,
  decayingCounts,
  nextId: nextInteger,
  webhookSender: createWebhookSender,
};

export type ServiceRules = Readonly<typeof SERVICE_RULES>;
