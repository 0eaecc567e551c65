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
import { localDocuments, readBundle, readSecrets, type LoadBundle } from './load-bundle.ts';
import type { PreparedShard, ShardWork, WorkOrder, WorkStart } from './shard-work.ts';

/** What the command line of a worker says, and no coordinator can. */
export interface LoadWorkOptions {
  /** Name under which the service reaches this machine; needed unless it runs on the same one. */
  readonly callbackHost?: string | undefined;
  /** The module of a link, for runs that have one. */
  readonly link?: string | undefined;
  /** Shows how far each shard has come. */
  readonly metrics?: LiveMetrics | undefined;
}

/** Plays shards of loads in processes of this machine. */
export function loadWork(options: LoadWorkOptions): ShardWork {
  return {
    async prepare(order) {
      const folder = await mkdtemp(path.join(tmpdir(), 'platen-shard-'));
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
      try {
        return await prepareIn(folder, order, { ...options, remove });
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

interface ShardPlace extends LoadWorkOptions {
  readonly remove: () => Promise<void>;
}

async function prepareIn(
  folder: string,
  { shard, bundle, secrets }: WorkOrder,
  { callbackHost, link, metrics, remove }: ShardPlace,
): Promise<PreparedShard> {
  const load = readBundle(bundle);
  const { apiKey, permission } = readSecrets(secrets);
  const { scenario, seed, target, runId, shards: count, calibrates } = load;
  const ownLink = linkOf(target.link, link);
  await ensurePermission(target.baseUrl, permission);
  metrics?.begin({ run: runId, title: scenario.title });
  let tell: ((progress: ShardProgress) => void) | undefined;
  const child = new ShardChild(
    {
      scenario: { ...scenario, documents: await localDocuments(load, folder) },
      seed,
      runId,
      target: { ...target, link: ownLink, apiKey, callbackHost },
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

/** A message may name a file of this machine, which is no reason to load it. @throws Error without one of its own */
function linkOf(wanted: LoadBundle['target']['link'], own: string | undefined): LoadBundle['target']['link'] {
  if (wanted.kind !== 'module') return wanted;
  if (own === undefined) throw new Error('the run has a link of its own: start this worker with --link MODULE');
  return { kind: 'module', file: own };
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
