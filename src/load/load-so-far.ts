/**
 * Load so far: the record of a load that still goes on, from what its shards report each second. Nothing in it is
 * judged yet: it has the seconds, and how far the run has come.
 */

import { cpus } from 'node:os';

import { systemClock } from '../common/clock.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { sumsOf } from '../common/sums.ts';
import type { Progress } from '../record/fields.ts';
import { headOfRun } from '../record/head-of-run.ts';
import type { LoadRecord, SecondRecord, SelfGauges } from '../record/load-record.ts';
import { LEDGER_CLASSES } from '../record/words.ts';
import { Durations } from './measure/histogram.ts';
import { mergeSeries } from './merge.ts';
import type { LoadPlan } from './plan/load-plan.ts';
import { planFacts } from './shard/run-shard.ts';
import type { LoadTarget } from './shard/shard-messages.ts';
import type { ShardProgress } from './shard/shard-monitor.ts';

export interface LoadSoFarOptions {
  readonly plan: LoadPlan;
  readonly runId: string;
  readonly target: Pick<LoadTarget, 'name' | 'baseUrl'>;
}

/** A shard that has not reported a second by then may have died. */
const LATE_SECONDS = 2;

export class LoadSoFar {
  readonly #options: LoadSoFarOptions;
  readonly #startedAt = new Date(systemClock.now()).toISOString();
  readonly #elapsedMs = startStopwatch();
  readonly #seconds: SecondRecord[] = [];
  readonly #shards = new Set<number>();
  #phase: ShardProgress['phase'] | undefined;

  constructor(options: LoadSoFarOptions) {
    this.#options = options;
  }

  take({ shard, phase, second }: ShardProgress): void {
    this.#phase = phase;
    if (!second) return;
    this.#shards.add(shard);
    this.#seconds.push(second);
  }

  record(): LoadRecord {
    const { plan, runId, target } = this.#options;
    const series = mergeSeries(this.#wholeSeconds());
    const jobs = series.at(-1)?.jobs;
    return {
      ...headOfRun('load', { runId, startedAt: this.#startedAt, durationMs: this.#elapsedMs() }),
      progress: this.#progress(series.length),
      plan: planFacts(plan, { index: 1, count: 1 }),
      ending: 'interrupted',
      abortedBy: null,
      target: { name: target.name, baseUrl: target.baseUrl },
      machine: { cpus: cpus().length, node: process.version, platform: process.platform },
      streams: [],
      legs: [],
      series,
      ledger: {
        totals: {
          intents: jobs?.intended ?? 0,
          classes: sumsOf(LEDGER_CLASSES, []),
          ...sumsOf(['unreported', 'redelivered', 'clashes'], []),
        },
        samples: [],
      },
      webhooks: null,
      disasters: [],
      fairness: null,
      responses: { judged: 0, broken: [] },
      settlement: sumsOf(['wereAccepted', 'submittedAgain', 'refused', 'open'], []),
      leaks: { accounts: [] },
      self: { ...IDLE, ...series.at(-1)?.self, lateness: new Durations().toRecord(), floor: null },
      thresholds: [],
      verdict: 'incomplete',
      reasons: ['it is still running'],
      missingShards: [],
      summary: { exitCode: 2, thresholds: { total: 0, pass: 0, fail: 0 } },
    };
  }

  /** Without the newest, until every shard has reported them: half of a second would look like a dip. */
  #wholeSeconds(): readonly SecondRecord[] {
    const newest = Math.max(...this.#seconds.map(({ second }) => second));
    const parts = Map.groupBy(this.#seconds, ({ second }) => second);
    return [...parts.values()].flatMap((same) => {
      const isLate = same.some(({ second }) => second < newest - LATE_SECONDS);
      return isLate || same.length >= this.#shards.size ? same : [];
    });
  }

  /** The drain ends as soon as every job has: how long that takes is unknown. */
  #progress(seconds: number): Progress {
    const { estimate, scenario } = this.#options.plan;
    const total = Math.ceil((estimate.durationMs - scenario.drainMs) / 1_000);
    const done = Math.min(seconds, total);
    return {
      done,
      total,
      remainingMs: done < total ? (total - done) * 1_000 : null,
      doing: this.#phase ?? 'preparing',
    };
  }
}

const IDLE: SelfGauges = { cpu: 0, rssBytes: 0, eventLoopDelayP99Us: 0 };
