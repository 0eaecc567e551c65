/**
 * Service rules: the rules that a service is made of, each a small file.
 *
 * Each can be replaced: tests build a service that breaks one rule to prove that the checks see it, and the
 * service needs no switch for that.
 */

import { expiryMs } from './delivery/print-jobs.ts';
import { dueMs, mayTryAgain } from './delivery/webhook-dispatcher.ts';
import {
  createWebhookSender,
  type WebhookSender,
  type WebhookSenderOptions,
} from './delivery/webhook-request.ts';
import { decayingCounts, type DecayingCounts } from './domain/decaying-count.ts';
import { isReadingRetained } from './domain/scale-reading.ts';
import { renderError } from './gate/api-error.ts';
import { authenticate } from './gate/authentication.ts';
import { actAs } from './gate/child-account.ts';
import { StoredIdempotencyKeys, type IdempotencyKeys } from './gate/idempotency.ts';
import { pageHeaders, parsePage } from './gate/pagination.ts';
import { TokenBuckets, type RateLimit } from './gate/rate-limit.ts';
import { responseHeaders } from './gate/response-headers.ts';
import { nextInteger, type Database, type NextId } from './store/database.ts';

export interface ServiceRules {
  readonly authenticate: typeof authenticate;
  readonly actAs: typeof actAs;
  readonly renderError: typeof renderError;
  readonly responseHeaders: typeof responseHeaders;
  readonly parsePage: typeof parsePage;
  readonly pageHeaders: typeof pageHeaders;
  readonly expiryMs: typeof expiryMs;
  readonly rateLimit: () => RateLimit;
  readonly idempotencyKeys: (database: Database) => IdempotencyKeys;
  readonly isReadingRetained: typeof isReadingRetained;
  readonly dueMs: typeof dueMs;
  readonly mayTryAgain: typeof mayTryAgain;
  readonly decayingCounts: DecayingCounts;
  readonly nextId: NextId;
  readonly webhookSender: (options: WebhookSenderOptions) => WebhookSender;
}

export const SERVICE_RULES: ServiceRules = {
  authenticate,
  actAs,
  renderError,
  responseHeaders,
  parsePage,
  pageHeaders,
  expiryMs,
  rateLimit: () => new TokenBuckets(),
  idempotencyKeys: (database) => new StoredIdempotencyKeys(database),
  isReadingRetained,
  dueMs,
  mayTryAgain,
  decayingCounts,
  nextId: nextInteger,
  webhookSender: createWebhookSender,
};
