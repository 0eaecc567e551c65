/**
 * The search for the knee against services with known answers: throttled to 200, 500, 1,000 and 2,000 requests a
 * second, by their rate, by the places they have, and by a queue that grows.
 *
 *   load ─► throttle ─► null service          found ÷ known: within 10 %, in 19 of 20 searches
 *
 * Usage: node test/bench/knee.ts [--from 1] [--to 20] [--step 5]
 * Each takes about a minute; a part of them replaces its rows of reports/baseline/knee.md. One that the generator ended
 * has no answer: the machine was busy. Exits 1 when fewer than 19 of 20 of the page are right.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { startNullService } from '../../src/load/calibration/calibrate.ts';
import { planLoad } from '../../src/load/plan/load-plan.ts';
import { runLoad } from '../../src/load/run-load.ts';
import { findKnee, type Knee } from '../../src/load/verdict/find-knee.ts';
import { readBaselineRows, writeBaselinePage } from '../support/baseline-page.ts';
import { loadStream, plainLoad } from '../support/load-scenario.ts';
import { machineLine } from './paired.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: '20' },
    step: { type: 'string', default: '5' },
  },
});
const PAGE = 'knee.md';
const KINDS = ['rate', 'concurrency', 'queue'];
const RATES = [200, 500, 1_000, 2_000];
/** Where a search begins: below some of the answers, above others. */
const FIRST_RATES = [70, 300, 110];
const SEARCHES = Array.from({ length: 20 }, (_, place) => ({
  number: place + 1,
  kind: inTurn(KINDS, place),
  known: inTurn(RATES, Math.floor(place / KINDS.length)),
  firstRate: inTurn(FIRST_RATES, Math.floor(place / KINDS.length)),
}));
const WITHIN = 0.1;
const LEAST_RIGHT = 19;
const RATIO_COLUMN = 5;

function inTurn<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('nothing to take in turn');
  return item;
}

async function startThrottled(kind: string, rate: number, upstream: string) {
  const file = fileURLToPath(new URL('servers/throttled-server.ts', import.meta.url));
  const child = fork(file, [kind, String(rate), upstream], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [message] = (await once(child, 'message')) as [{ readonly url: string }];
  const close = async (): Promise<void> => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { url: message.url, [Symbol.asyncDispose]: close };
}

function search(url: string, firstRate: number, seed: number): Promise<Knee> {
  const never = new AbortController().signal;
  const stream = loadStream({ arrivals: { kind: 'open', pacer: { kind: 'constant', rate: firstRate } } });
  return findKnee({
    scenario: plainLoad({ streams: [stream], drainMs: 10_000, timeoutMs: 10_000 }),
    stepMs: Number(values.step) * 1_000,
    peakRateOf: (scenario) => planLoad(scenario, seed).estimate.peakRate,
    run: async (scenario) => {
      const { record } = await runLoad({
        scenario,
        seed,
        target: { name: 'throttled', baseUrl: url, apiKey: 'null', link: { kind: 'websocket' } },
        permission: { allowedHosts: [], token: undefined },
        runId: 'knee',
        shard: { index: 1, count: 1 },
        processes: 1,
        calibrates: false,
        stop: never,
        halt: never,
      });
      return record;
    },
    signal: never,
  });
}

/** Those of the page that were not searched now. */
const rows = new Map(readBaselineRows(PAGE).map((row) => [Number(row[0]), row]));
await using nullService = await startNullService();
for (const { number, kind, known, firstRate } of SEARCHES.slice(Number(values.from) - 1, Number(values.to))) {
  await using service = await startThrottled(kind, known, nullService.url);
  const { best, broken, steps, endedBy } = await search(service.url, firstRate, number);
  const found = best?.peakRate ?? 0;
  const figures = [kind, known, firstRate, Math.round(found), (found / known).toFixed(2), steps.length, endedBy];
  const row = [number, ...figures, broken?.reasons.join('; ') ?? 'no step broke'].map(String);
  process.stdout.write(`${row.join('  ')}\n`);
  rows.set(number, row);
}
const right = [...rows.values()].filter((row) => Math.abs(Number(row[RATIO_COLUMN]) - 1) <= WITHIN).length;
writeBaselinePage(PAGE, {
  title: 'The knee of services with known answers',
  command: 'npm run bench knee',
  about: `${right} of ${rows.size} searches are within ${WITHIN * 100} % of the known answer (bar ${LEAST_RIGHT} of ${SEARCHES.length}). ${machineLine()}; steps of ${values.step} s.`,
  columns: ['', 'throttled by', 'known /s', 'begun at', 'found /s', 'ratio', 'steps', 'ended by', 'beyond it'],
  rows: [...rows.values()].toSorted((one, other) => Number(one[0]) - Number(other[0])),
});
if (right < LEAST_RIGHT) process.exitCode = 1;
