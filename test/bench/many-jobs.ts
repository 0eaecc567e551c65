/**
 * A million jobs in the store: what lists, states and submissions cost then, beside ten thousand.
 *
 * Usage: node test/bench/many-jobs.ts [--many 1000000] [--few 10000]
 * Two services in one process, measured in turn, request by request. Exits 1 above 1.5 times the cost.
 */

import { parseArgs } from 'node:util';

import { monotonicMs } from '../../src/common/stopwatch.ts';
import { runService, type RunningService } from '../support/running-service.ts';
import { ScriptedComputer } from '../support/scripted-computer.ts';
import { median } from './paired.ts';

const { values } = parseArgs({
  options: { many: { type: 'string', default: '1000000' }, few: { type: 'string', default: '10000' } },
});

const JOB = JSON.stringify({ printerId: 1, contentType: 'raw_base64', content: 'AAAA', title: 'A label' });
const ROUNDS = 300;
const BAR = 1.5;

async function filled(jobs: number): Promise<RunningService> {
  const service = await runService();
  const computer = await ScriptedComputer.connect(service.url);
  await computer[Symbol.asyncDispose]();
  // Straight through the handler's own path, many at once: one commit for all of a turn.
  const BATCH = 200;
  for (let made = 0; made < jobs; made += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, () => service.call('POST', '/printjobs', { body: JOB })));
  }
  return service;
}

interface Case {
  readonly name: string;
  readonly run: (service: RunningService, jobs: number, round: number) => Promise<unknown>;
}

const CASES: readonly Case[] = [
  { name: 'newest 100 jobs', run: (service) => service.call('GET', '/printjobs') },
  {
    name: '100 jobs in the middle',
    run: (service, jobs, round) => service.call('GET', `/printjobs?after=${Math.floor(jobs / 2) + round}`),
  },
  { name: 'jobs of a printer', run: (service) => service.call('GET', '/printers/1/printjobs') },
  { name: 'states of the newest 100', run: (service) => service.call('GET', '/printjobs/states') },
  {
    name: 'states of one job',
    run: (service, jobs, round) => service.call('GET', `/printjobs/${Math.floor(jobs / 3) + round}/states`),
  },
  { name: 'submission', run: (service) => service.call('POST', '/printjobs', { body: JOB }) },
];

const [manyJobs, fewJobs] = [Number(values.many), Number(values.few)];
await using few = await filled(fewJobs);
await using many = await filled(manyJobs);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = monotonicMs();
  await work();
  return monotonicMs() - startedMs;
}

process.stdout.write(`| request | ms at ${fewJobs} | ms at ${manyJobs} | ratio | bar |\n|---|---|---|---|---|\n`);
let missed = 0;
for (const { name, run } of CASES) {
  const costs: { few: number; many: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    costs.push({
      few: await timed(() => run(few, fewJobs, round)),
      many: await timed(() => run(many, manyJobs, round)),
    });
  }
  const [small, large] = [median(costs.map((cost) => cost.few)), median(costs.map((cost) => cost.many))];
  if (large / small > BAR) missed++;
  process.stdout.write(
    `| ${name} | ${small.toFixed(3)} | ${large.toFixed(3)} | ${(large / small).toFixed(2)} | ${BAR} |\n`,
  );
}
process.exitCode = missed > 0 ? 1 : 0;
