/**
 * The work of a worker: a shard of a load, in a process of its own, as a run on one machine has it.
 *
 *   bundle (scenario with its documents, target, plan hash) ─► shard process ─► ready ─► go ─► record
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { systemClock } from '../../common/clock.ts';
import { machineMicroseconds } from '../../common/stopwatch.ts';
import { ensurePermission } from '../permission.ts';
import { planLoad } from '../plan/load-plan.ts';
import type { ShardResult } from '../shard/run-shard.ts';
import type { ShardProgress } from '../shard/shard-monitor.ts';
import { ShardChild } from '../shard/shard-child.ts';
import { localDocuments, readBundle, type LoadSecrets } from './load-bundle.ts';
import type { PreparedShard, ShardWork, WorkOrder, WorkStart } from './shard-work.ts';

/**
 * Plays shards of loads in processes of this machine.
 *
 * @param callbackHost - name under which the service reaches it; for services on the same machine unless given
 */
export function loadWork(callbackHost: string | undefined): ShardWork {
  return {
    async prepare(order) {
      const folder = await mkdtemp(path.join(tmpdir(), 'platen-shard-'));
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
      try {
        return await prepareIn(folder, order, callbackHost, remove);
      } catch (error) {
        await remove();
        throw error;
      }
    },
  };
}

/** The result of a shard as bytes, and back. */
export function resultOf(record: Uint8Array): ShardResult {
  return deserialize(record) as ShardResult;
}

async function prepareIn(
  folder: string,
  { shard, bundle, secrets }: WorkOrder,
  callbackHost: string | undefined,
  remove: () => Promise<void>,
): Promise<PreparedShard> {
  const order = readBundle(bundle);
  const { apiKey, permission } = secrets as LoadSecrets;
  const { scenario, seed, planHash, target, runId, shards, calibrates } = order;
  const { hash } = planLoad(scenario, seed);
  if (hash !== planHash) throw new Error(`its plan of the scenario differs: ${hash}, not ${planHash}`);
  await ensurePermission(target.baseUrl, permission);
  let tell: ((progress: ShardProgress) => void) | undefined;
  const child = new ShardChild(
    {
      scenario: { ...scenario, documents: await localDocuments(order, folder) },
      seed,
      runId,
      target: { ...target, apiKey, callbackHost },
      shard: { index: shard, count: shards },
      calibrates,
    },
    (progress) => tell?.(progress),
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
  const onDrain = (): void => child.say({ type: 'stop' });
  const onStop = (): void => child.say({ type: 'halt' });
  drain.addEventListener('abort', onDrain, { once: true });
  stop.addEventListener('abort', onStop, { once: true });
  try {
    const result = await child.result;
    if (result) return result;
    throw new Error('its process ended without a result');
  } finally {
    start.cancel();
    drain.removeEventListener('abort', onDrain);
    stop.removeEventListener('abort', onStop);
  }
}
