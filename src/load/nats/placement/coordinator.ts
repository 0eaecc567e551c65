/**
 * Coordinator: finds workers for a run, starts them together, watches them, and collects their records.
 *
 *   announce ─► N joined ─► shards offered ─► N ready ═ go ═► watch ─► records, findings
 *                              │ too few, or a problem        │ a worker lost: named, and its shard missing
 *                              └─► nothing is sent at all     └ interrupted: drain, then stop
 *
 * Everything it decides stands in the store, so that another one can go on where it died. No shard is
 * handed out twice: what is lost is a finding.
 */

import { ActionableError } from '../../../common/actionable-error.ts';
import { sleep, type Clock } from '../../../common/clock.ts';
import { muster, type FleetOrder } from './muster.ts';
import { RunStore } from '../run-store.ts';
import { SIGN_EVERY_MS, SIGN_LASTS_MS } from '../signs-of-life.ts';
import { Watch, type FleetParts, type ShardEnd } from '../watch.ts';

/**
 * A run from its announcement to its records.
 *
 * @throws ActionableError when there are too few workers, or one of them cannot play its shard: then
 *   nothing was sent to the target
 */
export async function coordinate(order: FleetOrder, parts: FleetParts): Promise<readonly ShardEnd[]> {
  const store = await RunStore.create(parts.connection, { ...order, clock: parts.clock });
  try {
    await store.putFile('bundle', order.bundle);
    await store.put('order', { workers: order.workers });
    await muster(order, store, parts);
    return await new Watch(order.workers, store, parts).run();
  } finally {
    await store.destroy();
  }
}

/**
 * Goes on watching a run whose coordinator died.
 *
 * @throws ActionableError when there is no such run, it never began, or another one still watches it
 */
export async function resume(runId: string, parts: FleetParts): Promise<readonly ShardEnd[]> {
  const store = await RunStore.open(parts.connection, runId, parts.clock).catch(() => {
    throw new ActionableError(
      'usage',
      `there is no run ${runId}`,
      'It may have ended: its report was written then.',
    );
  });
  if (await staysAlive(store, parts.clock)) {
    throw new ActionableError('usage', `another coordinator watches run ${runId}`, 'Wait for its end.');
  }
  const order = await store.get<{ workers: number }>('order');
  try {
    if (!order || (await store.get('go')) === undefined) {
      throw new ActionableError('usage', `run ${runId} had not begun`, 'Start it anew.');
    }
    return await new Watch(order.workers, store, parts).run();
  } finally {
    await store.destroy();
  }
}

/** Whether somebody still watches: the last sign of one that died lasts a while. */
async function staysAlive(store: RunStore, clock: Clock): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < 2 * SIGN_LASTS_MS; waitedMs += SIGN_EVERY_MS) {
    if (!(await store.isAlive('coordinator'))) return false;
    await sleep(clock, SIGN_EVERY_MS);
  }
  return true;
}
