/**
 * Self watch: the load on the generator itself. A generator that lacks CPU time or pauses for garbage collection
 * measures itself, so its own figures are recorded beside those of the service.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';

import { startStopwatch } from '../../common/stopwatch.ts';
import type { SelfGauges } from '../../record/load-record.ts';

const RESOLUTION_MS = 10;
const NANOSECONDS_A_MS = 1e6;
const MICROSECONDS_A_MS = 1e3;

export class SelfWatch {
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
