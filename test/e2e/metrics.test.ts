/**
 * The metrics of a load while it runs: what Prometheus makes of them, what OpenTelemetry receives, and that every
 * query of the dashboard has an answer.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { portOf } from '../../src/common/port-of.ts';
import { METRICS, prometheusName } from '../../src/load/metrics/metric-table.ts';
import { cleanEnvironment, platen, PROJECT } from '../support/command-line.ts';
import { freePort } from '../support/nats-server.ts';
import { soon } from '../support/soon.ts';

const LIMIT = 60_000;

/** @param seconds - long enough for a few looks at it */
function shop(seconds: number): string {
  return `title: A shop that is watched
why: A test looks at it while it runs.
clock: real
room:
  computers:
    - { name: Shop, count: 2, printers: [{ profile: label-zebra-zpl, name: Labels }] }
traffic:
  accounts: 2
  documents: { label: { file: zpl-label.zpl } }
  streams:
    - { name: labels, do: submit, document: label, pacer: { constant: { rate: 20 } }, for: ${seconds}s }
expect:
  # The machine of a test may be busy.
  thresholds: [lateness.p99 <= 10s]
`;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-metrics-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shopFile(seconds: number): string {
  const file = path.join(folder, `shop-${seconds}.yaml`);
  writeFileSync(file, shop(seconds));
  return file;
}

const exported = z.object({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value: z.unknown() })) }),
      scopeMetrics: z.array(
        z.object({ metrics: z.array(z.looseObject({ name: z.string(), unit: z.string().optional() })) }),
      ),
    }),
  ),
});

/** A receiver of OTLP over HTTP that keeps what it is sent. */
async function startReceiver(): Promise<AsyncDisposable & { url: string; received: z.output<typeof exported>[] }> {
  const received: z.output<typeof exported>[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url === '/v1/metrics') received.push(exported.parse(body));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('sends them over OTLP while it runs, and once more at the end', { timeout: LIMIT }, async () => {
  await using receiver = await startReceiver();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=night',
  };
  const out = path.join(folder, 'otlp');
  const { code, stderr } = await platen(['run', shopFile(3), '--no-calibration', '--out', out], { env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(receiver.received.length).toBeGreaterThan(3);
  const last = receiver.received.at(-1)?.resourceMetrics[0];
  const sent = last?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
  expect(METRICS.map(({ name, unit }) => ({ name, unit }))).toEqual(
    sent.filter(({ name }) => name !== 'platen.run.info').map(({ name, unit }) => ({ name, unit })),
  );
  const attributes = last?.resource.attributes.map(({ key }) => key);
  expect(attributes).toEqual(expect.arrayContaining(['service.name', 'deployment.environment.name']));
  const ledger = JSON.stringify(sent.find(({ name }) => name === 'platen.ledger.jobs'));
  expect(ledger).toContain('"stringValue":"delivered-once"');
  expect(ledger).toMatch(/"asDouble":60\b/);
});

it('goes on, and says so once, when the receiver of OTLP cannot be reached', { timeout: LIMIT }, async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_METRIC_EXPORT_INTERVAL: '300',
  };
  const run = await platen(['run', shopFile(1), '--no-calibration', '--out', path.join(folder, 'alone')], { env });
  expect(run.code).toBe(0);
  expect(run.stderr.match(/Metrics could not be sent/g)).toHaveLength(1);
});

it('refuses an address that cannot be listened at', { timeout: LIMIT }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const run = await platen(['run', shopFile(1), '--metrics', String(portOf(taken))]);
  taken.close();
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('metrics cannot be served');
});

interface WatchedRun extends AsyncDisposable {
  /** The address of its page of metrics. */
  readonly url: string;
}

async function startWatched(seconds: number, ...argv: readonly string[]): Promise<WatchedRun> {
  const out = path.join(folder, `watched-${seconds}`);
  const args = ['run', shopFile(seconds), '--no-calibration', '--metrics', '0', '--out', out, ...argv];
  const child = spawn(process.execPath, [path.join(PROJECT, 'bin/platen.js'), ...args], { env: cleanEnvironment({}) });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = once(child, 'close');
  const url = await soon('the address of the metrics', '20s', () => /Metrics at (\S+)/.exec(said)?.[1]);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Names of a scenario and words of a run. */
const LABELS = ['class', 'le', 'outcome', 'phase', 'run', 'shard', 'stage', 'stream', 'title'];

it(
  'shows every metric on its page, of all processes, with no label but those that are meant',
  { timeout: LIMIT },
  async () => {
    await using run = await startWatched(20, '--processes', '2');
    const page = await soon('figures of both processes', '20s', async () => {
      const answer = await fetch(run.url);
      const text = await answer.text();
      const printed = /^platen_ledger_jobs\{class="delivered-once",shard="(\d)"\} [1-9]/gm;
      return text.match(printed)?.length === 2 ? text : undefined;
    });
    const lines = page.split('\n').filter((line) => line.startsWith('platen_'));
    const names = new Set(lines.map((line) => line.replace(/(?:_bucket|_count|_sum)?\{.*/, '')));
    expect([...names].toSorted()).toEqual(['platen_run_info', ...METRICS.map(prometheusName)].toSorted());
    const labels = new Set(lines.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
    expect(labels).toEqual(new Set(LABELS));
    expect((await fetch(new URL('/', run.url))).status).toBe(404);
  },
);

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(1),
});

const QUERIES = dashboard
  .parse(JSON.parse(readFileSync(path.join(PROJECT, 'deploy/metrics/grafana/platen-load.json'), 'utf8')))
  .panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

const answer = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** Debian's Prometheus, which reads the page of a run twice a second. */
async function startPrometheus(target: string): Promise<AsyncDisposable & { url: string }> {
  const config = path.join(folder, 'prometheus.yaml');
  const job = { job_name: 'platen-run', static_configs: [{ targets: [new URL(target).host] }] };
  writeFileSync(
    config,
    JSON.stringify({ global: { scrape_interval: '500ms', scrape_timeout: '500ms' }, scrape_configs: [job] }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const flags = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${path.join(folder, 'prometheus')}`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn('prometheus', flags, { stdio: 'ignore' });
  const ended = once(child, 'close');
  return {
    url: `http://${address}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the dashboard', { tags: ['prometheus'] }, () => {
  it('has an answer to every query in Prometheus while a load runs', { timeout: LIMIT }, async () => {
    await using run = await startWatched(40, '--processes', '2');
    await using prometheus = await startPrometheus(run.url);
    for (const { title, expr } of QUERIES) {
      const query = expr.replaceAll('$job', 'platen-run').replaceAll('$__rate_interval', '5s');
      const values = await soon(`${title}: ${query}`, '30s', async () => {
        const found = await ask(prometheus.url, query);
        return found.some(Number.isFinite) ? found : undefined;
      });
      expect(values).not.toHaveLength(0);
    }
  });
});

/** Nothing while Prometheus starts. @throws Error when it refuses the query */
async function ask(url: string, query: string): Promise<readonly number[]> {
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`).catch(
    () => undefined,
  );
  if (!response || response.status === 503) return [];
  const { data } = answer.parse(await response.json());
  return data.result.map(({ value: [, value] }) => Number(value));
}
