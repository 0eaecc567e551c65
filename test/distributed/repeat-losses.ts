/**
 * Plays a small load on three workers again and again, each time with something else lost, at a moment that
 * the seed decides, and looks whether the run ends by itself with the right verdict.
 *
 *   10.78.0.1  service, NATS, coordinator ─┬─ 10.78.0.2  north
 *                                          ├─ 10.78.0.3  south
 *                                          └─ 10.78.0.4  west
 *
 * Each worker is on a host of its own where hosts can be made; elsewhere all are here, and none is cut off.
 *
 *   npm run prove fleet-losses [-- REPETITIONS [FIRST_SEED]]
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { startWorkbench } from '../support/command-line.ts';
import { hasPart } from '../support/machine-parts.ts';
import { NatsServer } from '../support/nats-server.ts';
import { PlatenProcess, recordIn, SMALL_LOAD, startRun, startWorker } from './support/load-processes.ts';
import { addHosts, BRIDGE_ADDRESS, cutOff, plugIn, reaches, removeHosts } from './support/namespaces.ts';

const REPETITIONS = Number(process.argv[2] ?? 20);
const FIRST_SEED = Number(process.argv[3] ?? 1);
const WORKERS = ['north', 'south', 'west'];
/** The load itself takes four seconds. */
const LATEST_MS = 3_500;
const SERVER_AWAY_MS = 1_000;
const TOKEN = 'agreed';
const hasHosts = hasPart('network-namespaces');
const ADDRESS = hasHosts ? BRIDGE_ADDRESS : '127.0.0.1';
/** The service is elsewhere for everybody, and says that it may be loaded. */
const ALLOWED = hasHosts ? ['--allow-load-on', ADDRESS, '--load-token', TOKEN] : [];

interface Scene {
  readonly nats: NatsServer;
  readonly workers: readonly PlatenProcess[];
  readonly run: PlatenProcess;
  readonly url: string;
  readonly runId: string;
  readonly out: string;
}

interface Loss {
  /** Makes it happen; gives the process whose end is that of the run. */
  readonly happen: (scene: Scene, victim: number) => Promise<PlatenProcess>;
  readonly code: number;
  readonly verdict: string;
}

const LOSSES: Readonly<Record<string, Loss>> = {
  nothing: { happen: ({ run }) => Promise.resolve(run), code: 0, verdict: 'pass' },
  'a worker': {
    happen: async ({ run, workers }, victim) => {
      await workers[victim]?.kill();
      return run;
    },
    code: 2,
    verdict: 'incomplete',
  },
  ...(hasHosts && {
    'the host of a worker, cut off': {
      happen: ({ run }, victim) => {
        cutOff(WORKERS[victim] ?? '');
        return Promise.resolve(run);
      },
      code: 2,
      verdict: 'incomplete',
    },
  }),
  'the coordinator': {
    happen: async ({ run, nats, url, runId, out }) => {
      await run.kill();
      const fleet = ['--nats', nats.url, '--resume', runId, '--lease', '10s', '--out', out];
      return new PlatenProcess(['run', SMALL_LOAD, url, ...fleet, ...ALLOWED]);
    },
    code: 0,
    verdict: 'pass',
  },
  'the server, for a while': {
    happen: async ({ run, nats }) => {
      await nats.kill();
      await sleep(systemClock, SERVER_AWAY_MS);
      await nats.run();
      return run;
    },
    code: 0,
    verdict: 'pass',
  },
};

const hosts = hasHosts ? addHosts(WORKERS) : [];
const workbench = await startWorkbench([
  '--limits',
  'off',
  '--host',
  ADDRESS,
  '--key',
  'test-key',
  '--load-token',
  TOKEN,
]);
let right = 0;
try {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + REPETITIONS; seed++) if (await repeat(seed)) right++;
} finally {
  await workbench.stop();
  if (hasHosts) removeHosts(WORKERS);
}
process.stdout.write(`${right} of ${REPETITIONS} ended by themselves with the right verdict\n`);
process.exitCode = right === REPETITIONS ? 0 : 1;

async function repeat(seed: number): Promise<boolean> {
  const random = createRandom(`losses ${seed}`);
  // In turn: each as often as the others.
  const kinds = Object.keys(LOSSES);
  const what = kinds[seed % kinds.length] ?? '';
  const [victim, afterMs] = [random.integer(0, WORKERS.length - 1), random.integer(0, LATEST_MS)];
  const loss = LOSSES[what];
  if (!loss) throw new Error(`there is no loss '${what}'`);
  const out = mkdtempSync(path.join(tmpdir(), 'platen-losses-'));
  if (hasHosts) WORKERS.forEach(plugIn);
  await using nats = await NatsServer.start({ address: ADDRESS });
  for (const host of hosts) await reaches(host, nats.url);
  const workers = WORKERS.map((name, index) => startWorker(nats.url, name, hosts[index]));
  const run = startRun({ url: workbench.url, natsUrl: nats.url, workers: WORKERS.length, out }, ALLOWED);
  const lasted = startStopwatch();
  try {
    const [, runId = ''] = await run.heard(/run (load-\S+): waiting/);
    await run.heard(/running/);
    await sleep(systemClock, afterMs);
    const last = await loss.happen({ nats, workers, run, url: workbench.url, runId, out }, victim);
    const { code, said } = await last.end();
    const { verdict } = code === 0 || code === 2 ? recordIn(out) : { verdict: said.slice(-300) };
    const isRight = code === loss.code && verdict === loss.verdict;
    process.stdout.write(
      `seed ${seed}: lost ${what} after ${afterMs} ms: exit ${code}, ${verdict}, ${Math.round(lasted() / 1_000)} s${isRight ? '' : '  WRONG'}\n`,
    );
    return isRight;
  } finally {
    for (const process of [run, ...workers]) await process.kill();
    rmSync(out, { recursive: true, force: true });
  }
}
