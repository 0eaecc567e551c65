/**
 * The generator in saturation, against autocannon and against itself without its checks: submissions of 600
 * bytes to the null service, in a closed loop over 32 connections.
 *
 *   autocannon   what others would reach
 *   own          our connections alone
 *   unchecked    with operations and histograms, as in a run, but with neither ledger nor invariants
 *   checked      the whole, as in a run
 *
 * Usage: node test/bench/generator.ts [--rounds 5] [--seconds 3]
 * Exits 1 when a ratio misses its bar. Ratios are of processor time a request, the median of rounds in turn:
 * they hold on a machine that others use too, where rates do not.
 */

import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { machineMicroseconds } from '../../src/common/stopwatch.ts';
import { startNullService } from '../../src/load/calibration/calibrate.ts';
import { Recorder } from '../../src/load/measure/recorder.ts';
import { planLoad, WHOLE } from '../../src/load/plan/load-plan.ts';
import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import { prepareDocuments } from '../../src/load/traffic/documents.ts';
import { AttemptLog } from '../../src/load/traffic/attempt-log.ts';
import { LoadAccount } from '../../src/load/traffic/load-account.ts';
import { RequestSender } from '../../src/load/traffic/request-sender.ts';
import {
  probeWithAutocannon,
  probeWithPool,
  type SaturationProbe,
  type SaturationResult,
} from '../../src/load/traffic/saturation-probe.ts';
import { Submissions } from '../../src/load/traffic/submissions.ts';
import { Traffic } from '../../src/load/traffic/traffic.ts';
import { Ledger } from '../../src/oracle/ledger.ts';
import { loadOperation, loadStream, madeDocument, plainLoad } from '../support/load-scenario.ts';
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
    title: 'platen 4711 1 3fa9c1',
    printerId: 1,
    source: 'platen load',
    qty: 1,
    contentType: 'raw_base64',
    content: Buffer.alloc(LABEL_BYTES, 'Z').toString('base64'),
  }),
  connections: CONNECTIONS,
  seconds,
};

const scenario: LoadScenario = plainLoad({
  documents: [madeDocument('label', 'raw', LABEL_BYTES)],
  streams: [
    loadStream({
      operations: [loadOperation('submit')],
      arrivals: { kind: 'closed', loops: CONNECTIONS, thinkMs: 0 },
      forMs: seconds * 1_000,
    }),
  ],
  drainMs: 0,
});

/** A ledger that keeps nothing. */
class NoLedger extends Ledger {
  #rows = 0;

  override intend(): number {
    return this.#rows++;
  }
  override sent(): void {}
  override accepted(): void {}
}

/**
 * The generator of a run: operations, recorder, connections.
 *
 * @param isAccounted - with the ledger and the invariants, too
 */
async function wholeGenerator(isAccounted: boolean): Promise<SaturationResult> {
  const plan = planLoad(scenario);
  const documents = await prepareDocuments(scenario.documents);
  const startUs = machineMicroseconds();
  const sinceStartUs = (): number => machineMicroseconds() - startUs;
  const recorder = new Recorder({ streams: plan.streams.map(({ name }) => name), accounts: 1 });
  const book = new AttemptLog(recorder, scenario.timeoutMs, (arrival, wasShed) => traffic.over(arrival, wasShed));
  if (!isAccounted) book.watch.wants = () => false;
  const account = new LoadAccount(0, probe.apiKey, null);
  account.printers = [{ id: 1, printer: 0 }];
  const sender = new RequestSender({
    baseUrl: service.url,
    accounts: new Map([[0, account]]),
    sources: [],
    timeoutMs: scenario.timeoutMs,
    mostInFlight: CONNECTIONS,
    mostConnections: CONNECTIONS,
    sinceStartUs,
    listener: book,
    jobs: {
      ledger: isAccounted
        ? new Ledger({ onPhase: (leg, durationUs, intendedUs) => recorder.phase(leg, durationUs, intendedUs) })
        : new NoLedger(),
      submissions: new Submissions(plan, WHOLE, documents, () => service.url),
      keyOf: (row) => `bench-1-${row}`,
      ambiguous: [],
    },
  });
  const traffic = new Traffic(plan, WHOLE, sender);
  const before = process.cpuUsage();
  await traffic.run(new AbortController().signal);
  await sender.quiet();
  const { user, system } = process.cpuUsage(before);
  const tookSeconds = sinceStartUs() / 1e6;
  await sender.close();
  const { ok = 0, ...others } = recorder.toRecording().streams[0]?.counts ?? {};
  return {
    requestsPerSecond: ok / tookSeconds,
    failed: Object.values(others).reduce((sum, count) => sum + count, 0),
    cpuPerRequestUs: (user + system) / Math.max(1, ok),
  };
}

const ARMS = {
  autocannon: () => probeWithAutocannon(probe),
  own: () => probeWithPool(probe),
  unchecked: () => wholeGenerator(false),
  checked: () => wholeGenerator(true),
} as const;
type Arm = keyof typeof ARMS;

const results: Record<Arm, SaturationResult[]> = { autocannon: [], own: [], unchecked: [], checked: [] };
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
const toAutocannon = ratio('own', 'autocannon');
const costOfChecks = 1 - ratio('checked', 'unchecked');
const costOfAll = 1 - ratio('checked', 'own');
process.stdout.write(
  `own pool to autocannon: ${toAutocannon.toFixed(2)} (bar 0.80)\n` +
    `cost of ledger and invariants: ${(costOfChecks * 100).toFixed(0)} % (bar 25 %); ` +
    `with operations and histograms: ${(costOfAll * 100).toFixed(0)} %\n`,
);
if (toAutocannon < 0.8 || costOfChecks > 0.25) process.exitCode = 1;
