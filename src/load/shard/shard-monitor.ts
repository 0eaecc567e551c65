/**
 * Shard monitor: the clock of a shard, and what is observed of it while it runs.
 *
 *   every second ─► recorder closes the second ─► progress ─► an abort rule applies? no more arrivals
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';

import { systemClock, type Timer } from '../../common/clock.ts';
import { machineMicroseconds, startStopwatch } from '../../common/stopwatch.ts';
import { Ledger } from '../../oracle/ledger.ts';
import type { SecondRecord, SelfGauges } from '../../record/load-record.ts';
import { activeMsOf } from '../measure/active-time.ts';
import { ClassCount, type LiveFigures } from '../measure/live-figures.ts';
import { Recorder } from '../measure/recorder.ts';
import type { LoadPlan } from '../plan/load-plan.ts';
import { abortCause, parseRules, type Threshold } from '../verdict/thresholds.ts';

/** How far a shard has come, once a second. */
export interface ShardProgress {
  readonly shard: number;
  readonly phase: 'calibrating' | 'connecting' | 'running' | 'draining' | 'clearing up';
  readonly second: SecondRecord | null;
  /** With every second: everything up to its end. */
  readonly figures: LiveFigures | null;
  readonly connected: number;
  readonly inFlight: number;
  /** The rule of the scenario that applied here: all shards end. */
  readonly abortedBy: string | null;
}

export interface ShardMonitorOptions {
  readonly plan: LoadPlan;
  readonly shard: number;
  /** Each of them ends the arrivals. */
  readonly signals: readonly AbortSignal[];
  readonly onProgress: ((progress: ShardProgress) => void) | undefined;
}

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
/** Far enough ahead that nothing before the start counts as in the run. */
const NOT_YET_US = 3_600e6;

export class ShardMonitor {
  readonly recorder: Recorder;
  readonly ledger: Ledger;
  readonly startedAt = new Date(systemClock.now()).toISOString();
  readonly elapsedMs = startStopwatch();
  /** Asked for each progress: what the shard works with. */
  gauges: () => Pick<ShardProgress, 'connected' | 'inFlight'> = () => ({ connected: 0, inFlight: 0 });
  readonly #options: ShardMonitorOptions;
  readonly #classes: ClassCount;
  readonly #self = new SelfWatch();
  readonly #cpuBefore = process.cpuUsage();
  readonly #endingBy = new AbortController();
  readonly #abortRules: readonly Threshold[];
  #startUs = machineMicroseconds() + NOT_YET_US;
  #phase: ShardProgress['phase'] = 'calibrating';
  #abortedBy: string | null = null;
  #nextLook: Timer | undefined;
  #lookedAtUs = 0;
  #mostRss = 0;
  #worstDelayUs = 0;

  constructor(options: ShardMonitorOptions) {
    this.#options = options;
    const { plan, signals } = options;
    const streams = plan.streams.map(({ name }) => name);
    const { accounts, warmUpMs = 0 } = plan.scenario;
    this.recorder = new Recorder({ streams, accounts, warmUpUs: warmUpMs * US_PER_MS });
    this.ledger = new Ledger({
      accountOfPrinter: (printer) => plan.room.accountOfPrinter(printer),
      onPhase: (phase, durationUs, intendedUs) => this.recorder.phase(phase, durationUs, intendedUs),
    });
    this.#classes = new ClassCount(this.ledger);
    this.#abortRules = parseRules(plan.scenario.abort, streams);
    // Not AbortSignal.any: reading `aborted` of such a signal costs microseconds, for every arrival.
    for (const signal of signals) {
      if (signal.aborted) this.#endingBy.abort();
      signal.addEventListener('abort', () => this.#endingBy.abort(), { once: true });
    }
  }

  /** No more arrivals: stopped, halted or aborted by a rule. */
  get ending(): AbortSignal {
    return this.#endingBy.signal;
  }

  get abortedBy(): string | null {
    return this.#abortedBy;
  }

  /** Microseconds since the start of the run; negative before it. */
  readonly sinceStartUs = (): number => machineMicroseconds() - this.#startUs;

  enter(phase: ShardProgress['phase']): void {
    this.#phase = phase;
    this.report(null);
  }

  /** @param startUs - on the scale of machineMicroseconds */
  start(startUs: number): void {
    this.#startUs = startUs;
    this.#self.sample();
    this.#phase = 'running';
    this.#lookAtTheEndOf(0);
  }

  /** The traffic is over; seconds go on. */
  drain(): void {
    this.#phase = 'draining';
  }

  /** Closes the last second. */
  finish(): void {
    this.#nextLook?.cancel();
    this.#look(this.#lookedAtUs + US_PER_SECOND, this.#classes.lookAtAll());
  }

  /** The gauges of this process, over the whole run. */
  self(): SelfGauges {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return {
      cpu: (user + system) / 1_000 / Math.max(1, this.elapsedMs()),
      rssBytes: this.#mostRss,
      eventLoopDelayP99Us: this.#worstDelayUs,
    };
  }

  close(): void {
    this.#nextLook?.cancel();
    this.#self.close();
  }

  report(second: SecondRecord | null, figures: LiveFigures | null = null): void {
    this.#options.onProgress?.({
      shard: this.#options.shard,
      phase: this.#phase,
      second,
      figures,
      ...this.gauges(),
      abortedBy: this.#abortedBy,
    });
  }

  /** Timed from the start, not from the last look, so that one late look delays no other. */
  #lookAtTheEndOf(second: number): void {
    const endUs = (second + 1) * US_PER_SECOND;
    this.#nextLook = systemClock.schedule((endUs - this.sinceStartUs()) / 1_000, () => {
      this.#lookAtTheEndOf(second + 1);
      this.#look(endUs);
    });
  }

  /** Closes the second that ends at `atUs`. */
  #look(atUs: number, classes = this.#classes.look()): void {
    this.#lookedAtUs = atUs;
    const self = this.#self.sample();
    this.#mostRss = Math.max(this.#mostRss, self.rssBytes);
    this.#worstDelayUs = Math.max(this.#worstDelayUs, self.eventLoopDelayP99Us);
    const figures = { ...this.recorder.soFar(), jobs: this.ledger.progress, ledger: classes };
    this.report(this.recorder.closeSecond(atUs, this.ledger.progress, self), figures);
    if (this.#phase === 'running' && !this.ending.aborted) this.#considerAborting(self);
  }

  #considerAborting({ cpu, rssBytes }: SelfGauges): void {
    const elapsedMs = this.sinceStartUs() / 1_000;
    const { streams } = this.#options.plan;
    const measures = this.recorder.measures({
      ledger: () => this.ledger.totals(),
      webhooks: () => null,
      cpu,
      rssBytes,
      activeMs: (name) => {
        const stream = streams.find((one) => one.name === name);
        return stream ? activeMsOf(stream, elapsedMs) : 0;
      },
      elapsedMs,
    });
    const cause = abortCause(this.#abortRules, measures);
    if (cause === undefined) return;
    this.#abortedBy = cause;
    this.#endingBy.abort();
    this.report(null);
  }
}

/**
 * The load on the generator itself. A generator that lacks CPU time or pauses for garbage collection
 * measures itself, so its own figures are recorded beside those of the service.
 */
const RESOLUTION_MS = 10;
const NANOSECONDS_A_MS = 1e6;
const MICROSECONDS_A_MS = 1e3;

class SelfWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #cpu = process.cpuUsage();
  #sinceMs = startStopwatch();

  constructor() {
    this.#delay.enable();
  }

  /** Since the last sample; the delay is beyond the timer's own resolution. */
  sample(): SelfGauges {
    const wallMs = Math.max(1, this.#sinceMs());
    const { user, system } = process.cpuUsage(this.#cpu);
    const delayMs = Math.max(0, this.#delay.percentile(99) / NANOSECONDS_A_MS - RESOLUTION_MS);
    this.#delay.reset();
    this.#cpu = process.cpuUsage();
    this.#sinceMs = startStopwatch();
    return {
      cpu: (user + system) / MICROSECONDS_A_MS / wallMs,
      rssBytes: process.memoryUsage.rss(),
      eventLoopDelayP99Us: Math.round(delayMs * MICROSECONDS_A_MS),
    };
  }

  close(): void {
    this.#delay.disable();
  }
}
