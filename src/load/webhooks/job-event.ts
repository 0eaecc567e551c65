/**
 * Job event: what the account of webhooks needs of an event in a webhook request.
 */

import { isObject } from '../../common/json-value.ts';
import { WEBHOOK_STATES, type WebhookState } from '../../oracle/webhook-account.ts';
import type { StrayKind } from '../../record/words.ts';

export interface JobEvent {
  readonly jobId: number;
  readonly state: WebhookState;
  /** Distinguishes events of the same state; empty when the service sends none. */
  readonly uid: string;
  readonly accountId: unknown;
}

const STATES: ReadonlySet<unknown> = new Set(WEBHOOK_STATES);

/** The event, or what kind of stray it is. */
export function readJobEvent(event: unknown): JobEvent | StrayKind {
  if (!isObject(event) || !isObject(event['data'])) return 'unreadable';
  const { printJobId, state, uid } = event['data'];
  if (typeof printJobId !== 'number' || typeof state !== 'string') return 'unreadable';
  if (!isStable(state)) return 'unstable-state';
  return { jobId: printJobId, state, uid: typeof uid === 'string' ? uid : '', accountId: event['accountId'] };
}

function isStable(state: string): state is WebhookState {
  return STATES.has(state);
}
