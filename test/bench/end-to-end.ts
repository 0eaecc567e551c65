/**
 * End to end: the highest rate at which every job is submitted, delivered, printed by a virtual printer and
 * reported, with a complete ledger; the service in one process, the load with its room in another.
 *
 *   rate ─► warm-up ─► ten seconds ─► all accounted for, and on paper at nearly that rate? ─► a higher rate
 *
 * Both processes begin cold at each rate: the warm-up of the plan counts in the ledger, and not in percentiles,
 * jobs a second and processor time.
 *
 * Usage: node test/bench/end-to-end.ts [--warm-up 5] [--seconds 10] [--rates 1000,2000,2500,3000,4000] [--webhooks]
 *   [--stalls]           with how long each process stood still, and why, beside its rate
 *   [--profile FOLDER]   with a CPU profile of each process, summed up at the end: which one is the limit, and why
 * Exits 1 when fewer than 2,000 jobs a second come through.
 */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import { runLoad } from '../../src/load/run-load.ts';
import type { LoadRecord } from '../../src/record/load-record.ts';
import { processTarget } from '../../src/targets/process.ts';
import { loadOperation, loadStream, madeDocument, plainLoad } from '../support/load-scenario.ts';
import { readCpuProfiles } from './cpu-profile.ts';
import { cpuMicroseconds, machineLine } from './paired.ts';

const { values } = parseArgs({
  options: {
    'warm-up': { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    rates: { type: 'string', default: '500,1000,1500,2000,3000,4000,5000,6000' },
    webhooks: { type: 'boolean', default: false },
    stalls: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
// For the processes of service and load, which inherit it.
const nodeOptions = [
  ...(values.profile === undefined ? [] : [`--cpu-prof --cpu-prof-dir=${values.profile}`]),
  ...(values.stalls ? [`--import ${new URL('./stall-watch.ts', import.meta.url).href}`] : []),
];
if (nodeOptions.length > 0) process.env['NODE_OPTIONS'] = nodeOptions.join(' ');
const WARM_UP_S = Math.max(1, Number(values['warm-up']));
const END_S = WARM_UP_S + Number(values.seconds);
const BAR = 2_000;
const PARTS_SHOWN = 15;
const COMPUTERS = 200;
const ACCOUNTS = 20;
const LABEL_BYTES = 600;

function scenarioAt(rate: number): LoadScenario {
  const forMs = END_S * 1_000;
  return plainLoad({
    title: `${rate} jobs a second`,
    computers: [
      {
        template: { name: 'Shop', printers: [{ profile: 'label-zebra-zpl' }] },
        count: COMPUTERS,
        behaviour: 'steady',
      },
    ],
    connectRate: 500,
    longestBackoffMs: 30_000,
    accounts: ACCOUNTS,
    documents: [madeDocument('label', 'raw', LABEL_BYTES)],
    streams: [
      loadStream({
        name: 'jobs',
        operations: [loadOperation('submit')],
        arrivals: { kind: 'open', pacer: { kind: 'constant', rate } },
        forMs,
        accounts: { first: 0, last: ACCOUNTS - 1 },
      }),
    ],
    webhooks: values.webhooks ? { receiver: { answers: 'ok', delayMs: 0 }, outage: null } : null,
    warmUpMs: WARM_UP_S * 1_000,
    drainMs: 20_000,
    caps: { requests: 1_000_000, connections: 256, inFlight: 20_000 },
  });
}

interface Run {
  readonly record: LoadRecord;
  /** Processor time of the service for each job, in microseconds, once everything is warm. */
  readonly serviceCpuUs: number;
}

async function runAt(rate: number): Promise<Run> {
  const before = new Set(childProcesses());
  const service = await processTarget({ limits: 'off' });
  const pid = childProcesses().find((child) => !before.has(child)) ?? 0;
  /** At the end of each second: jobs on paper, and the processor time of the service. */
  const seconds: { readonly printed: number; readonly cpuUs: number }[] = [];
  try {
    const { record } = await runLoad({
      scenario: scenarioAt(rate),
      seed: 7,
      target: {
        name: service.name,
        baseUrl: service.baseUrl,
        apiKey: service.apiKey,
        link: { kind: 'websocket' },
      },
      permission: { allowedHosts: [], token: undefined },
      runId: `bench-${rate}`,
      shard: { index: 1, count: 1 },
      processes: 1,
      calibrates: false,
      stop: new AbortController().signal,
      halt: new AbortController().signal,
      onProgress: ({ second }) => {
        if (second) seconds.push({ printed: second.jobs.printed, cpuUs: cpuMicroseconds(pid) });
      },
    });
    const [first, last] = [seconds[WARM_UP_S - 1], seconds[END_S - 1]];
    const jobs = Math.max(1, (last?.printed ?? 0) - (first?.printed ?? 0));
    return { record, serviceCpuUs: ((last?.cpuUs ?? 0) - (first?.cpuUs ?? 0)) / jobs };
  } finally {
    await service.close();
  }
}

function childProcesses(): readonly number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

/** The CPU time of the load's process for each job, once everything is warm. */
function loadCpuUs({ series }: Pick<LoadRecord, 'series'>): number {
  const warm = series.slice(WARM_UP_S, END_S);
  const jobs = printedPerSecond({ series }) * warm.length;
  return (warm.reduce((sum, { self }) => sum + self.cpu, 0) * 1e6) / Math.max(1, jobs);
}

/** On paper a second, from the end of the warm-up to the last submission. */
function printedPerSecond({ series }: Pick<LoadRecord, 'series'>): number {
  const whole = series.slice(WARM_UP_S - 1, END_S);
  const [first, last] = [whole[0]?.jobs.printed ?? 0, whole.at(-1)?.jobs.printed ?? 0];
  return (last - first) / Math.max(1, whole.length - 1);
}

const us = (value: number | undefined): string => (value === undefined ? '' : (value / 1_000).toFixed(1));

process.stdout.write(
  `${machineLine()}; ${COMPUTERS} computers, ${ACCOUNTS} accounts, labels of ${LABEL_BYTES} bytes\n`,
);
process.stdout.write(
  '| offered /s | printed /s | delivered once | else | whole p50 ms | p99 ms | accept p99 ms | late p99 ms | load CPU µs/job | service CPU µs/job |\n',
);
process.stdout.write(`|${'---|'.repeat(10)}\n`);
let best = 0;
for (const rate of values.rates.split(',').map(Number)) {
  const { record, serviceCpuUs } = await runAt(rate);
  const { totals } = record.ledger;
  const printed = printedPerSecond(record);
  const whole = record.legs.find(({ name }) => name === 'whole')?.duration;
  const accept = record.legs.find(({ name }) => name === 'accept')?.duration;
  const isComplete = totals.classes['delivered-once'] === totals.intents;
  if (isComplete) best = Math.max(best, printed);
  const cells = [
    rate,
    printed.toFixed(0),
    totals.classes['delivered-once'],
    totals.intents - totals.classes['delivered-once'],
    us(whole?.p50Us),
    us(whole?.p99Us),
    us(accept?.p99Us),
    us(record.self.lateness.p99Us),
    loadCpuUs(record).toFixed(0),
    serviceCpuUs.toFixed(0),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  if (!isComplete)
    process.stdout.write(
      `  ${record.verdict}: ${record.reasons.join('; ')} ${JSON.stringify(totals.classes)} ${JSON.stringify(record.settlement)}\n`,
    );
  // Far behind: a higher rate would only make a longer line.
  if (printed < rate * 0.8) break;
}
process.stdout.write(`highest rate with every job accounted for: ${best.toFixed(0)} a second (bar ${BAR})\n`);
if (values.profile !== undefined) {
  for (const { file, busyMs, busy, parts } of readCpuProfiles(values.profile)) {
    process.stdout.write(`${file}: busy ${busyMs.toFixed(0)} ms, ${(busy * 100).toFixed(0)} % of its life\n`);
    for (const [part, share] of parts.slice(0, PARTS_SHOWN)) {
      process.stdout.write(`  ${(share * 100).toFixed(1).padStart(5)} %  ${part}\n`);
    }
  }
}
if (best < BAR) process.exitCode = 1;
