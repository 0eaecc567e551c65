/**
 * Press limits: how long a worker may take for one request, and how much memory it may hold meanwhile.
 *
 * The thread's own heap limit does not count buffers, which is where a small document that inflates to
 * gigabytes lies. So a worker that takes its time is looked at from outside, heap and buffers together.
 */

import type { Worker } from 'node:worker_threads';

import { sleep, systemClock } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import { DocumentError } from './press-messages.ts';

export interface PressLimits {
  /** Longest time for one request, in real milliseconds: work takes real time on any clock. */
  readonly timeMs: number;
  /** Heap and buffers of the worker. */
  readonly memoryMb: number;
}

const BYTES_PER_MB = 1024 * 1024;
/** Most requests are answered before the first look. */
const LOOK_EVERY_MS = 50;

/** Watches a worker until it is over a limit, which rejects, or `signal` aborts, which rejects as well. */
export async function watchLimits(
  worker: Worker,
  { timeMs, memoryMb }: PressLimits,
  signal: AbortSignal,
): Promise<never> {
  const elapsedMs = startStopwatch();
  for (;;) {
    await sleep(systemClock, Math.max(1, Math.min(LOOK_EVERY_MS, timeMs - elapsedMs())), signal);
    if (elapsedMs() >= timeMs) {
      throw new DocumentError(`the document took longer than ${formatDuration(timeMs)}`);
    }
    if ((await memoryBytes(worker)) > memoryMb * BYTES_PER_MB) throw tooMuchMemory(memoryMb);
  }
}

/** Whether a worker between two requests holds so much that the next one would pay for the last. */
export async function hasGrown(worker: Worker, { memoryMb }: PressLimits): Promise<boolean> {
  return (await memoryBytes(worker)) > (memoryMb * BYTES_PER_MB) / 2;
}

/** What a worker holds, heap and buffers; nothing before it has started and after it has ended. */
async function memoryBytes(worker: Worker): Promise<number> {
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics ? statistics.used_heap_size + statistics.external_memory : 0;
}

export function tooMuchMemory(memoryMb: number): DocumentError {
  return new DocumentError(`the document took more than ${memoryMb} MB of memory`);
}
