/**
 * The work of a worker: plays a shard of a load in a process of its own, as a run on one machine does.
 *
 *   bundle (scenario with its documents, target, plan hash) ─► shard process ─► ready ─► go ─► record
 */

import { addAbortListener } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { z } from 'zod';

import { systemClock } from '../../common/clock.ts';
import { machineMicroseconds } from '../../common/stopwatch.ts';
import { loadRecord } from '../../record/load-record.ts';
import type { LiveMetrics } from '../metrics/live-metrics.ts';
import { ensurePermission } from '../permission.ts';
import type { ShardResult } from '../shard/run-shard.ts';
import type { ShardProgress } from '../shard/shard-monitor.ts';
import { ShardChild } from '../shard/shard-child.ts';
import { localDocuments, readBundle, readSecrets } from './load-bundle.ts';
import type { PreparedShard, ShardWork, WorkOrder, WorkStart } from './shard-work.ts';

/**
 * Plays shards of loads in processes of this machine.
 *
 * @param callbackHost - name under which the service reaches this machine; needed unless it runs on the same one
 * @param metrics - shows how far each shard has come
 */
export function loadWork(callbackHost: string | undefined, metrics?: LiveMetrics): ShardWork {
  return {
    async prepare(order) {
      const folder = await mkdtemp(path.join(tmpdir(), 'platen-shard-'));
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
      try {
        return await prepareIn(folder, order, { callbackHost, metrics, remove });
      } catch (error) {
        await remove();
        throw error;
      }
    },
  };
}

const resultSchema = z.object({ record: loadRecord, ledger: z.instanceof(Uint8Array) });

/** The result of a shard from its bytes. @throws Error when they are not those of a result */
export function resultOf(bytes: Uint8Array): ShardResult {
  return resultSchema.parse(deserialize(bytes));
}

interface ShardPlace {
  readonly callbackHost: string | undefined;
  readonly metrics: LiveMetrics | undefined;
  readonly remove: () => Promise<void>;
}

async function prepareIn(
  folder: string,
  { shard, bundle, secrets }: WorkOrder,
  { callbackHost, metrics, remove }: ShardPlace,
): Promise<PreparedShard> {
  const load = readBundle(bundle);
  const { apiKey, permission } = readSecrets(secrets);
  const { scenario, seed, target, runId, shards: count, calibrates } = load;
  await ensurePermission(target.baseUrl, permission);
  metrics?.begin({ run: runId, title: scenario.title });
  let tell: ((progress: ShardProgress) => void) | undefined;
  const child = new ShardChild(
    {
      scenario: { ...scenario, documents: await localDocuments(load, folder) },
      seed,
      runId,
      target: { ...target, apiKey, callbackHost },
      shard: { index: shard, count },
      calibrates,
    },
    (progress) => {
      metrics?.take(progress);
      tell?.(progress);
    },
  );
  await child.ready;
  return {
    async run(run) {
      tell = run.onProgress;
      try {
        return serialize(await play(child, run));
      } finally {
        await remove();
      }
    },
    async abandon() {
      child.say({ type: 'halt' });
      await child.result.catch(() => undefined);
      await remove();
    },
  };
}

async function play(child: ShardChild, { startAtMs, drain, stop, onStart }: WorkStart): Promise<ShardResult> {
  const inMs = startAtMs - systemClock.now();
  child.say({ type: 'go', atUs: machineMicroseconds() + inMs * 1_000 });
  const start = systemClock.schedule(inMs, onStart);
  const listeners = [
    addAbortListener(drain, () => child.say({ type: 'stop' })),
    addAbortListener(stop, () => child.say({ type: 'halt' })),
  ];
  try {
    const result = await child.result;
    if (result) return result;
    throw new Error('its process ended without a result');
  } finally {
    start.cancel();
    for (const listener of listeners) listener[Symbol.dispose]();
  }
}
