/**
 * Retry: what happens to events after a request to a webhook, and when those that wait are due.
 *
 * Attempts are counted for each event: one request can hold events at their first try and others at their
 * second.
 */

import { LIMITS } from '../../spec/limits.ts';

const RETRY_DELAY_MS = LIMITS.webhookRetryDelaySeconds.value * 1_000;

/** How the last request to a target ended; null when none was ever made. */
export type LastRequest = { readonly outcome: 'success' | 'failure'; readonly endedMs: number } | null;

/** When queued events are due, in milliseconds since the epoch: at once, or 5 s after a failure. */
export function dueMs(lastRequest: LastRequest, nowMs: number): number {
  return lastRequest?.outcome === 'failure' ? lastRequest.endedMs + RETRY_DELAY_MS : nowMs;
}

/** @param attempts - requests that the event was part of, the failed one included */
export function mayTryAgain(attempts: number): boolean {
  return attempts <= LIMITS.webhookRetries.value;
}
