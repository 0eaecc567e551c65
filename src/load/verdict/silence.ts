/**
 * Silence: from when on a service answered nothing any more, although requests went on.
 */

import { formatDuration } from '../../common/duration.ts';
import type { LoadFacts } from '../../record/load-record.ts';

/** One may be the end of a run. */
const LEAST_SILENT_SECONDS = 2;

/**
 * A sentence of it; none where a request was answered until the end. The seconds do not tell which of their errors were
 * answers, so nothing is said of a run with such.
 */
export function silenceOf({ streams, series }: Pick<LoadFacts, 'streams' | 'series'>): readonly string[] {
  if (streams.some(({ counts: { limited, refused, failed } }) => limited + refused + failed > 0)) return [];
  const last = series.findLast(({ arrivals, errors }) => arrivals > errors)?.second ?? -1;
  const silent = series.filter(({ second, errors }) => second > last && errors > 0);
  if (silent.length < LEAST_SILENT_SECONDS) return [];
  return [`the service answered nothing from ${formatDuration((last + 1) * 1_000)} into the run on`];
}
