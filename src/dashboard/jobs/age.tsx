/**
 * Age: how long ago something was, on the clock of the bench.
 */

import type { JSX } from 'preact';

import { formatAge, formatDateTime } from '../parts/format.ts';
import { useBenchNow } from '../state/bench-store.ts';

export function Age({ sinceMs }: { readonly sinceMs: number }): JSX.Element {
  const nowMs = useBenchNow();
  return (
    <time class="age" dateTime={new Date(sinceMs).toISOString()} title={`${formatDateTime(sinceMs)} UTC`}>
      {formatAge(Math.max(0, nowMs - sinceMs))}
    </time>
  );
}
