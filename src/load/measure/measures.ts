/**
 * Measures: what thresholds can refer to, from a finished record or from a run in progress.
 */

import type { DurationRecord, Fairness, LedgerTotals, LoadFacts, WebhookTotals } from '../../record/load-record.ts';
import type { Phase, RequestOutcome } from '../../record/words.ts';
import { activeMsIn } from './active-time.ts';
import { Durations } from './histogram.ts';

export const DURATION_KINDS = ['response', 'service', 'lateness'] as const;
export type DurationKind = (typeof DURATION_KINDS)[number];

/** Durations, as far as thresholds need them. */
export type Percentiles = Pick<Durations, 'count' | 'meanUs' | 'maxUs' | 'percentile'>;

export interface Measures {
  /** Undefined for an unknown stream. */
  durations(stream: string, kind: DurationKind): Percentiles | undefined;
  counts(stream: string): Readonly<Record<RequestOutcome, number>> | undefined;
  phase(name: Phase): Percentiles | undefined;
  lateness(): Percentiles;
  ledger(): LedgerTotals;
  webhooks(): WebhookTotals | null;
  fairness(): Fairness | null;
  readonly cpu: number;
  readonly rssBytes: number;
  /** How long the requests of a stream have been due. */
  activeMs(stream: string): number;
  readonly elapsedMs: number;
}

export function measuresOf(facts: LoadFacts): Measures {
  const streamOf = (name: string): LoadFacts['streams'][number] | undefined =>
    facts.streams.find((stream) => stream.name === name);
  return {
    durations: (name, kind) => percentilesOf(streamOf(name)?.[kind]),
    counts: (name) => streamOf(name)?.counts,
    phase: (name) => percentilesOf(facts.legs.find((phase) => phase.name === name)?.duration),
    lateness: () => Durations.fromBase64(facts.self.lateness.histogram),
    ledger: () => facts.ledger.totals,
    webhooks: () => facts.webhooks,
    fairness: () => facts.fairness,
    cpu: facts.self.cpu,
    rssBytes: facts.self.rssBytes,
    activeMs: (name) => activeMsIn(facts, name),
    elapsedMs: facts.durationMs,
  };
}

function percentilesOf(record: DurationRecord | undefined): Percentiles | undefined {
  if (record === undefined) return undefined;
  const durations = Durations.fromBase64(record.histogram);
  // The record has the longest and the mean to the microsecond, the stored histogram to three digits.
  const { count, meanUs, maxUs } = record;
  return { count, meanUs, maxUs, percentile: (percent) => durations.percentile(percent) };
}
