/**
 * Matches: whether an entry has every word of a filter somewhere.
 */

import type { DeliveryEntry, TrafficEntry } from '../../record/control-types.ts';

export function requestMatches(entry: TrafficEntry, filter: string): boolean {
  const { method, path, status, requestId, requestBody, responseBody } = entry;
  return hasWords(filter, [method, path, String(status), requestId, requestBody?.text, responseBody?.text]);
}

export function deliveryMatches(entry: DeliveryEntry, filter: string): boolean {
  const { url, status, error, outcome, requestBody } = entry;
  return hasWords(filter, [url, String(status ?? ''), error, outcome, requestBody.text]);
}

function hasWords(filter: string, texts: readonly (string | null | undefined)[]): boolean {
  const haystack = texts.join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
