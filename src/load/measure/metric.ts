/**
 * Metrics that a threshold can name.
 *
 *   STREAM.response.p99    STREAM.failed    STREAM.rate      a stream of the scenario
 *   job.paper.p95                                            a phase of a job
 *   ledger.lost            webhooks.lost                     what became of jobs and of events
 *   lateness.p99           self.cpu         self.rss         the generator itself
 *   accounts.fairness      accounts.starving
 */

import { sumOf } from '../../common/sums.ts';
import {
  BAD_LEDGER_CLASSES,
  LEDGER_CLASSES,
  PHASES,
  REQUEST_OUTCOMES,
  WEBHOOK_CLASSES,
  type RequestOutcome,
} from '../../record/words.ts';
import { starving } from './fairness.ts';
import { DURATION_KINDS, type Measures, type Percentiles } from './measures.ts';

export type Unit = 'duration' | 'count' | 'ratio' | 'bytes' | 'rate';

export interface Metric {
  readonly unit: Unit;
  /** In microseconds, bytes or plain numbers; null when there is nothing to measure. */
  readonly measure: (measures: Measures) => number | null;
  /** What a percentage of this metric is a percentage of. */
  readonly whole?: (measures: Measures) => number | null;
}

/** First words of metrics, which no stream may have as its name. */
export const RESERVED_SCOPES = ['job', 'ledger', 'webhooks', 'lateness', 'accounts', 'self'] as const;

const STATISTICS = ['mean', 'max', 'p50', 'p90', 'p95', 'p99', 'p99.9'];

/** What may follow at one place of a metric: a word, or a percentile. */
export interface MetricNode {
  readonly what: string;
  readonly words: readonly string[];
  readonly find: (word: string) => Metric | MetricNode | undefined;
}

/** The tree of metrics for a scenario with these streams. */
export function metricTree(streams: readonly string[]): MetricNode {
  return node('metric', {
    ...Object.fromEntries(streams.map((stream) => [stream, streamNode(stream)])),
    job: node(
      'phase of a job',
      Object.fromEntries(PHASES.map((phase) => [phase, statistics((measures) => measures.phase(phase))])),
    ),
    ledger: node('class of the ledger', ledgerMetrics()),
    webhooks: node('class of webhook events', webhookMetrics()),
    lateness: statistics((measures) => measures.lateness()),
    accounts: node('measure of accounts', {
      fairness: { unit: 'ratio', measure: (measures) => measures.fairness()?.jainIndex ?? null },
      starving: { unit: 'count', measure: starvingAccounts },
    }),
    self: node('measure of the generator', {
      cpu: { unit: 'ratio', measure: ({ cpu }) => cpu },
      rss: { unit: 'bytes', measure: ({ rssBytes }) => rssBytes },
    }),
  });
}

function node(what: string, children: Readonly<Record<string, Metric | MetricNode>>): MetricNode {
  const known = new Map(Object.entries(children));
  return { what, words: [...known.keys()], find: (word) => known.get(word) };
}

function streamNode(stream: string): MetricNode {
  const counted = (outcomes: readonly RequestOutcome[]): Metric => ({
    unit: 'count',
    measure: (measures) => requestsOf(measures, stream, outcomes),
    whole: (measures) => requestsOf(measures, stream, REQUEST_OUTCOMES),
  });
  return node('measure of a stream', {
    ...Object.fromEntries(
      DURATION_KINDS.map((kind) => [kind, statistics((measures) => measures.durations(stream, kind))]),
    ),
    ...Object.fromEntries(REQUEST_OUTCOMES.map((outcome) => [outcome, counted([outcome])])),
    errors: counted(REQUEST_OUTCOMES.filter((outcome) => outcome !== 'ok')),
    requests: counted(REQUEST_OUTCOMES),
    rate: {
      unit: 'rate',
      measure: (measures) => {
        const served = requestsOf(measures, stream, ['ok']);
        const activeMs = measures.activeMs(stream);
        return served === null || activeMs <= 0 ? null : (served * 1_000) / activeMs;
      },
    },
  });
}

function requestsOf(measures: Measures, stream: string, outcomes: readonly RequestOutcome[]): number | null {
  const counts = measures.counts(stream);
  return counts ? sumOf(outcomes, (outcome) => counts[outcome]) : null;
}

function jobsOf(measures: Measures): number {
  return measures.ledger().intents;
}

function ledgerMetrics(): Readonly<Record<string, Metric>> {
  const classes = LEDGER_CLASSES.map((name): [string, Metric] => [
    name,
    { unit: 'count', measure: (measures) => measures.ledger().classes[name], whole: jobsOf },
  ]);
  return {
    ...Object.fromEntries(classes),
    bad: {
      unit: 'count',
      measure: (measures) => {
        const { classes } = measures.ledger();
        return sumOf(BAD_LEDGER_CLASSES, (name) => classes[name]);
      },
      whole: jobsOf,
    },
    intents: { unit: 'count', measure: jobsOf },
    unreported: { unit: 'count', measure: (measures) => measures.ledger().unreported, whole: jobsOf },
    redelivered: { unit: 'count', measure: (measures) => measures.ledger().redelivered, whole: jobsOf },
    clashes: { unit: 'count', measure: (measures) => measures.ledger().clashes },
  };
}

function eventsOf(measures: Measures): number | null {
  return measures.webhooks()?.events ?? null;
}

function webhookMetrics(): Readonly<Record<string, Metric>> {
  const classes = WEBHOOK_CLASSES.map((name): [string, Metric] => [
    name,
    { unit: 'count', measure: (measures) => measures.webhooks()?.classes[name] ?? null, whole: eventsOf },
  ]);
  return {
    ...Object.fromEntries(classes),
    events: { unit: 'count', measure: eventsOf },
    disagreements: {
      unit: 'count',
      measure: (measures) => measures.webhooks()?.reconciliation.filter((one) => !one.agrees).length ?? null,
    },
  };
}

function starvingAccounts(measures: Measures): number | null {
  const fairness = measures.fairness();
  return fairness && starving(fairness).length;
}

const PERCENTILE = /^p(\d{1,2}(?:\.\d{1,3})?)$/;

function statistics(of: (measures: Measures) => Percentiles | undefined): MetricNode {
  return {
    what: 'statistic',
    words: STATISTICS,
    find: (word) => {
      const read = readerOf(word);
      return read && { unit: 'duration', measure: (measures) => readAny(of(measures), read) };
    },
  };
}

function readerOf(word: string): ((durations: Percentiles) => number) | undefined {
  if (word === 'mean') return ({ meanUs }) => meanUs;
  if (word === 'max') return ({ maxUs }) => maxUs;
  const percent = PERCENTILE.exec(word)?.[1];
  return percent === undefined ? undefined : (durations) => durations.percentile(Number(percent));
}

/** Null, not zero, when nothing was measured. */
function readAny(durations: Percentiles | undefined, read: (durations: Percentiles) => number): number | null {
  return durations === undefined || durations.count === 0 ? null : read(durations);
}
