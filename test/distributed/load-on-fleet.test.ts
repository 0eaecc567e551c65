import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

import type { LoadRecord } from '../../src/record/load-record.ts';
import { platen, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { NatsServer } from '../support/nats-server.ts';
import { PlatenProcess, recordIn, SMALL_LOAD, startRun, startWorker } from './support/load-processes.ts';
import { soon } from '../support/soon.ts';

const LIMIT_MS = 120_000;

// Each has a server of its own, as a waiting worker takes part in any run.
describe.concurrent('a load on several machines', { tags: ['nats-server'] }, () => {
  let workbench: RunningWorkbench;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-fleet-'));
    workbench = await startWorkbench(['--limits', 'off']);
  }, LIMIT_MS);

  afterAll(async () => {
    await workbench.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'comes to the same as in one process',
    async (context) => {
      const { nats, worker, watched } = await scene(context);
      const workers = ['north', 'south', 'west'].map((name) => worker(name));
      const out = path.join(folder, 'three');
      const run = watched(startRun({ url: workbench.url, natsUrl: nats.url, workers: 3, out }));
      const [whole, end] = await Promise.all([one(watched, 'whole'), run.end()]);
      expect(end).toMatchObject({ code: 0 });
      const three = recordIn(out);
      expect(countsOf(three)).toEqual(countsOf(whole));
      expect(three.ledger.totals.classes).toEqual(whole.ledger.totals.classes);
      expect(three.plan.hash).toBe(whole.plan.hash);
      expect(await streamsIn(nats)).toBe(0);
      expect(three.workers?.map(({ name }) => name).toSorted()).toEqual(['north', 'south', 'west']);
      for (const one of workers) expect(await one.end()).toMatchObject({ code: 0 });
    },
    LIMIT_MS,
  );

  it(
    'shows in the metrics of a worker how far its shard has come',
    async (context) => {
      const { nats, watched } = await scene(context);
      const worker = watched(startWorker(nats.url, 'north', undefined, ['--metrics', '0']));
      const [, page = ''] = await worker.heard(/Metrics at (\S+)/);
      const run = watched(
        startRun({ url: workbench.url, natsUrl: nats.url, workers: 1, out: path.join(folder, 'seen') }),
      );
      await soon('jobs in the metrics of the worker', '60s', async () => {
        const text = await (await fetch(page)).text();
        return /^platen_ledger_jobs\{class="delivered-once",shard="1"\} [1-9]/m.exec(text) ?? undefined;
      });
      expect(await run.end()).toMatchObject({ code: 0 });
    },
    LIMIT_MS,
  );

  it(
    'names a worker that was killed, and is incomplete without it',
    async (context) => {
      const { nats, worker, watched } = await scene(context);
      const north = worker('north');
      worker('south');
      const out = path.join(folder, 'lost');
      const run = watched(startRun({ url: workbench.url, natsUrl: nats.url, workers: 2, out }));
      await run.heard(/running/);
      await north.kill();
      expect(await run.end()).toMatchObject({ code: 2 });
      const record = recordIn(out);
      expect(record.verdict).toBe('incomplete');
      expect(record.reasons.join()).toMatch(/north was lost with shard [12]: no heartbeat for 2s/);
      expect(record.missingShards).toHaveLength(1);
      expect(await streamsIn(nats)).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'is complete without a worker whose loss the scenario declares, and tells its jobs',
    async (context) => {
      const { nats, worker, watched } = await scene(context);
      const north = worker('north');
      worker('south');
      const out = path.join(folder, 'declared');
      const file = path.join(folder, 'declared.yaml');
      const declared = 'chaos: [{ at: 0s, what: worker-lost }]';
      writeFileSync(file, `${readFileSync(SMALL_LOAD, 'utf8')}\n${declared}\n`);
      const run = watched(startRun({ url: workbench.url, natsUrl: nats.url, workers: 2, out, file }));
      await run.heard(/running/);
      await north.kill();
      const { code, said } = await run.end();
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(said).toMatch(/\d+ jobs of lost workers are unknown, as declared/);
      const { verdict, missingShards, losses = [], ledger } = recordIn(out);
      expect({ verdict, missingShards }).toEqual({ verdict: 'pass', missingShards: [] });
      expect(losses.map(({ name }) => name)).toEqual(['north']);
      expect(ledger.totals.intents + (losses[0]?.unknownJobs ?? 0)).toBe(120);
    },
    LIMIT_MS,
  );

  it(
    'goes on with a coordinator that comes back',
    async (context) => {
      const { nats, worker, watched } = await scene(context);
      for (const name of ['north', 'south']) worker(name);
      const out = path.join(folder, 'resumed');
      const first = startRun({ url: workbench.url, natsUrl: nats.url, workers: 2, out });
      const [, runId = ''] = await first.heard(/run (load-\S+): waiting/);
      await first.heard(/running/);
      await first.kill();
      const fleet = ['--nats', nats.url, '--resume', runId, '--lease', '10s'];
      const second = watched(new PlatenProcess(['run', SMALL_LOAD, workbench.url, ...fleet, '--out', out]));
      expect(await second.end()).toMatchObject({ code: 0 });
      expect(recordIn(out)).toMatchObject({ verdict: 'pass', missingShards: [] });
      expect(await streamsIn(nats)).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'says who is missing when too few have joined',
    async (context) => {
      const { nats, worker } = await scene(context);
      worker('north');
      const fleet = ['--nats', nats.url, '--workers', '2', '--wait', '3s', '--no-calibration'];
      const alone = await platen(['run', SMALL_LOAD, workbench.url, ...fleet]);
      expect(alone).toMatchObject({ code: 70 });
      expect(alone.stderr).toMatch(/[01] of 2 workers were ready after 3s/);
      expect(await streamsIn(nats)).toBe(0);
    },
    LIMIT_MS,
  );

  async function one(watched: Scene['watched'], name: string): Promise<LoadRecord> {
    const out = path.join(folder, name);
    const run = watched(new PlatenProcess(['run', SMALL_LOAD, workbench.url, '--no-calibration', '--out', out]));
    expect(await run.end()).toMatchObject({ code: 0 });
    return recordIn(out);
  }
});

interface Scene {
  readonly nats: NatsServer;
  readonly worker: (name: string) => PlatenProcess;
  /** Ends it with the test. */
  readonly watched: (one: PlatenProcess) => PlatenProcess;
}

async function scene(context: TestContext): Promise<Scene> {
  const nats = await NatsServer.start();
  context.onTestFinished(() => nats[Symbol.asyncDispose]());
  const watched = (one: PlatenProcess): PlatenProcess => {
    context.onTestFinished(() => one.kill());
    return one;
  };
  return { nats, watched, worker: (name) => watched(startWorker(nats.url, name)) };
}

/** What the server still holds: neither keys nor documents may be among it. */
async function streamsIn(nats: NatsServer): Promise<number> {
  const connection = await connect({ servers: nats.url });
  try {
    return (await (await jetstreamManager(connection)).getAccountInfo()).streams;
  } finally {
    await connection.close();
  }
}

function countsOf({ streams }: LoadRecord): readonly (readonly [string, LoadRecord['streams'][number]['counts']])[] {
  return streams.map(({ name, counts }) => [name, counts]);
}
