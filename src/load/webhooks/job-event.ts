/**
 * Job event: what the account of webhooks needs of an event in a webhook request. Where `data` has the job
 * and its state is not printed: it is found in events of known jobs.
 */

import { isObject } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import { findEventPlaces, type EventPlaces } from '../../oracle/account/event-places.ts';
import { WEBHOOK_STATES, type WebhookState } from '../../oracle/webhook-account.ts';
import type { StrayKind } from '../../record/words.ts';

export interface JobEvent {
  readonly jobId: number;
  readonly state: WebhookState;
  /** Distinguishes events of the same state. */
  readonly uid: string;
  readonly accountId: unknown;
}

const STATES: ReadonlySet<unknown> = new Set(WEBHOOK_STATES);

/**
 * Where events have the job and its state; undefined where that does not lead to as many known jobs as are enough. One
 * is, at the place where most services have it.
 */
export function placesIn(
  events: readonly unknown[],
  isJob: (id: number) => boolean,
  enough: number,
): EventPlaces | undefined {
  const places = findEventPlaces(events, { isJob, isComputer: () => false });
  const known = events.filter((event) => isJob(jobIdIn(event, places))).length;
  return known >= (places.job === 'printJobId' ? Math.min(1, enough) : enough) ? places : undefined;
}

/** The event, or what kind of stray it is. */
export function readJobEvent(event: unknown, places: EventPlaces): JobEvent | StrayKind {
  const jobId = jobIdIn(event, places);
  if (!isObject(event) || Number.isNaN(jobId)) return 'unreadable';
  const { data, accountId, createdAt } = event;
  const state = places.state === undefined ? undefined : valueAt(data, places.state);
  if (typeof state !== 'string') return 'unreadable';
  if (!isStable(state)) return 'unstable-state';
  // Either may be missing, or too coarse.
  return { jobId, state, uid: `${String(valueAt(data, 'uid'))} ${String(createdAt)}`, accountId };
}

/** NaN where it has no number. */
function jobIdIn(event: unknown, { job }: EventPlaces): number {
  return job === undefined ? Number.NaN : Number(valueAt(event, `data.${job}`) ?? Number.NaN);
}

function isStable(state: string): state is WebhookState {
  return STATES.has(state);
}
