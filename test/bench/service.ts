/**
 * The reference service against the floor: a bare node:http server that sends the same bytes.
 *
 * Usage: node test/bench/service.ts [--rounds 5] [--seconds 3]
 * Exits 1 when a ratio misses its bar.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { request } from 'undici';

import { machineLine, measurePair, pinClient, startServer, type Probe } from './paired.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
});

const headers = { authorization: `Basic ${Buffer.from('first-key:').toString('base64')}` };
const JOB = JSON.stringify({
  printerId: 1,
  title: 'Label 4711',
  contentType: 'raw_base64',
  content: Buffer.alloc(600, 'Z').toString('base64'),
});

interface Case {
  readonly name: string;
  readonly bar: number;
  readonly probe: Probe;
  readonly isDurable: boolean;
}

const CASES: readonly Case[] = [
  { name: 'GET /noop', bar: 0.85, probe: { path: '/noop', headers }, isDurable: false },
  { name: 'GET /printers (100)', bar: 0.85, probe: { path: '/printers', headers }, isDurable: false },
  {
    name: 'POST /printjobs, in memory',
    bar: 0.4,
    probe: {
      method: 'POST',
      path: '/printjobs',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JOB,
    },
    isDurable: false,
  },
  {
    name: 'POST /printjobs, durable',
    bar: 0.3,
    probe: {
      method: 'POST',
      path: '/printjobs',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JOB,
    },
    isDurable: true,
  },
];

/** One answer of the service, in the form the bare server repeats. */
async function record(url: string, { path, method = 'GET', headers: sent = {}, body }: Probe): Promise<string> {
  const response = await request(url + path, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
    responseHeaders: 'raw',
  });
  const raw = response.headers as unknown as Buffer[];
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = String(raw[index]);
    if (!['date', 'connection', 'keep-alive'].includes(name.toLowerCase())) kept.push(name, String(raw[index + 1]));
  }
  return JSON.stringify({ status: response.statusCode, headers: kept, body: await response.body.text() });
}

pinClient();
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const COLUMNS = ['request', 'service /s', 'bare /s', 'ratio', 'bar', 'service CPU µs', 'bare CPU µs', 'CPU ratio'];
process.stdout.write(`${machineLine()}\n| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}\n`);
let missed = 0;
for (const { name, bar, probe, isDurable } of CASES) {
  await using service = await startServer('reference', isDurable ? [join(folder, 'bench.db')] : []);
  await using bare = await startServer('bare', [], await record(service.url, probe));
  const result = await measurePair(
    { server: service, probe },
    { server: bare, probe },
    Number(values.rounds),
    Number(values.seconds),
  );
  const { subject, peer, ratio, cpuRatio } = result;
  if (ratio < bar) missed++;
  const figures = [
    Math.round(subject.requestsPerSecond),
    Math.round(peer.requestsPerSecond),
    ratio.toFixed(2),
    bar,
    subject.cpuPerRequest.toFixed(1),
    peer.cpuPerRequest.toFixed(1),
    cpuRatio.toFixed(2),
  ];
  process.stdout.write(`| ${name} | ${figures.join(' | ')} |\n`);
}
await rm(folder, { recursive: true });
process.exitCode = missed > 0 ? 1 : 0;
