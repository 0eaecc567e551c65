/**
 * The generator in saturation, against autocannon and against itself without its checks: submissions of 600
 * bytes to the null service, in a closed loop over 32 connections.
 *
 *   autocannon   what others would reach
 *   lanes        our connections alone
 *   checked      the whole: operations, histograms, ledger, invariants of responses
 *
 * Usage: node test/bench/generator.ts [--rounds 5] [--seconds 3]
 * Exits 1 when a ratio misses its bar. Ratios are of processor time a request, the median of rounds in turn:
 * they hold on a machine that others use too, where rates do not.
 */

import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { startNullService } from '../../src/load/null-service.ts';
import {
  probeWithAutocannon,
  probeWithLanes,
  type SaturationProbe,
  type SaturationResult,
} from '../../src/load/saturation-probe.ts';
import type { LoadScenario } from '../../src/load/load-scenario.ts';
import { loadOperation, loadStream, plainLoad } from '../support/load-parts.ts';
import { runShardHere } from '../support/shard-run.ts';
import { machineLine, median, pinClient } from './paired.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const CONNECTIONS = 32;
const LABEL_BYTES = 600;
const SERVER_CORE = '0';

await using service = await startNullService();
execFileSync('taskset', ['-acp', SERVER_CORE, String(service.pid)], { stdio: 'ignore' });
pinClient();

const probe: SaturationProbe = {
  baseUrl: service.url,
  apiKey: 'test-key',
  method: 'POST',
  path: '/printjobs',
  body: JSON.stringify({
    title: 'platen 3fa9c1 1 4711',
    printerId: 1,
    source: 'platen load',
    qty: 1,
    contentType: 'raw_base64',
    content: Buffer.alloc(LABEL_BYTES, 'Z').toString('base64'),
  }),
  connections: CONNECTIONS,
  seconds,
};

const checkedScenario: LoadScenario = plainLoad({
  documents: [
    {
      name: 'label',
      language: 'raw',
      via: 'base64',
      source: { kind: 'made', pages: 1, bytes: LABEL_BYTES },
      bytes: LABEL_BYTES,
    },
  ],
  streams: [
    loadStream({
      operations: [loadOperation('submit')],
      arrivals: { kind: 'closed', loops: CONNECTIONS, thinkMs: 0 },
      forMs: seconds * 1_000,
    }),
  ],
  drainMs: 0,
});

async function checked(): Promise<SaturationResult> {
  const { record } = await runShardHere(checkedScenario, service.url);
  // Its whole seconds: what a run does once at its beginning and end is no cost of a request.
  const whole = record.series.slice(0, seconds);
  const ended = whole.reduce((sum, second) => sum + second.ended, 0);
  const cpuUs = whole.reduce((sum, { self }) => sum + self.cpu * 1e6, 0);
  return {
    requestsPerSecond: ended / whole.length,
    failed: whole.reduce((sum, { errors }) => sum + errors, 0),
    cpuPerRequestUs: cpuUs / Math.max(1, ended),
  };
}

const ARMS = {
  autocannon: () => probeWithAutocannon(probe),
  lanes: () => probeWithLanes(probe),
  checked,
} as const;
type Arm = keyof typeof ARMS;

const results: Record<Arm, SaturationResult[]> = { autocannon: [], lanes: [], checked: [] };
// The first round of each warms up.
for (let round = 0; round <= rounds; round++) {
  for (const arm of Object.keys(ARMS) as Arm[]) {
    const result = await ARMS[arm]();
    if (round > 0) results[arm].push(result);
  }
}

const figure = (arm: Arm, of: (result: SaturationResult) => number): number => median(results[arm].map(of));
/** Round by round, so that a drift of the machine falls on both. */
const ratio = (arm: Arm, to: Arm): number =>
  median(results[arm].map((one, round) => (results[to][round]?.cpuPerRequestUs ?? 0) / one.cpuPerRequestUs));

process.stdout.write(`${machineLine()}\n| generator | requests/s | CPU µs a request |\n|---|---|---|\n`);
for (const arm of Object.keys(ARMS) as Arm[]) {
  const rate = figure(arm, (result) => result.requestsPerSecond);
  const cpu = figure(arm, (result) => result.cpuPerRequestUs);
  process.stdout.write(`| ${arm} | ${rate.toFixed(0)} | ${cpu.toFixed(1)} |\n`);
}
const toAutocannon = ratio('lanes', 'autocannon');
const costOfChecks = 1 - ratio('checked', 'lanes');
process.stdout.write(
  `lanes to autocannon: ${toAutocannon.toFixed(2)} (bar 0.80)\n` +
    `cost of operations, histograms, ledger and invariants: ${(costOfChecks * 100).toFixed(0)} % (bar 25 %)\n`,
);
if (toAutocannon < 0.8 || costOfChecks > 0.25) process.exitCode = 1;
