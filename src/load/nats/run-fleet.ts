/**
 * Runs a load on the machines that join: bundles the plan, lets the coordinator place it, and makes one
 * record of what comes back.
 */

import { readFile } from 'node:fs/promises';

import type { NatsConnection } from '@nats-io/transport-node';

import { ActionableError } from '../../common/actionable-error.ts';
import { systemClock } from '../../common/clock.ts';
import { judgeLoad } from '../judge-load.ts';
import { planLoad } from '../load-plan.ts';
import type { WorkerRecord } from '../load-record.ts';
import type { LoadScenario } from '../load-scenario.ts';
import { mergeLoadRecords } from '../merge.ts';
import type { LoadResult } from '../run-load.ts';
import type { Permission } from '../permission.ts';
import type { ShardProgress } from '../run-shard.ts';
import type { LoadTarget } from '../shard-messages.ts';
import { coordinate, resume } from './coordinator.ts';
import { resultOf, type LoadBundle, type LoadSecrets } from './load-work.ts';
import type { FleetParts, ShardEnd } from './watch.ts';

export interface FleetRunOptions {
  readonly connection: NatsConnection;
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly target: LoadTarget;
  readonly permission: Permission;
  readonly runId: string;
  readonly version: string;
  readonly workers: number;
  /** Whether each worker measures itself against the null service first. */
  readonly calibrates: boolean;
  readonly tags: readonly string[];
  /** How long to wait for workers. */
  readonly waitMs: number;
  readonly deadManMs: number;
  readonly tell: (line: string) => void;
  readonly onProgress: (progress: ShardProgress) => void;
  /** Ends it in order. */
  readonly stop: AbortSignal;
  /** Ends it at once. */
  readonly halt: AbortSignal;
}

/** What a run that goes on has in its bundle. */
type NewRun = 'scenario' | 'seed' | 'target' | 'calibrates';

/** What a coordinator that died leaves is kept for longer than the run could last. */
const KEPT_AFTER_MS = 3_600_000;

/** @throws ActionableError when it could not begin, or no worker has a result */
export async function runFleet(options: FleetRunOptions): Promise<LoadResult> {
  const { scenario, seed, target, permission, runId, version, workers, calibrates, tags, waitMs } = options;
  const { apiKey, ...rest } = target;
  const plan = planLoad(scenario, seed);
  const bundle: LoadBundle = {
    scenario,
    seed,
    planHash: plan.hash,
    runId,
    shards: workers,
    calibrates,
    target: rest,
    files: await filesOf(scenario),
  };
  const secrets: LoadSecrets = { apiKey, permission };
  const ends = await coordinate(
    {
      runId,
      title: scenario.title,
      version,
      workers,
      tags,
      bundle: Buffer.from(JSON.stringify(bundle)),
      secrets,
      waitMs,
      keepMs: plan.estimate.durationMs + scenario.drainMs + KEPT_AFTER_MS,
    },
    partsOf(options),
  );
  return resultOfAll(ends);
}

/** Goes on with a run whose coordinator died. @throws ActionableError when there is none to go on with */
export async function resumeFleet(options: Omit<FleetRunOptions, NewRun>): Promise<LoadResult> {
  return resultOfAll(await resume(options.runId, partsOf(options)));
}

function partsOf(options: Omit<FleetRunOptions, NewRun>): FleetParts {
  const { connection, deadManMs, tell, stop, halt } = options;
  return {
    connection,
    clock: systemClock,
    deadManMs,
    tell,
    onProgress: (_, progress) => options.onProgress(progress as ShardProgress),
    drain: stop,
    stop: halt,
  };
}

/** Files that the documents are read from: workers have other disks. */
async function filesOf({ documents }: LoadScenario): Promise<Readonly<Record<string, string>>> {
  const paths = documents.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : []));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, (await readFile(path)).toString('base64')] as const)),
  );
}

function resultOfAll(ends: readonly ShardEnd[]): LoadResult {
  const parts = ends.flatMap(({ record }) => (record ? [resultOf(record)] : []));
  const findings = ends.flatMap(({ finding }) => (finding === '' ? [] : [finding]));
  if (parts.length === 0) {
    throw new ActionableError(
      'harness',
      `no worker handed in a record: ${findings.join('; ')}`,
      'See what the workers say.',
    );
  }
  const record = mergeLoadRecords(parts);
  return { record: judgeLoad({ ...record, workers: ends.map(workerOf) }), parts };
}

function workerOf({ shard, ready, startLateMs, finding, lostAtMs }: ShardEnd): WorkerRecord {
  return {
    shard,
    name: ready?.worker ?? '',
    clockOffsetMs: ready?.clock.offsetMs ?? null,
    roundTripMs: ready?.clock.roundTripMs ?? null,
    startLateMs: startLateMs ?? null,
    finding,
    ...(lostAtMs !== undefined && { lostAtMs }),
  };
}
