/**
 * Jobs through the whole chain of service, client program, CUPS and printers, each put into a class of the ledger: many
 * over many queues, and some while cupsd is killed in the middle. First the time that jobs take, one after the other.
 *
 * Usage: node test/client/run-print-chain.ts [--jobs 2000] [--queues 50] [--seeds 20]
 * Writes reports/baseline/print-chain.md when run without options. Exits 1 where a job has no class, where jobs that
 * no one disturbed are lost or doubled, or where they are slow. What CUPS loses or doubles when it is killed is counted, with its evidence.
 */

import { parseArgs } from 'node:util';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { median } from '../bench/paired.ts';
import { latenciesOf, printThrough, type ChainDocument, type ChainResult } from './print-chain.ts';

const TIMED_JOBS = 25;
/** From the request to the paper, at the median. */
const LATENCY_BAR_MS = 500;
const KILLED = { jobs: 40, queues: 5, downMs: 1_000 };

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '2000' },
    queues: { type: 'string', default: '50' },
    seeds: { type: 'string', default: '20' },
  },
});

function countsOf({ classes, falseErrors }: ChainResult): string {
  const found = Object.entries(classes).filter(([, count]) => count > 0);
  return [...found.map(([name, count]) => `${count} ${name}`), `${falseErrors} false errors`].join(', ');
}

function say(what: string, found: string, durationMs: number): readonly string[] {
  const cells = [what, found, `${Math.round(durationMs / 1_000)} s`];
  process.stdout.write(`${cells.join(': ')}\n`);
  return cells;
}

function sayClasses(what: string, result: ChainResult): readonly string[] {
  const cells = say(what, countsOf(result), result.durationMs);
  for (const line of result.evidence) process.stdout.write(`  ${line}\n`);
  return cells;
}

const rows: (readonly string[])[] = [];
let holds = true;

async function time(document: ChainDocument, what: string): Promise<void> {
  const elapsedMs = startStopwatch();
  const latencies = await latenciesOf(document, TIMED_JOBS);
  const [half, longest] = [median([...latencies]), Math.max(...latencies)].map(Math.round);
  holds &&= (half ?? Infinity) < LATENCY_BAR_MS;
  const found = `from the request to the paper ${half} ms at the median, ${longest} ms at the longest`;
  rows.push(say(`${TIMED_JOBS} ${what}, each when CUPS has no other`, found, elapsedMs()));
}

const jobs = Number(values.jobs);
const queues = Number(values.queues);
await time('label', 'labels of 256 bytes');
await time('pdf', 'PDFs of three pages');
const tell = (line: string): void => void process.stdout.write(`  ${line}\n`);
const whole = await printThrough({ jobs, queues, tell });
rows.push(sayClasses(`${jobs} jobs over ${queues} queues`, whole));
holds &&= whole.classes['delivered-once'] === jobs;
for (let seed = 1; seed <= Number(values.seeds); seed++) {
  const after = createRandom(seed).integer(1, KILLED.jobs - 1);
  const result = await printThrough({
    ...KILLED,
    meanwhile: {
      after,
      async work(cups) {
        cups.kill('SIGKILL');
        await sleep(systemClock, KILLED.downMs);
        await cups.restart();
      },
    },
  });
  rows.push(sayClasses(`seed ${seed}: cupsd killed with ${after} of ${KILLED.jobs} jobs on paper`, result));
  holds &&= result.classes.unknown === 0;
}
if (process.argv.length === 2) {
  writeBaselinePage('print-chain.md', {
    title: 'Jobs through service, client, CUPS and printers',
    command: 'npm run prove print-chain',
    about:
      'Each job put into a class of the ledger by its paper. CUPS keeps its list of jobs in memory for a while: what it ' +
      'had accepted and not written when it was killed with SIGKILL is lost, and what it was printing is printed again.',
    columns: ['run', 'what became of its jobs', 'time'],
    rows,
  });
}
process.exitCode = holds ? 0 : 1;
