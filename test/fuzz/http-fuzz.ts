/**
 * The long fuzz run, from the command line:
 *
 *   node test/fuzz/http-fuzz.ts --requests 100000 [--seed 1] [--first 0] [--connections 8]
 *
 * Prints what was answered and exits with 1 on any finding: an invalid answer, a fault, a crash, or memory that
 * has not come back to within 20 % of where it was after the first tenth.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { fuzz, type FuzzResult } from './fuzz-client.ts';
import type { ServiceReport } from './fuzzed-service.ts';

const MEMORY_GROWTH_MAX = 1.2;
const FINDINGS_SHOWN = 20;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    connections: { type: 'string', default: '8' },
  },
});

/** True when there is nothing to find. */
async function run(): Promise<boolean> {
  const service = fork(new URL('fuzzed-service.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  const elapsedMs = startStopwatch();
  const { port } = await nextReport(service);
  const options = { port, random: createRandom(values.seed), connections: Number(values.connections) };
  const first = Number(values.first);
  const requests = Number(values.requests);
  // Caches fill and code is compiled in the first tenth.
  const warmup = Math.floor(requests / 10);
  const results = [await fuzz({ ...options, first, requests: warmup })];
  const begin = await askReport(service);
  results.push(await fuzz({ ...options, first: first + warmup, requests: requests - warmup }));
  const end = await askReport(service);
  service.kill();
  const findings = [
    ...results.flatMap((result) => result.findings.map(describe)),
    ...end.faults.map((fault) => `fault of the service: ${fault}`),
    ...memoryFindings(begin, end),
  ];
  print(`${requests} requests in ${(elapsedMs() / 1_000).toFixed(1)} s, seed ${values.seed}`);
  for (const [status, count] of statusesOf(results)) print(`  ${status}: ${count}`);
  print(`memory in use: ${megabytes(begin.usedBytes)} -> ${megabytes(end.usedBytes)}`);
  print(`resident: ${megabytes(begin.residentBytes)} -> ${megabytes(end.residentBytes)}`);
  print(`findings: ${findings.length}`);
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) print(`  ${finding}`);
  return findings.length === 0;
}

async function askReport(service: ChildProcess): Promise<ServiceReport> {
  const report = nextReport(service);
  service.send('report');
  return await report;
}

/** @throws Error when the service crashed */
function nextReport(service: ChildProcess): Promise<ServiceReport> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the service crashed; what it wrote stands above'));
    if (service.exitCode !== null || service.signalCode !== null) onExit();
    service.once('exit', onExit);
    service.once('message', (report) => {
      service.off('exit', onExit);
      resolve(report as ServiceReport);
    });
  });
}

function memoryFindings(begin: ServiceReport, end: ServiceReport): string[] {
  const growth = end.usedBytes / begin.usedBytes;
  return growth > MEMORY_GROWTH_MAX ? [`memory in use grew ${growth.toFixed(2)} times`] : [];
}

function statusesOf(results: readonly FuzzResult[]): [status: string, count: number][] {
  const sums = new Map<string, number>();
  for (const { statuses } of results) {
    for (const [status, count] of statuses) sums.set(status, (sums.get(status) ?? 0) + count);
  }
  return [...sums].toSorted(([one], [other]) => one.localeCompare(other));
}

function describe({ index, kind, what }: FuzzResult['findings'][number]): string {
  return `request ${index} (${kind}): ${what}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = (await run()) ? 0 : 1;
