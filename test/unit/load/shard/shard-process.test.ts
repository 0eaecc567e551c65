import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { machineMicroseconds } from '../../../../src/common/stopwatch.ts';
import { within } from '../../../../src/common/waiter.ts';
import type { LoadScenario } from '../../../../src/load/plan/load-scenario.ts';
import type { FromShard, ToShard } from '../../../../src/load/shard/shard-messages.ts';
import { embeddedTarget } from '../../../../src/targets/embedded.ts';
import { loadScenario } from '../../../support/load-scenario.ts';

const MODULE = fileURLToPath(new URL('../../../../src/load/shard/shard-process.ts', import.meta.url));

describe('a shard process', () => {
  it('ends and deletes its accounts when its parent is gone before the start', async () => {
    const target = await embeddedTarget({ clock: 'real' });
    onTestFinished(() => target.close());
    const shard = begin(target);
    await heard(shard, 'ready');
    expect(await accountsOf(target)).toBe(2);
    shard.disconnect();
    await within(once(shard, 'exit'), { description: 'the end of the shard', limit: '10s' });
    expect(await accountsOf(target)).toBe(0);
  }, 30_000);

  it('gives its record when it is halted before the start', async () => {
    const target = await embeddedTarget({ clock: 'real' });
    onTestFinished(() => target.close());
    const shard = begin(target);
    await heard(shard, 'ready');
    shard.send({ type: 'halt' } satisfies ToShard);
    const { result } = await heard(shard, 'result');
    expect(result.record).toMatchObject({ ending: 'interrupted', ledger: { totals: { intents: 0 } } });
  }, 30_000);

  it('gives its record, and ends, when it is stopped while its computers connect', async () => {
    const target = await embeddedTarget({ clock: 'real' });
    onTestFinished(() => target.close());
    const shard = begin(target, { connectRate: 0.01 });
    await heard(shard, 'progress', ({ progress }) => progress.phase === 'connecting');
    shard.send({ type: 'stop' } satisfies ToShard);
    await heard(shard, 'ready');
    shard.send({ type: 'go', atUs: machineMicroseconds() } satisfies ToShard);
    const { result } = await heard(shard, 'result');
    expect(result.record).toMatchObject({ ending: 'interrupted', ledger: { totals: { intents: 0 } } });
    await within(once(shard, 'exit'), { description: 'the end of the shard', limit: '10s' });
  }, 30_000);

  it('ends when its parent is gone while its computers connect', async () => {
    const target = await embeddedTarget({ clock: 'real' });
    onTestFinished(() => target.close());
    const shard = begin(target, { connectRate: 0.01 });
    await heard(shard, 'progress', ({ progress }) => progress.phase === 'connecting');
    shard.disconnect();
    await within(once(shard, 'exit'), { description: 'the end of the shard', limit: '10s' });
    expect(await accountsOf(target)).toBe(0);
  }, 30_000);
});

type Target = Awaited<ReturnType<typeof embeddedTarget>>;

function begin({ baseUrl, apiKey }: Target, changes: Partial<LoadScenario> = {}): ChildProcess {
  const shard = fork(MODULE, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => {
    shard.kill('SIGKILL');
  });
  const order = {
    scenario: loadScenario({ accounts: 2, ...changes }),
    seed: 1,
    shard: { index: 1, count: 1 },
    runId: 'test',
    target: { name: 'test', baseUrl, apiKey, link: { kind: 'websocket' } },
    calibrates: false,
  } as const;
  shard.send({ type: 'begin', order } satisfies ToShard);
  return shard;
}

function heard<Type extends FromShard['type']>(
  shard: ChildProcess,
  type: Type,
  fits: (message: Extract<FromShard, { type: Type }>) => boolean = () => true,
): Promise<Extract<FromShard, { type: Type }>> {
  const { promise, resolve } = Promise.withResolvers<Extract<FromShard, { type: Type }>>();
  shard.on('message', (message: FromShard) => {
    if (isOfType(message, type) && fits(message)) resolve(message);
  });
  return within(promise, { description: `${type} of the shard`, limit: '20s' });
}

function isOfType<Type extends FromShard['type']>(
  message: FromShard,
  type: Type,
): message is Extract<FromShard, { type: Type }> {
  return message.type === type;
}

async function accountsOf({ baseUrl, apiKey }: Target): Promise<number> {
  const answer = await fetch(`${baseUrl}/account/controllable`, {
    headers: { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` },
  });
  return ((await answer.json()) as readonly unknown[]).length;
}
