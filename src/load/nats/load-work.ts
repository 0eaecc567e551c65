/**
 * The work of a worker: a shard of a load, in a process of its own, as a run on one machine has it.
 *
 *   bundle (scenario with its documents, target, plan hash) ─► shard process ─► ready ─► go ─► record
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { systemClock } from '../../common/clock.ts';
import { machineMicroseconds } from '../../common/stopwatch.ts';
import { planLoad } from '../load-plan.ts';
import type { LoadDocument, LoadScenario } from '../load-scenario.ts';
import { ensurePermission, type Permission } from '../permission.ts';
import type { ShardProgress, ShardResult } from '../run-shard.ts';
import { ShardChild } from '../shard-child.ts';
import type { LoadTarget } from '../shard-messages.ts';
import type { PreparedShard, ShardOrder, ShardRun, ShardWork } from './worker.ts';

/** What all workers of a run are given; as JSON. */
export interface LoadBundle {
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly planHash: string;
  readonly runId: string;
  readonly shards: number;
  readonly calibrates: boolean;
  /** Without its key. */
  readonly target: Omit<LoadTarget, 'apiKey'>;
  /** Documents that are files, in base64 by their path. */
  readonly files: Readonly<Record<string, string>>;
}

/** What is told and not stored. */
export interface LoadSecrets {
  readonly apiKey: string;
  readonly permission: Permission;
}

/** Plays shards of loads in processes of this machine. */
export const LOAD_WORK: ShardWork = {
  async prepare(order) {
    const folder = await mkdtemp(path.join(tmpdir(), 'platen-shard-'));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    try {
      return await prepareIn(folder, order, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  },
};

/** The result of a shard as bytes, and back. */
export function resultOf(record: Uint8Array): ShardResult {
  return deserialize(record) as ShardResult;
}

async function prepareIn(
  folder: string,
  { shard, bundle, secrets }: ShardOrder,
  remove: () => Promise<void>,
): Promise<PreparedShard> {
  const order = JSON.parse(Buffer.from(bundle).toString('utf8')) as LoadBundle;
  const { apiKey, permission } = secrets as LoadSecrets;
  const { scenario, seed, planHash, target, runId, shards, calibrates } = order;
  const { hash } = planLoad(scenario, seed);
  if (hash !== planHash) throw new Error(`it makes another plan of the scenario: ${hash}, not ${planHash}`);
  await ensurePermission(target.baseUrl, permission);
  let tell: ((progress: ShardProgress) => void) | undefined;
  const child = new ShardChild(
    {
      scenario: { ...scenario, documents: await localDocuments(scenario.documents, order, folder) },
      seed,
      runId,
      target: { ...target, apiKey },
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

async function play(child: ShardChild, { startAtMs, drain, stop, onStart }: ShardRun): Promise<ShardResult> {
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

/** The documents of the scenario, those that are files lying in the folder now. */
function localDocuments(
  documents: readonly LoadDocument[],
  { files }: LoadBundle,
  folder: string,
): Promise<readonly LoadDocument[]> {
  return Promise.all(
    documents.map(async (document, index) => {
      if (document.source.kind !== 'file') return document;
      const file = path.join(folder, String(index));
      await writeFile(file, Buffer.from(files[document.source.path] ?? '', 'base64'));
      return { ...document, source: { ...document.source, path: file } };
    }),
  );
}
