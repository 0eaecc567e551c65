/**
 * The search for the knee against services with known answers: throttled to 200, 500, 1,000 and 2,000 requests a
 * second, by their rate, by the places they have, and by a queue that grows.
 *
 *   load ─► throttle ─► null service          found ÷ known: within 10 %, in 19 of 20 searches
 *
 * Usage: node test/bench/knee.ts [--searches 20] [--step 5]
 * Each takes about a minute. Exits 1 when fewer than 19 of 20 are right.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { startNullService } from '../../src/load/calibration/calibrate.ts';
import { planLoad } from '../../src/load/plan/load-plan.ts';
import { runLoad } from '../../src/load/run-load.ts';
import { findKnee, type Knee } from '../../src/load/verdict/find-knee.ts';
import { loadStream, plainLoad } from '../support/load-scenario.ts';
import { machineLine } from './paired.ts';

const { values } = parseArgs({
  options: { searches: { type: 'string', default: '20' }, step: { type: 'string', default: '5' } },
});
const searches = Number(values.searches);
const RATES = [200, 500, 1_000, 2_000];
const KINDS = ['rate', 'concurrency', 'queue'];
const COMBINATIONS = RATES.flatMap((rate) => KINDS.map((kind) => ({ kind, rate })));
const WITHIN = 0.1;
const LEAST_RIGHT = 0.95;
/** Where the search begins: below some of the answers, above others. */
const FIRST_RATES = [70, 300, 110];

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

process.stdout.write(`${machineLine()}; steps of ${values.step} s\n`);
process.stdout.write(
  '| throttled by | known /s | begun at | found /s | ratio | steps | ended by | |\n|---|---|---|---|---|---|---|---|\n',
);
let right = 0;
await using nullService = await startNullService();
for (let run = 0; run < searches; run++) {
  const { kind, rate } = COMBINATIONS[run % COMBINATIONS.length] ?? { kind: '', rate: 0 };
  const firstRate = FIRST_RATES[run % FIRST_RATES.length] ?? 1;
  await using service = await startThrottled(kind, rate, nullService.url);
  const { best, broken, steps, endedBy } = await search(service.url, firstRate, run);
  const found = best?.peakRate ?? 0;
  const isRight = Math.abs(found / rate - 1) <= WITHIN;
  if (isRight) right++;
  const cells = [kind, rate, firstRate, Math.round(found), (found / rate).toFixed(2), steps.length, endedBy];
  process.stdout.write(
    `| ${cells.join(' | ')} | ${isRight ? '' : (broken?.reasons.join('; ') ?? 'no step broke')} |\n`,
  );
}
process.stdout.write(`${right} of ${searches} within ${WITHIN * 100} %\n`);
if (right < searches * LEAST_RIGHT) process.exitCode = 1;
