import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { LoadRecord } from '../../src/load/load-record.ts';
import { platen, startBench, type RunningBench } from '../support/command-line.ts';
import { hasNatsServer, NatsServer } from '../support/nats-server.ts';
import { PlatenProcess, recordIn, SMALL_LOAD, startRun, startWorker } from './support/load-processes.ts';

const LIMIT_MS = 120_000;

describe.runIf(hasNatsServer())('a load on several machines', () => {
  let bench: RunningBench;
  let nats: NatsServer;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-fleet-'));
    bench = await startBench(['--limits', 'off']);
    nats = await NatsServer.start();
  }, LIMIT_MS);

  afterAll(async () => {
    await bench.stop();
    await nats[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'comes to the same as in one process',
    async () => {
      const whole = await one('whole');
      for (const name of ['north', 'south', 'west']) worker(name);
      const out = path.join(folder, 'three');
      const run = watched(startRun({ url: bench.url, natsUrl: nats.url, workers: 3, out }));
      expect(await run.end()).toMatchObject({ code: 0 });
      const three = recordIn(out);
      expect(countsOf(three)).toEqual(countsOf(whole));
      expect(three.ledger.totals.classes).toEqual(whole.ledger.totals.classes);
      expect(three.plan.hash).toBe(whole.plan.hash);
      expect(three.workers?.map(({ name }) => name).toSorted()).toEqual(['north', 'south', 'west']);
    },
    LIMIT_MS,
  );

  it(
    'names a worker that was killed, and is incomplete without it',
    async () => {
      const north = worker('north');
      worker('south');
      const out = path.join(folder, 'lost');
      const run = watched(startRun({ url: bench.url, natsUrl: nats.url, workers: 2, out }));
      await run.heard(/running/);
      await north.kill();
      expect(await run.end()).toMatchObject({ code: 2 });
      const record = recordIn(out);
      expect(record.verdict).toBe('incomplete');
      expect(record.reasons.join()).toMatch(/north was lost with shard [12]: no sign of it for 2s/);
      expect(record.missingShards).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'goes on with a coordinator that comes back',
    async () => {
      for (const name of ['north', 'south']) worker(name);
      const out = path.join(folder, 'resumed');
      const first = startRun({ url: bench.url, natsUrl: nats.url, workers: 2, out });
      const [, runId = ''] = await first.heard(/run (load-\S+): waits/);
      await first.heard(/running/);
      await first.kill();
      const fleet = ['--nats', nats.url, '--resume', runId, '--dead-man', '10s'];
      const second = watched(new PlatenProcess(['run', SMALL_LOAD, bench.url, ...fleet, '--out', out]));
      expect(await second.end()).toMatchObject({ code: 0 });
      expect(recordIn(out)).toMatchObject({ verdict: 'pass', missingShards: [] });
    },
    LIMIT_MS,
  );

  it(
    'says who is missing when too few have joined',
    async () => {
      worker('north');
      const fleet = ['--nats', nats.url, '--workers', '2', '--wait', '3s', '--no-calibration'];
      const alone = await platen(['run', SMALL_LOAD, bench.url, ...fleet]);
      expect(alone).toMatchObject({ code: 70 });
      expect(alone.stderr).toMatch(/[01] of 2 workers were ready after 3s/);
    },
    LIMIT_MS,
  );

  it('keeps neither keys nor documents in the server', async () => {
    const { connect } = await import('@nats-io/transport-node');
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const connection = await connect({ servers: nats.url });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    expect((await manager.getAccountInfo()).streams).toBe(0);
  });

  function worker(name: string): PlatenProcess {
    return watched(startWorker(nats.url, name));
  }

  async function one(name: string): Promise<LoadRecord> {
    const out = path.join(folder, name);
    const run = watched(new PlatenProcess(['run', SMALL_LOAD, bench.url, '--no-calibration', '--out', out]));
    expect(await run.end()).toMatchObject({ code: 0 });
    return recordIn(out);
  }
});

function watched(one: PlatenProcess): PlatenProcess {
  onTestFinished(() => one.kill());
  return one;
}

function countsOf({
  streams,
}: LoadRecord): readonly (readonly [string, LoadRecord['streams'][number]['counts']])[] {
  return streams.map(({ name, counts }) => [name, counts]);
}
