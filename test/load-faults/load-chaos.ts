/**
 * Chaos: the reference service on a data file, killed three times under load, links that drop at every step
 * of the protocol, client programs that die at every point of a job's way, receivers that fail for a while.
 * After the drain every job must be accounted for, whatever the seed.
 *
 * Usage: node test/load-faults/load-chaos.ts [--seeds 20] [--first 1]   exits 1 when a run is not exact
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { systemClock } from '../../src/common/clock.ts';
import { FaultPlan } from '../../src/common/fault-plan.ts';
import { createRandom, type Random } from '../../src/common/random.ts';
import { CRASH_POINTS, FORGET_JOB } from '../../src/devices/crash-points.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import type { Disaster, LoadScenario } from '../../src/load/load-scenario.ts';
import { BAD_LEDGER_CLASSES, LEDGER_CLASSES } from '../../src/oracle/ledger-classes.ts';
import type { LedgerTotals } from '../../src/oracle/ledger.ts';
import { processTarget } from '../../src/target/process.ts';
import { loadScenario } from '../support/load-scenario.ts';
import { runShardHere } from '../support/shard-run.ts';
import { submissions } from './run-fault.ts';

export interface ChaosRun {
  readonly seed: number;
  readonly totals: LedgerTotals;
  /** Things that went wrong on purpose. */
  readonly faults: number;
  readonly kills: number;
  readonly ambiguous: number;
  readonly webhooksLost: number;
  /** What keeps it from being exact; empty when it is. */
  readonly wrong: readonly string[];
}

/** Every message of the link, by its direction. */
const STEPS = [
  'connect',
  'to-service/hello',
  'to-service/printers',
  'to-service/ack',
  'to-service/job-state',
  'to-computer/welcome',
  'to-computer/job',
  'to-computer/ack',
];
const LOAD_MS = 8_000;
const KILLS_AT_MS = [1_500, 4_000, 6_500];
const DISASTER = { share: 0, forMs: 300, withinMs: 300 };

export async function chaosRun(seed: number): Promise<ChaosRun> {
  const random = createRandom(`chaos ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'platen-chaos-'));
  const target = await processTarget({ dataFile: join(folder, 'service.db'), limits: 'off', seed });
  const faults = new FaultPlan(systemClock, random.stream('faults'));
  try {
    const { record } = await runShardHere(chaos(seed, random), target.baseUrl, {
      apiKey: target.apiKey,
      link: webSocketLink({ clock: systemClock, faults }),
      faults,
      service: target,
      // They begin with the traffic, and end with it: a drain is for what is left over.
      onProgress: ({ phase, second }) => {
        if (phase === 'running' && second?.second === 0) addFaults(faults);
        if (phase === 'draining') faults.clear();
      },
    });
    const { totals } = record.ledger;
    return {
      seed,
      totals,
      faults: faults.log.length,
      kills: record.disasters.filter(({ what }) => what === 'service-killed').length,
      ambiguous: record.settlement.wereAccepted + record.settlement.submittedAgain,
      webhooksLost: record.webhooks?.classes.lost ?? 0,
      wrong: wrongWith(totals, record.settlement.open),
    };
  } finally {
    await target.close();
    await rm(folder, { recursive: true });
  }
}

function addFaults(faults: FaultPlan): void {
  faults.add({ at: 'link/*/connect', fault: 'refuse', probability: 0.2 });
  for (const step of STEPS) {
    faults.add({ at: `link/*/${step}`, fault: 'drop', probability: 0.01 });
    faults.add({ at: `link/*/${step}`, fault: 'drop', probability: 0.01, with: { when: 'after' } });
    faults.add({ at: `link/*/${step}`, fault: 'truncate', probability: 0.005 });
  }
  for (const point of CRASH_POINTS) {
    faults.add({ at: 'computer/*', fault: point, probability: 0.005, for: '300ms', times: 1_000 });
  }
  // Whatever a service sends again without need then prints again.
  faults.add({ at: 'computer/*', fault: FORGET_JOB });
}

function chaos(seed: number, random: Random): LoadScenario {
  const small = { kind: 'made', pages: 1, bytes: 1_500 } as const;
  return loadScenario({
    seed,
    accounts: 2,
    computers: [
      {
        template: {
          name: 'Shop',
          printers: [
            { profile: 'laser-a4', name: 'Laser' },
            { profile: 'label-zebra-zpl', name: 'Labels' },
          ],
        },
        count: 20,
        behaviour: 'steady',
      },
    ],
    documents: [
      { name: 'invoice', language: 'pdf', via: 'base64', source: small, bytes: small.bytes },
      { name: 'label', language: 'raw', via: 'base64', source: small, bytes: small.bytes },
    ],
    streams: [submissions('invoices', 0, 40, LOAD_MS), submissions('labels', 1, 60, LOAD_MS)],
    webhooks: {
      receiver: { answers: 'ok', delayMs: 0 },
      outage: {
        atMs: 2_000,
        forMs: 2_000,
        receiver: { answers: random.pick(['error', 'reset', 'no-header']), delayMs: 0 },
      },
    },
    timeoutMs: 2_000,
    drainMs: 45_000,
    disasters: disasters(random),
  });
}

/** Three deaths of the service, and what happens to sites meanwhile. */
function disasters(random: Random): readonly Disaster[] {
  const around = (ms: number): number => ms + random.integer(-500, 500);
  return [
    ...KILLS_AT_MS.map((ms): Disaster => ({ ...DISASTER, what: 'service-killed', atMs: around(ms) })),
    { ...DISASTER, what: 'power-cut', atMs: around(3_000), share: 0.4 },
    { ...DISASTER, what: 'reconnect-storm', atMs: around(5_000), share: 1 },
    { ...DISASTER, what: 'rolling-restart', atMs: around(5_500), share: 0.5 },
  ];
}

function wrongWith(totals: LedgerTotals, open: number): readonly string[] {
  const sum = LEDGER_CLASSES.reduce((all, name) => all + totals.classes[name], 0);
  return [
    ...BAD_LEDGER_CLASSES.filter((name) => totals.classes[name] > 0).map(
      (name) => `${totals.classes[name]} ${name}`,
    ),
    ...(sum === totals.intents ? [] : [`the classes add up to ${sum} of ${totals.intents}`]),
    ...(totals.clashes > 0 ? [`${totals.clashes} clashes`] : []),
    ...(totals.unreported > 0 ? [`${totals.unreported} unreported`] : []),
    ...(open > 0 ? [`${open} never settled`] : []),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '20' }, first: { type: 'string', default: '1' } },
  });
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.first) + index);
  let exact = 0;
  for (const seed of seeds) {
    const { totals, faults, kills, ambiguous, webhooksLost, wrong } = await chaosRun(seed);
    if (wrong.length === 0) exact++;
    const classes = LEDGER_CLASSES.filter((name) => totals.classes[name] > 0)
      .map((name) => `${totals.classes[name]} ${name}`)
      .join(', ');
    const facts = `${totals.intents} jobs: ${classes}; ${faults} faults, ${kills} kills`;
    process.stdout.write(
      `seed ${seed}: ${wrong.join(', ') || 'exact'} (${facts}, ${ambiguous} ambiguous settled, ` +
        `${totals.redelivered} delivered again, ${webhooksLost} webhook events lost)\n`,
    );
  }
  process.stdout.write(`${exact} of ${seeds.length} exact\n`);
  process.exitCode = exact === seeds.length ? 0 : 1;
}
