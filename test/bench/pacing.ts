/**
 * Pacing: does the generator keep its own schedule, and does it measure what is there?
 *
 *   5,000 arrivals a second against the null service     count exact, 99 in 100 at most 2 ms late
 *   a server that takes 100 ms, asked 50 times a second   median within 2 % of 100 ms
 *   a server that stands still for a second               seen by response times, and not by service times:
 *                                                         with one connection, those who waited were not yet sent
 *
 * Usage: node test/bench/pacing.ts [--seconds 20]
 * Exits 1 when a figure misses its bar. Lateness means something on a machine that is otherwise idle.
 */

import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { startNullService } from '../../src/load/calibration/calibrate.ts';
import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import type { LoadRecord, StreamRecord } from '../../src/record/load-record.ts';
import { loadStream, plainLoad } from '../support/load-scenario.ts';
import { runShardHere } from '../support/shard-run.ts';
import { machineLine, startServer } from './paired.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);

const WARM_UP_S = 3;

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
  readonly isKept: boolean;
}

function steady(rate: number, forSeconds: number, parts: Partial<LoadScenario> = {}): LoadScenario {
  const stream = loadStream({
    arrivals: { kind: 'open', pacer: { kind: 'constant', rate } },
    forMs: forSeconds * 1_000,
  });
  return plainLoad({ streams: [stream], ...parts });
}

function only({ streams }: LoadRecord): StreamRecord {
  const [stream] = streams;
  if (stream === undefined) throw new Error('the record has no stream');
  return stream;
}

const ms = (us: number): string => `${(us / 1_000).toFixed(2)} ms`;

async function keepsItsSchedule(): Promise<readonly Line[]> {
  await using service = await startNullService();
  // Calibrated, as every run of the command line is, which warms the generator; and the service warmed by a
  // first run, so that its compiler does not take the processor from the one that is measured.
  await runShardHere(steady(5_000, WARM_UP_S), service.url, { calibrates: true });
  const { record } = await runShardHere(steady(5_000, seconds), service.url);
  const { counts, lateness, response } = only(record);
  const wanted = 5_000 * seconds;
  return [
    {
      what: `5,000/s for ${seconds} s: arrivals`,
      measured: `${counts.ok} answered of ${lateness.count}`,
      bar: String(wanted),
      isKept: lateness.count === wanted && counts.ok === wanted,
    },
    {
      what: 'lateness p50 / p99 / max',
      measured: [lateness.p50Us, lateness.p99Us, lateness.maxUs].map(ms).join(' / '),
      bar: 'p99 ≤ 2 ms',
      isKept: lateness.p99Us <= 2_000,
    },
    {
      what: 'response p50 / p99',
      measured: [response.p50Us, response.p99Us].map(ms).join(' / '),
      bar: '',
      isKept: true,
    },
    {
      what: 'processor',
      measured: `${(record.self.cpu * 100).toFixed(0)} % of a core`,
      bar: '',
      isKept: true,
    },
  ];
}

async function measuresWhatIsThere(): Promise<readonly Line[]> {
  await using server = await startServer('fixed-answer', ['100']);
  const { record } = await runShardHere(steady(50, 6), server.url);
  const { p50Us } = only(record).response;
  return [
    {
      what: 'answers after 100 ms, 50/s: response p50',
      measured: ms(p50Us),
      bar: '100 ms ± 2 %',
      isKept: Math.abs(p50Us - 100_000) <= 2_000,
    },
  ];
}

async function chargesAStall(): Promise<readonly Line[]> {
  await using server = await startServer('fixed-answer', ['0', '2000', '1000']);
  const caps = { requests: 1_000_000, connections: 1, inFlight: 10_000 };
  const { record } = await runShardHere(steady(200, 5, { caps }), server.url);
  const { response, service } = only(record);
  return [
    {
      what: 'still for 1 s of 5, one connection: response p90 / max',
      measured: [response.p90Us, response.maxUs].map(ms).join(' / '),
      bar: 'p90 ≥ 300 ms, max ≈ 1 s',
      isKept: response.p90Us >= 300_000 && Math.abs(response.maxUs - 1_000_000) < 100_000,
    },
    {
      what: 'service p90 / max',
      measured: [service.p90Us, service.maxUs].map(ms).join(' / '),
      bar: 'p90 ≤ 50 ms',
      isKept: service.p90Us <= 50_000,
    },
  ];
}

process.stdout.write(
  `${machineLine()}, load ${loadavg()[0]?.toFixed(2)}\n| figure | measured | bar | |\n|---|---|---|---|\n`,
);
for (const measure of [keepsItsSchedule, measuresWhatIsThere, chargesAStall]) {
  for (const { what, measured, bar, isKept } of await measure()) {
    if (!isKept) process.exitCode = 1;
    process.stdout.write(`| ${what} | ${measured} | ${bar} | ${isKept ? '' : 'missed'} |\n`);
  }
}
