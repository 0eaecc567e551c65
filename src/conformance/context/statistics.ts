/**
 * Statistics of a webhook. How the five measures are nested in the four statistics is a gap: both
 * `receivedEvents: {counts, …}` and `counts: {receivedEvents, …}` are read.
 */

import { keysOf } from '../../common/keys-of.ts';
import { STATISTIC_MEASURES, type Statistic } from '../../spec/fields.ts';
import { isObject, type JsonObject } from '../expect/records.ts';

export type Measure = keyof typeof STATISTIC_MEASURES;

export const MEASURES = keysOf(STATISTIC_MEASURES);

/** A measure of a statistic as it is shown, or undefined when it is not. */
export function measureOf(webhook: JsonObject, statistic: Statistic, measure: Measure): unknown {
  return within(webhook, statistic, measure) ?? within(webhook, measure, statistic);
}

/** Which way round they are nested. */
export function nestingOf(webhook: JsonObject): string {
  if (within(webhook, 'receivedEvents', 'counts') !== undefined) return 'receivedEvents: {counts, …}';
  if (within(webhook, 'counts', 'receivedEvents') !== undefined) return 'counts: {receivedEvents, …}';
  return 'neither by statistic nor by measure';
}

function within(webhook: JsonObject, outer: string, inner: string): unknown {
  const group = webhook[outer];
  return isObject(group) ? group[inner] : undefined;
}
