/**
 * Coordinator: finds workers for a run, starts them together, watches them, and collects their records.
 *
 *   announce ─► N joined ─► shards offered ─► N ready ═ go ═► watch ─► records, findings
 *                              │ too few, or a problem        │ a worker lost: named, and its shard missing
 *                              └─► no traffic is sent         └ interrupted: drain, then stop
 *
 * Every decision is stored, so that another coordinator can resume where one died. No shard is handed out twice: a
 * lost one is reported.
 */

import { usageError } from '../../common/actionable-error.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import { gatherWorkers, type FleetOrder } from './join.ts';
import { RunStore } from '../nats/run-store.ts';
import { HEARTBEAT_EVERY_MS, HEARTBEAT_LASTS_MS } from '../nats/heartbeat.ts';
import { Watch, type CoordinatorOptions, type ShardEnd } from './watch.ts';

/**
 * A run from its announcement to its records.
 *
 * @throws ActionableError when too few workers join, or one of them cannot play its shard: then no traffic was sent
 */
export async function coordinate(order: FleetOrder, options: CoordinatorOptions): Promise<readonly ShardEnd[]> {
  const store = await RunStore.create(options.connection, { ...order, clock: options.clock });
  try {
    await store.putFile('bundle', order.bundle);
    await store.put('order', { workers: order.workers });
    await gatherWorkers(order, store, options);
    return await new Watch(order.workers, store, options).run();
  } finally {
    await store.destroy();
  }
}

/**
 * Resumes watching a run whose coordinator died.
 *
 * @throws ActionableError when there is no such run, it never started, or another coordinator still watches it
 */
export async function resume(runId: string, options: CoordinatorOptions): Promise<readonly ShardEnd[]> {
  const store = await RunStore.open(options.connection, runId, options.clock).catch(() => {
    throw usageError(`there is no run ${runId}`, 'It may have ended; its report was written then.');
  });
  if (await staysAlive(store, options.clock)) {
    throw usageError(`another coordinator is watching run ${runId}`, 'Wait for its end.');
  }
  const order = await store.get<{ workers: number }>('order');
  try {
    if (!order || (await store.get('go')) === undefined) {
      throw usageError(`run ${runId} had not started`, 'Start it again.');
    }
    return await new Watch(order.workers, store, options).run();
  } finally {
    await store.destroy();
  }
}

/** Whether another coordinator is alive: the last heartbeat of one that died counts for a while. */
async function staysAlive(store: RunStore, clock: Clock): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < 2 * HEARTBEAT_LASTS_MS; waitedMs += HEARTBEAT_EVERY_MS) {
    if (!(await store.isAlive('coordinator'))) return false;
    await sleep(clock, HEARTBEAT_EVERY_MS);
  }
  return true;
}
