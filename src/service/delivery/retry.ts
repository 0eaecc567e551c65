/**
 * Retry: what becomes of the events of a failed request. It belongs to the event, not to the request:
 * one request can hold events at their first try and others at their second.
 */

import { LIMITS } from '../../spec/limits.ts';

/** @param attempts - requests that the event was part of, the failed one included */
export function mayTryAgain(attempts: number): boolean {
  return attempts <= LIMITS.webhookRetries.value;
}
