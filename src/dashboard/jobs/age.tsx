/**
 * Age: how long ago something was, on the clock of the workbench.
 */

import type { JSX } from 'preact';

import { formatAge, formatDateTime } from '../parts/format.ts';
import { useWorkbenchNow } from '../state/workbench-store.ts';

export function Age({ sinceMs }: { readonly sinceMs: number }): JSX.Element {
  const nowMs = useWorkbenchNow();
  return (
    <time class="age" dateTime={new Date(sinceMs).toISOString()} title={`${formatDateTime(sinceMs)} UTC`}>
      {formatAge(Math.max(0, nowMs - sinceMs))}
    </time>
  );
}
