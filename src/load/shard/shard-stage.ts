/**
 * Shard stage: what a shard needs beside its requests: the room that prints, and the receivers of its webhooks.
 * run-shard.ts works with these ports; load-room.ts and webhook-desk.ts are what stands behind them.
 */

import type { FaultPlan } from '../../common/fault-plan.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { WebhookAccount } from '../../oracle/webhook-account.ts';
import type { ChaosEventRecord, WebhookTotals } from '../../record/load-record.ts';
import type { Recorder } from '../measure/recorder.ts';
import type { LoadPlan, Shard } from '../plan/load-plan.ts';
import type { KillableService } from '../room/chaos.ts';
import type { RoomPrinter } from '../room/printer-ids.ts';
import type { ControlClient } from '../traffic/control-client.ts';
import type { PreparedDocument } from '../traffic/documents.ts';
import type { LoadAccount } from '../traffic/load-account.ts';

export interface StageParts {
  readonly plan: LoadPlan;
  readonly shard: Shard;
  readonly serviceUrl: string;
  /** Those of the shard, by their number in the plan. */
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  readonly documents: readonly PreparedDocument[];
  readonly ledger: Ledger;
  readonly recorder: Recorder;
  /** Microseconds since the start of the run; negative before it. */
  readonly sinceStartUs: () => number;
  readonly signal: AbortSignal;
}

export interface RoomStageParts extends StageParts {
  readonly link: DeviceLink;
  /** Where the receivers' account of events is kept: the room tells it what causes them. */
  readonly webhooks: WebhookAccount | undefined;
  /** What goes wrong at its computers, by rules. */
  readonly faults: FaultPlan | undefined;
  /** The service, where this process may kill it. */
  readonly service: KillableService | undefined;
}

export interface WebhookStageParts extends StageParts {
  readonly client: ControlClient;
  /** Name under which the service reaches this machine; the receivers listen on loopback alone unless given. */
  readonly callbackHost: string | undefined;
  readonly webhooks: WebhookAccount;
}

export interface LoadRoom {
  readonly printers: readonly RoomPrinter[];
  /** Computers that are connected now. */
  readonly connected: number;
  /** What people do and what goes wrong, from the start of the run; resolves when all of it has happened. */
  live(signal: AbortSignal): Promise<void>;
  /** Those that have happened so far. */
  readonly disasters: readonly ChaosEventRecord[];
  /** Whether all of them are got over. */
  readonly isBack: boolean;
  /** Lets nothing more go wrong, and mends what is broken: what waits in front of it can come out. */
  drain(): void;
  close(): Promise<void>;
}

export interface WebhookReceivers {
  /** Whether every event that must come has come, or been given up lawfully. */
  isSettled(): boolean;
  /** The account of all events, held against the service's own counters. */
  reconcile(): Promise<WebhookTotals>;
  /** Deletes the webhooks and ends the receivers. */
  close(): Promise<void>;
}

export interface ShardStage {
  /** Resolves when every computer of the shard is connected and has reported its printers. */
  readonly openRoom: (parts: RoomStageParts) => Promise<LoadRoom>;
  /** Makes a webhook in each account of the shard. */
  readonly openWebhooks: (parts: WebhookStageParts) => Promise<WebhookReceivers>;
}
