/**
 * Self watch: the load on the generator itself. A generator that lacks CPU time or pauses for garbage collection
 * measures itself, so its own figures are recorded beside those of the service.
 */

import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

import { startStopwatch } from '../../common/stopwatch.ts';

/** Since the last sample. */
export interface SelfSample {
  /** CPUs in use on average: 1 is one whole CPU. */
  readonly cpu: number;
  readonly rssBytes: number;
  /** 99th percentile, beyond the timer's own resolution. */
  readonly eventLoopDelayMs: number;
  /** Time in garbage collection. */
  readonly gcMs: number;
}

const RESOLUTION_MS = 10;
const NANOSECONDS_A_MS = 1e6;
const MICROSECONDS_A_MS = 1e3;

export class SelfWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #observer: PerformanceObserver;
  #gcMs = 0;
  #cpu = process.cpuUsage();
  #sinceMs = startStopwatch();

  constructor() {
    this.#delay.enable();
    this.#observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#gcMs += duration;
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  sample(): SelfSample {
    const wallMs = Math.max(1, this.#sinceMs());
    const { user, system } = process.cpuUsage(this.#cpu);
    const sample = {
      cpu: (user + system) / MICROSECONDS_A_MS / wallMs,
      rssBytes: process.memoryUsage.rss(),
      eventLoopDelayMs: Math.max(0, this.#delay.percentile(99) / NANOSECONDS_A_MS - RESOLUTION_MS),
      gcMs: this.#gcMs,
    };
    this.#delay.reset();
    this.#gcMs = 0;
    this.#cpu = process.cpuUsage();
    this.#sinceMs = startStopwatch();
    return sample;
  }

  close(): void {
    this.#delay.disable();
    this.#observer.disconnect();
  }
}
