/**
 * Load scenario: a load test as plain data, as the shards of a run hand it to each other. A scenario file
 * with `traffic` is read into this (scenario/read-traffic.ts).
 *
 * Nothing here is a function or a handle: as JSON it means the same in any process.
 */

import type { RoomDescription } from '../../devices/room.ts';
import type { DeclaredLoss } from '../../record/load-record.ts';
import type { ChaosEventName } from '../../record/words.ts';
import type { PacerSettings } from '../pacers/pacer.ts';
import type { OperationName } from './operation-names.ts';

export interface LoadScenario {
  readonly title: string;
  readonly why: string;
  readonly seed: number | string;
  /** Templates; each stands for `count` computers. */
  readonly computers: readonly LoadComputer[];
  /** Computers connected a second, all shards together. */
  readonly connectRate: number;
  /** The longest wait of a computer that lost its connection before it tries again. */
  readonly longestBackoffMs: number;
  /** How long printing takes: 1 is as long as the machines would need, 0 no time at all. */
  readonly timeScale: number;
  /** Accounts that bear the load; 1 is the account of the key itself, more are Child Accounts of it. */
  readonly accounts: number;
  /** Source addresses; empty for the one that the system chooses. */
  readonly sources: readonly string[];
  readonly documents: readonly LoadDocument[];
  readonly streams: readonly LoadStream[];
  readonly webhooks: LoadWebhooks | null;
  readonly timeoutMs: number;
  /** How long jobs may take after the last arrival. */
  readonly drainMs: number;
  readonly caps: LoadCaps;
  readonly disasters: readonly ChaosEvent[];
  /** `worker-lost` among the disasters of the file: what a run on several machines may lose. */
  readonly workerLosses: readonly DeclaredLoss[];
  /** As written; load/thresholds.ts reads them. */
  readonly thresholds: readonly string[];
  readonly abort: readonly string[];
}

export interface LoadComputer {
  /** A name stands for `name 1` … `name count` where the count is more than 1. */
  readonly template: RoomDescription['computers'][number];
  readonly count: number;
  readonly behaviour: BehaviourName;
}

/** Sets of think times and fault probabilities of devices; load/behaviours.ts says which. */
export const BEHAVIOUR_NAMES = ['steady', 'busy-shop', 'office', 'warehouse'] as const;
export type BehaviourName = (typeof BEHAVIOUR_NAMES)[number];

export interface LoadDocument {
  readonly name: string;
  readonly language: 'pdf' | 'raw';
  /** Whether it travels in the submission or is fetched by the computer from a host of the load. */
  readonly via: 'base64' | 'uri';
  readonly source:
    /** The path is that of this machine; the digest, in hexadecimal, says what is in it. */
    | { readonly kind: 'file'; readonly path: string; readonly sha256: string }
    /** Made for the run: so many pages, padded to at least so many bytes. */
    | { readonly kind: 'made'; readonly pages: number; readonly bytes: number };
  /** About how large it is. */
  readonly bytes: number;
}

export interface LoadStream {
  readonly name: string;
  readonly operations: readonly WeightedOperation[];
  readonly arrivals: OpenArrivals | ClosedArrivals;
  readonly startMs: number;
  readonly forMs: number;
  /** The accounts it works for, by their number from 0, both included. */
  readonly accounts: { readonly first: number; readonly last: number };
}

export interface OpenArrivals {
  readonly kind: 'open';
  readonly pacer: PacerSettings;
}

/** So many callers, each of which asks again once it was answered and has thought. */
export interface ClosedArrivals {
  readonly kind: 'closed';
  readonly loops: number;
  readonly thinkMs: number;
}

export interface WeightedOperation {
  readonly name: OperationName;
  readonly weight: number;
  /** Of a submission: the document by its place in the list of documents. */
  readonly document: number;
  /** Fewest and most, drawn for each submission. */
  readonly copies: readonly [number, number];
  readonly qty: readonly [number, number];
  /** Of a submission; null for the service's own default. */
  readonly expireAfterSeconds: number | null;
}

export interface LoadWebhooks {
  readonly receiver: ReceiverAnswer;
  /** A stretch of time in which the receivers answer otherwise. */
  readonly outage: {
    readonly atMs: number;
    readonly forMs: number;
    readonly receiver: ReceiverAnswer;
  } | null;
}

/** How a receiver of webhooks answers. */
export interface ReceiverAnswer {
  readonly answers: ReceiverAnswerName;
  /** How long it takes for a slow one. */
  readonly delayMs: number;
}

export const RECEIVER_ANSWERS = ['ok', 'slow', 'error', 'hang', 'reset', 'no-header'] as const;
export type ReceiverAnswerName = (typeof RECEIVER_ANSWERS)[number];

export interface LoadCaps {
  readonly requests: number;
  readonly connections: number;
  /** Beyond it arrivals are shed, and counted. */
  readonly inFlight: number;
}

/** Declares what befalls the machines that make the load: nobody of them makes it happen. */
export const WORKER_LOST = 'worker-lost';

export interface ChaosEvent {
  readonly what: ChaosEventName;
  readonly atMs: number;
  /** Of the computers, 0 … 1. */
  readonly share: number;
  /** How long those hit stay away. */
  readonly forMs: number;
  /** The time over which they go, or come back. */
  readonly withinMs: number;
}
