/**
 * Active time of a stream: how long its requests were due, which is what its rate counts over. A run also takes time to
 * calibrate, to connect, and to drain.
 *
 *   calibrate ── connect ──┬── start ──╞══ for ══╡ ── drain
 *                          0
 */

import type { LoadFacts } from '../../record/load-record.ts';

interface Span {
  readonly startMs: number;
  readonly forMs: number;
}

/** @param untilMs - since the requests of the run began */
export function activeMsOf({ startMs, forMs }: Span, untilMs: number): number {
  return Math.max(0, Math.min(forMs, untilMs - startMs));
}

/** How long a stream of a record was active; without a name, from the start of the first to the end of the last. */
export function activeMsIn(
  { plan: { streams = [] }, series, durationMs }: Pick<LoadFacts, 'plan' | 'series' | 'durationMs'>,
  name?: string,
): number {
  const spans = streams.filter((stream) => stream.name === (name ?? stream.name));
  const last = series.at(-1);
  // The plans of earlier records have no streams.
  if (!last || spans.length === 0) return durationMs;
  const startMs = Math.min(...spans.map((span) => span.startMs));
  const endMs = Math.max(...spans.map((span) => span.startMs + span.forMs));
  return activeMsOf({ startMs, forMs: endMs - startMs }, (last.second + 1) * 1_000);
}
