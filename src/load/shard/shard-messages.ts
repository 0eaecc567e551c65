/**
 * Shard messages: what a run and the processes of its shards say to each other.
 *
 *   run                                 shard process
 *    │  begin {scenario, shard, …}          │
 *    │ ───────────────────────────────────► │  calibrates, makes accounts, connects its room
 *    │                 progress, …, ready   │
 *    │ ◄─────────────────────────────────── │
 *    │  go {atUs}                           │  the same instant for all
 *    │ ───────────────────────────────────► │
 *    │  stop, halt                progress  │
 *    │ ◄─────────────────────────────────── │
 *    │               result, or failed      │
 */

import type { Shard } from '../plan/load-plan.ts';
import type { LoadScenario } from '../plan/load-scenario.ts';
import type { ShardProgress, ShardResult } from './run-shard.ts';

/** How computers reach the service, as one process can tell another. */
export type LinkKind =
  | { readonly kind: 'websocket' }
  /** A module that exports `link`, a DeviceLink. */
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'none' };

export interface LoadTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly link: LinkKind;
  /** Name under which the service reaches this machine; for services on the same machine unless given. */
  readonly callbackHost?: string | undefined;
}

export interface ShardOrder {
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly shard: Shard;
  readonly runId: string;
  readonly target: LoadTarget;
  readonly calibrates: boolean;
}

export type ToShard =
  | { readonly type: 'begin'; readonly order: ShardOrder }
  /** On the scale of machineMicroseconds. */
  | { readonly type: 'go'; readonly atUs: number }
  | { readonly type: 'stop' }
  | { readonly type: 'halt' };

export type FromShard =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: ShardProgress }
  | { readonly type: 'result'; readonly result: ShardResult }
  | { readonly type: 'failed'; readonly failure: ShardFailure };

/** An error, as one process can tell another. */
export interface ShardFailure {
  readonly kind: 'usage' | 'unreachable' | 'harness';
  readonly message: string;
  readonly nextStep: string;
}
