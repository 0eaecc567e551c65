/**
 * Runs a load: its shards in processes of their own, started at one instant, their records added up.
 *
 *   plan ─► shard processes ─► all ready ─► go ══ progress ══► results ─► merge ─► verdict
 *
 * It is the same for one process or several, for the whole plan or this machine's part of it. When a process dies,
 * the run is incomplete and the others go on.
 */

import { addAbortListener } from 'node:events';

import { ActionableError } from '../common/actionable-error.ts';
import { sleep, systemClock, type Timer } from '../common/clock.ts';
import { machineMicroseconds } from '../common/stopwatch.ts';
import type { LoadRecord } from '../record/load-record.ts';
import { mergeLoadRecords } from './merge.ts';
import { ensurePermission, watchPermission, type Permission } from './permission.ts';
import type { KillableService } from './room/chaos.ts';
import type { ShardResult } from './shard/run-shard.ts';
import { ShardChild } from './shard/shard-child.ts';
import type { ShardOrder } from './shard/shard-messages.ts';
import type { ShardProgress } from './shard/shard-monitor.ts';
import { watchServiceMemory, type MemoryWatch } from './service-memory.ts';
import { judgeLoad } from './verdict/judge-load.ts';

/** `shard` is this machine's part of the plan. */
export interface RunLoadOptions extends ShardOrder {
  readonly permission: Permission;
  /** On this machine. */
  readonly processes: number;
  /** The reason for that number; in the record. */
  readonly processesBecause?: string | undefined;
  /** Milliseconds since the epoch, for several machines to start together; as soon as all are ready unless given. */
  readonly startAtMs?: number | undefined;
  readonly service?: KillableService | undefined;
  /** Ends it in order. */
  readonly stop: AbortSignal;
  /** Ends it at once. */
  readonly halt: AbortSignal;
  readonly onProgress?: ((progress: ShardProgress) => void) | undefined;
}

export interface LoadResult {
  readonly record: LoadRecord;
  /** The results of the shards that ran here. */
  readonly parts: readonly ShardResult[];
}

/** Time for `go` to reach every process. */
const GO_MS = 100;
/** How long processes may take to end after a halt. */
const HALT_LIMIT_MS = 15_000;

/** @throws ActionableError when it could not begin, or no shard has a result */
export async function runLoad(options: RunLoadOptions): Promise<LoadResult> {
  const { target, permission, halt, stop } = options;
  await ensurePermission(target.baseUrl, permission);
  let withdrawn: string | undefined;
  let killing: Timer | undefined;
  let chaos: readonly Timer[] = [];
  let memory: MemoryWatch | undefined;
  const tell = (type: 'stop' | 'halt') => (): void => {
    for (const child of children) child.say({ type });
  };
  const onProgress = (progress: ShardProgress): void => {
    if (progress.abortedBy !== null) tell('stop')();
    options.onProgress?.(progress);
  };
  const children = orders(options).map((order) => new ShardChild(order, onProgress));
  const listeners = [
    addAbortListener(stop, tell('stop')),
    addAbortListener(halt, () => {
      tell('halt')();
      killing = systemClock.schedule(HALT_LIMIT_MS, () => {
        for (const child of children) child.kill();
      });
    }),
  ];
  const watch = watchPermission(target.baseUrl, permission, (reason) => {
    withdrawn = reason;
    tell('halt')();
  });
  try {
    await Promise.all(children.map(({ ready }) => ready));
    const startUs = startOf(options.startAtMs);
    for (const child of children) child.say({ type: 'go', atUs: startUs });
    chaos = scheduleKills(options, startUs);
    memory = watchServiceMemory(target.baseUrl);
    const results = await Promise.all(children.map(({ result }) => result));
    const { record, parts } = merged(
      results.filter((result) => result !== undefined),
      withdrawn,
    );
    const machine = { ...record.machine, ...processesOf(options) };
    const serviceMemory = memory.end();
    return { record: judgeLoad({ ...record, machine, ...(serviceMemory && { serviceMemory }) }), parts };
  } catch (error) {
    tell('halt')();
    await Promise.allSettled(children.map(({ result }) => result));
    throw error;
  } finally {
    memory?.end();
    for (const timer of [watch, killing, ...chaos]) timer?.cancel();
    for (const listener of listeners) listener[Symbol.dispose]();
  }
}

/** Each process takes a part of this machine's part. */
function orders(options: RunLoadOptions): readonly ShardOrder[] {
  const { scenario, seed, target, runId, shard, processes, calibrates } = options;
  return Array.from({ length: processes }, (_, process) => ({
    scenario,
    seed,
    target,
    runId,
    shard: { index: shard.index + shard.count * process, count: shard.count * processes },
    // Several calibrations at the same time would disturb each other.
    calibrates: calibrates && process === 0,
  }));
}

function processesOf({ processes: count, processesBecause: because }: RunLoadOptions): Partial<LoadRecord['machine']> {
  return because === undefined ? {} : { processes: { count, because } };
}

function startOf(startAtMs: number | undefined): number {
  const inMs = startAtMs === undefined ? GO_MS : startAtMs - systemClock.now();
  return machineMicroseconds() + Math.max(GO_MS, inMs) * 1_000;
}

/** All shards share the service, so it is killed here and not by each of them. */
function scheduleKills({ scenario, service, stop }: RunLoadOptions, startUs: number): readonly Timer[] {
  if (!service) return [];
  const untilStartMs = (startUs - machineMicroseconds()) / 1_000;
  return scenario.chaos
    .filter(({ what }) => what === 'service-killed')
    .map(({ atMs, forMs }) =>
      systemClock.schedule(untilStartMs + atMs, () => {
        if (!stop.aborted) void killAndRestart(service, forMs);
      }),
    );
}

async function killAndRestart(service: KillableService, forMs: number): Promise<void> {
  await service.kill();
  await sleep(systemClock, forMs);
  await service.restart();
}

function merged(parts: readonly ShardResult[], withdrawn: string | undefined): LoadResult {
  if (parts.length === 0) {
    throw new ActionableError(
      'harness',
      'every process of the load ended without a result',
      'See their messages above.',
    );
  }
  const record = mergeLoadRecords(parts);
  if (withdrawn === undefined) return { record, parts };
  return { record: judgeLoad({ ...record, ending: 'aborted', abortedBy: withdrawn }), parts };
}
