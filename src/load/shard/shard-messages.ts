/**
 * Shard messages, between a run and the processes of its shards.
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

import type { ActionableError } from '../../common/actionable-error.ts';
import type { ClientLinkOptions } from '../../targets/client/client-link.ts';
import type { LoadScenario } from '../plan/load-scenario.ts';
import type { ShardOptions, ShardResult, ShardTarget } from './run-shard.ts';
import type { ShardProgress } from './shard-monitor.ts';

/** How computers reach the service, in a form that can be sent to a process. */
export type LinkKind =
  | { readonly kind: 'websocket' }
  /** A module that exports `link`, a DeviceLink. */
  | { readonly kind: 'module'; readonly file: string }
  /** The client program of the service, beside CUPS. */
  | ({ readonly kind: 'client' } & ClientLinkOptions)
  | { readonly kind: 'none' };

export interface LoadTarget extends Pick<
  ShardTarget,
  'name' | 'baseUrl' | 'apiKey' | 'callbackHost' | 'usePrinter' | 'jobMessages'
> {
  readonly link: LinkKind;
}

export interface ShardOrder extends Pick<ShardOptions, 'shard' | 'runId' | 'calibrates'> {
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly target: LoadTarget;
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

/** An error, in a form that can be sent to a process. */
export type ShardFailure = Pick<ActionableError, 'kind' | 'lines' | 'nextStep'>;
