/**
 * Event words: an event of a webhook, in a few words. Events of a type that the page does not know are
 * called by that.
 */

import type { DeliveryEntry } from '../../record/control-types.ts';

type WorkbenchEvent = DeliveryEntry['events'][number];

/** `job 9: done`; of several the first, and how many more there are. */
export function eventWords(events: readonly WorkbenchEvent[]): string {
  const [first] = events;
  if (!first) return 'no event';
  const more = events.length > 1 ? ` and ${events.length - 1} more` : '';
  return `${wordsOf(first)}${more}`;
}

function wordsOf({ type, data }: WorkbenchEvent): string {
  const { printJobId, state } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof printJobId === 'number' && typeof state === 'string') {
    return `job ${printJobId}: ${state.replaceAll('_', ' ')}`;
  }
  const subject = typeof type === 'string' ? type : 'event';
  return typeof state === 'string' ? `${subject}: ${state}` : subject;
}
