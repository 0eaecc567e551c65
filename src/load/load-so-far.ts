/**
 * Load so far: the record of a load that still goes on, from what its shards report each second. Nothing in it is
 * judged yet: it has the seconds, and how far the run has come.
 */

import { cpus } from 'node:os';

import { systemClock } from '../common/clock.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { sumOf, sumsOf } from '../common/sums.ts';
import type { Progress } from '../record/fields.ts';
import { headOfRun } from '../record/head-of-run.ts';
import type { LoadRecord, SecondRecord, SelfGauges } from '../record/load-record.ts';
import { LEDGER_CLASSES } from '../record/words.ts';
import { Durations } from './measure/histogram.ts';
import type { LiveFigures } from './measure/live-figures.ts';
import { mergeSeries } from './merge.ts';
import type { LoadPlan } from './plan/load-plan.ts';
import { planFacts } from './shard/run-shard.ts';
import type { LoadTarget } from './shard/shard-messages.ts';
import type { ShardProgress } from './shard/shard-monitor.ts';

export interface LoadSoFarOptions {
  readonly plan: LoadPlan;
  readonly runId: string;
  readonly target: Pick<LoadTarget, 'name' | 'baseUrl'>;
  /** How many shards play it, here or on other machines. */
  readonly shards: number;
}

/** In their order: the load has come as far as the shard that is furthest behind. */
const PHASES: readonly ShardProgress['phase'][] = ['calibrating', 'connecting', 'running', 'draining', 'clearing up'];
/** A shard that has not reported a second by then may have died. */
const LATE_SECONDS = 2;

export class LoadSoFar {
  readonly #options: LoadSoFarOptions;
  readonly #startedAt = new Date(systemClock.now()).toISOString();
  readonly #elapsedMs = startStopwatch();
  readonly #seconds: SecondRecord[] = [];
  /** The newest figures of each shard that has reported. */
  readonly #figures = new Map<number, LiveFigures>();
  readonly #phases = new Map<number, ShardProgress['phase']>();

  constructor(options: LoadSoFarOptions) {
    this.#options = options;
  }

  take({ shard, phase, second, figures }: ShardProgress): void {
    this.#phases.set(shard, phase);
    if (!second || !figures) return;
    this.#figures.set(shard, figures);
    this.#seconds.push(second);
  }

  record(): LoadRecord {
    const { plan, runId, target, shards } = this.#options;
    const series = mergeSeries(this.#wholeSeconds());
    return {
      ...headOfRun('load', { runId, startedAt: this.#startedAt, durationMs: this.#elapsedMs() }),
      progress: this.#progress(series.length),
      plan: { ...planFacts(plan, { index: 1, count: shards }), present: this.#present() },
      ending: 'interrupted',
      abortedBy: null,
      target: { name: target.name, baseUrl: target.baseUrl },
      machine: { cpus: cpus().length, node: process.version, platform: process.platform },
      streams: [],
      legs: [],
      series,
      ledger: { totals: this.#totals(), samples: [] },
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

  #present(): number[] {
    return this.#figures.size === 0 ? [1] : [...this.#figures.keys()].toSorted((one, other) => one - other);
  }

  /** Nothing is known of a job that is under way, nor of one in a long ledger that has not been looked at again. */
  #totals(): LoadRecord['ledger']['totals'] {
    const figures = [...this.#figures.values()];
    const classes = sumsOf(
      LEDGER_CLASSES,
      figures.map(({ ledger }) => ledger),
    );
    const intents = sumOf(figures, ({ jobs }) => jobs.intended);
    const known = sumOf(LEDGER_CLASSES, (name) => (name === 'unknown' ? 0 : classes[name]));
    return {
      intents,
      classes: { ...classes, unknown: intents - known },
      ...sumsOf(['unreported', 'redelivered', 'clashes'], []),
    };
  }

  /** Without the newest, until every shard has reported them: half of a second would look like a dip. */
  #wholeSeconds(): readonly SecondRecord[] {
    const newest = Math.max(...this.#seconds.map(({ second }) => second));
    const parts = Map.groupBy(this.#seconds, ({ second }) => second);
    return [...parts.values()].flatMap((same) => {
      const isLate = same.some(({ second }) => second < newest - LATE_SECONDS);
      return isLate || same.length >= this.#figures.size ? same : [];
    });
  }

  /** The drain ends as soon as every job has: how long that takes is unknown. It begins early where someone stops. */
  #progress(seconds: number): Progress {
    const { estimate, scenario } = this.#options.plan;
    const total = Math.ceil((estimate.durationMs - scenario.drainMs) / 1_000);
    const done = Math.min(seconds, total);
    const phases = [...this.#phases.values()];
    const slowest = PHASES.find((phase) => phases.includes(phase));
    const hasArrivals = done < total && slowest !== 'draining' && slowest !== 'clearing up';
    return {
      done,
      total,
      remainingMs: hasArrivals ? (total - done) * 1_000 : null,
      doing: slowest ?? 'preparing',
    };
  }
}

const IDLE: SelfGauges = { cpu: 0, rssBytes: 0, eventLoopDelayP99Us: 0 };
