import { createServer, type IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { portOf } from '../../../../src/common/port-of.ts';
import { startNullService } from '../../../../src/load/calibration/calibrate.ts';
import { mergeLoadRecords } from '../../../../src/load/merge.ts';
import type { LoadScenario } from '../../../../src/load/plan/load-scenario.ts';
import { loadOperation, loadStream, plainLoad } from '../../../support/load-scenario.ts';
import { runShardHere } from '../../../support/shard-run.ts';

const LABEL = {
  name: 'label',
  language: 'raw',
  via: 'base64',
  source: { kind: 'made', pages: 1, bytes: 200 },
  bytes: 200,
} as const;

/** Jobs for unknown printers: they are accepted and never printed. */
function jobsOnly(parts: Partial<LoadScenario> = {}): LoadScenario {
  return plainLoad({
    documents: [LABEL],
    streams: [loadStream({ name: 'jobs', operations: [loadOperation('submit', { qty: [1, 3] })], forMs: 500 })],
    drainMs: 0,
    ...parts,
  });
}

describe('a shard', () => {
  it('makes exactly the requests of its plan, and records each', async () => {
    await using service = await startNullService();
    const stream = loadStream({ arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 400 } } });
    const { record } = await runShardHere(plainLoad({ streams: [stream] }), service.url);
    const [looks] = record.streams;
    expect(looks?.counts).toMatchObject({ ok: 400, failed: 0, shed: 0 });
    expect(looks?.response.count).toBe(400);
    expect(record.series.reduce((sum, { arrivals }) => sum + arrivals, 0)).toBe(400);
    expect(record.responses).toMatchObject({ broken: [] });
  });

  it('lets callers send their next request once they have an answer and have thought', async () => {
    await using service = await startNullService();
    const stream = loadStream({ arrivals: { kind: 'closed', loops: 4, thinkMs: 50 }, forMs: 500 });
    const { record } = await runShardHere(plainLoad({ streams: [stream] }), service.url);
    const ok = record.streams[0]?.counts.ok ?? 0;
    expect(ok).toBeGreaterThanOrEqual(8);
    expect(ok).toBeLessThanOrEqual(4 * 10);
  });

  it('accounts for every submission, and submits what the plan has drawn', async () => {
    await using service = await answeringServer();
    const { record } = await runShardHere(jobsOnly(), service.url);
    expect(service.jobs).toHaveLength(50);
    expect(new Set(service.jobs.map(({ body }) => body['qty']))).toEqual(new Set([1, 2, 3]));
    expect(service.jobs[0]?.body).toMatchObject({ contentType: 'raw_base64' });
    expect(record.ledger.totals).toMatchObject({ intents: 50, clashes: 0 });
    // Accepted, and not on paper after the drain.
    expect(record.ledger.totals.classes.lost).toBe(50);
  });

  it('settles submissions without an answer by their idempotency key', async () => {
    await using service = await answeringServer((n) => n % 10 === 0);
    const { record } = await runShardHere(jobsOnly(), service.url);
    expect(service.jobs).toHaveLength(50);
    expect(record.streams[0]?.counts).toMatchObject({ ok: 45, broken: 5 });
    expect(record.settlement).toEqual({ wereAccepted: 5, submittedAgain: 0, refused: 0, open: 0 });
    expect(record.ledger.totals.classes.unknown).toBe(0);
  });

  it('stops handing out arrivals when it is stopped, and still gives its record', async () => {
    await using service = await startNullService();
    const stop = new AbortController();
    const run = runShardHere(plainLoad({ streams: [loadStream({ forMs: 60_000 })] }), service.url, {
      stop: stop.signal,
      onProgress: ({ second }) => {
        if (second) stop.abort();
      },
    });
    const { record } = await run;
    expect(record).toMatchObject({ ending: 'interrupted', verdict: 'incomplete' });
    expect(record.streams[0]?.counts.ok).toBeGreaterThan(0);
  });

  it('aborts when a rule of the scenario applies', async () => {
    await using service = await answeringServer();
    const streams = [loadStream({ operations: [loadOperation('whoami')], forMs: 60_000 })];
    const abort = ['looks.response.p50 >= 0ms after 1s'];
    const { record } = await runShardHere(plainLoad({ streams, abort }), service.url);
    expect(record.verdict).toBe('aborted');
    expect(record.abortedBy).toContain('looks.response.p50');
  });
});

describe('two shards', () => {
  it('make the requests of one, and add up to its record', async () => {
    const accounts = 4;
    const stream = loadStream({
      name: 'jobs',
      operations: [loadOperation('submit', { qty: [1, 3] })],
      arrivals: { kind: 'open', pacer: { kind: 'poisson', rate: 300 } },
      forMs: 500,
      accounts: { first: 0, last: accounts - 1 },
    });
    const scenario = jobsOnly({ accounts, streams: [stream] });
    await using service = await startNullService();
    const whole = await runShardHere(scenario, service.url);
    const parts = [
      await runShardHere(scenario, service.url, { shard: { index: 1, count: 2 } }),
      await runShardHere(scenario, service.url, { shard: { index: 2, count: 2 } }),
    ];
    const merged = mergeLoadRecords(parts);
    expect(merged.missingShards).toEqual([]);
    expect(merged.plan.hash).toBe(whole.record.plan.hash);
    expect(merged.streams[0]?.counts).toEqual(whole.record.streams[0]?.counts);
    expect(merged.streams[0]?.response.count).toBe(whole.record.streams[0]?.response.count);
    expect(merged.ledger.totals.intents).toBe(whole.record.ledger.totals.intents);
    expect(merged.ledger.totals.classes).toEqual(whole.record.ledger.totals.classes);
    expect(merged.fairness?.accounts.map(({ account, asked }) => [account, asked])).toEqual(
      whole.record.fairness?.accounts.map(({ account, asked }) => [account, asked]),
    );
  });
});

/**
 * Takes submissions and gives them ids, in memory, and can be asked to
 * misbehave.
 */
interface TakenJob {
  readonly id: number;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
  readonly jobs: readonly TakenJob[];
  /** Method and path of every request but submissions. */
  readonly asked: readonly string[];
}

/** @param losesAnswerOf - whether the answer to the n-th submission, from 1, is lost on its way */
async function answeringServer(losesAnswerOf: (n: number) => boolean = () => false): Promise<AnsweringServer> {
  const jobs: TakenJob[] = [];
  const asked: string[] = [];
  let submissions = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/printjobs') {
      asked.push(`${request.method} ${request.url}`);
      response.end('[]');
      return;
    }
    void textOf(request).then((text) => {
      const key = String(request.headers['x-idempotency-key']);
      if (jobs.some((job) => job.key === key)) return response.writeHead(409).end('{}');
      jobs.push({ id: jobs.length + 1, key, body: JSON.parse(text) as TakenJob['body'] });
      if (losesAnswerOf(++submissions)) return request.socket.destroy();
      return response.writeHead(201).end(String(jobs.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    jobs,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
