/**
 * Old client: how a client program of long ago differs. It tells less, and knows fewer options.
 *
 *   received … downloaded ─► queued      preparing_to_print … ─► in_progress      done, error
 *
 * Source: versioning, "very old clients may not support newer print options". Choice: which options are
 * newer is not said; those that a print queue can do without are taken for it.
 */

import type { DeliveredJob } from '../../link/device-link.ts';
import type { SpoolState } from '../printer/spooler.ts';

const NAMES: Readonly<Partial<Record<SpoolState, string>>> = {
  received: 'queued',
  preparing_to_print: 'in_progress',
  done: 'done',
  error: 'error',
};

const NEWER_OPTIONS: ReadonlySet<string> = new Set(['color', 'media', 'nup']);

/** What an old client calls this state; undefined when it does not tell of it. */
export function oldNameOf(state: SpoolState): string | undefined {
  return NAMES[state];
}

/** The job as an old client understands it. */
export function understoodByOldClient(job: DeliveredJob): DeliveredJob {
  const options = Object.entries(job.options).filter(([name]) => !NEWER_OPTIONS.has(name));
  return { ...job, options: Object.fromEntries(options) };
}
