/**
 * Runs a load on the machines that join: bundles the plan, lets the coordinator place it, and merges the records.
 */

import { ActionableError, usageError } from '../common/actionable-error.ts';
import type { WorkerRecord } from '../record/load-record.ts';
import { mergeLoadRecords } from './merge.ts';
import { coordinate, resume } from './workers/coordinator.ts';
import { bundleBytes, type LoadSecrets } from './workers/load-bundle.ts';
import { resultOf } from './workers/load-work.ts';
import type { FleetOrder } from './workers/join.ts';
import type { CoordinatorOptions, ShardEnd } from './workers/watch.ts';
import type { Permission } from './permission.ts';
import { planLoad } from './plan/load-plan.ts';
import type { LoadResult } from './run-load.ts';
import type { ShardOrder } from './shard/shard-messages.ts';
import { judgeLoad } from './verdict/judge-load.ts';

export interface FleetRun
  extends Pick<FleetOrder, 'runId' | 'version' | 'workers' | 'tags' | 'waitMs'>, Omit<ShardOrder, 'shard'> {
  readonly permission: Permission;
}

/** The data outlives a coordinator that died by more than the run could last. */
const KEPT_AFTER_MS = 3_600_000;

/** @throws ActionableError when it could not begin, or no worker has a result */
export async function runFleet(run: FleetRun, parts: CoordinatorOptions): Promise<LoadResult> {
  const { scenario, seed, target, permission, calibrates, ...placing } = run;
  const { apiKey, link, ...keyless } = target;
  if (link.kind === 'client') {
    throw usageError(
      'a client program runs beside the CUPS of this machine, and workers are other machines',
      'Omit --workers, or name the link of the service with --link.',
    );
  }
  const { hash: planHash, estimate } = planLoad(scenario, seed);
  const { runId, workers: shards } = placing;
  const secrets: LoadSecrets = { apiKey, permission };
  const bundle = { scenario, seed, planHash, runId, shards, calibrates, target: { ...keyless, link } };
  const order: FleetOrder = {
    ...placing,
    title: scenario.title,
    bundle: bundleBytes(bundle),
    secrets,
    keepMs: estimate.durationMs + scenario.drainMs + KEPT_AFTER_MS,
  };
  return resultOfAll(await coordinate(order, parts));
}

/** Resumes a run whose coordinator died. @throws ActionableError when there is no such run */
export async function resumeFleet(runId: string, parts: CoordinatorOptions): Promise<LoadResult> {
  return resultOfAll(await resume(runId, parts));
}

function resultOfAll(ends: readonly ShardEnd[]): LoadResult {
  const parts = ends.flatMap(({ record }) => (record ? [resultOf(record)] : []));
  const findings = ends.flatMap(({ finding }) => (finding === '' ? [] : [finding]));
  if (parts.length === 0) {
    throw new ActionableError(
      'harness',
      `no worker stored a record: ${findings.join('; ')}`,
      'See the messages of the workers.',
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
