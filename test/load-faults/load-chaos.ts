/**
 * Chaos: the reference service on a data file, killed three times under load, links that drop at every step
 * of the protocol, client programs that die at every point of a job's way, receivers that fail for a while.
 * After the drain every job and every event must be accounted for, whatever the seed; and each kind of trouble
 * must have happened. On a machine that is busy with other things a service takes longer to come back, and
 * computers get fewer jobs: so the traffic lasts until everything has happened, not for a time.
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
import type { FaultRule } from '../../src/common/fault-rule.ts';
import { createRandom, type Random } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { CRASH_POINTS, FORGET_JOB } from '../../src/devices/computer/crash-points.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import type { ChaosEvent, LoadScenario } from '../../src/load/plan/load-scenario.ts';
import type { LedgerTotals, LoadFacts } from '../../src/record/load-record.ts';
import {
  BAD_LEDGER_CLASSES,
  BAD_STRAYS,
  BAD_WEBHOOK_CLASSES,
  LEDGER_CLASSES,
  WEBHOOK_CLASSES,
  type WebhookClass,
} from '../../src/record/words.ts';
import { processTarget } from '../../src/targets/process.ts';
import { loadScenario, madeDocument, shops, submissions } from '../support/load-scenario.ts';
import { runShardHere } from '../support/shard-run.ts';

export interface ChaosRun {
  readonly seed: number;
  readonly totals: LedgerTotals;
  /** Things that went wrong on purpose. */
  readonly faults: number;
  /** Deaths of the service, which leave requests without an answer. */
  readonly kills: number;
  readonly ambiguous: number;
  readonly webhooks: Readonly<Record<WebhookClass, number>>;
  /** Kinds of trouble that it had none of; a run proves nothing of those. */
  readonly missing: readonly string[];
  /** What keeps it from being exact; empty when it is. */
  readonly wrong: readonly string[];
}

/** Every message of the link, by its direction. */
const STEPS = [
  'to-service/hello',
  'to-service/printers',
  'to-service/ack',
  'to-service/job-state',
  'to-computer/welcome',
  'to-computer/job',
  'to-computer/ack',
];

/** A kind of trouble, as a rule for any computer. */
interface Trouble {
  readonly name: string;
  readonly rule: (computer: string) => FaultRule;
  readonly probability: number;
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'refused',
    rule: (computer) => ({ at: `link/${computer}/connect`, fault: 'refuse' }),
    probability: 0.2,
  },
  ...STEPS.flatMap((step): readonly Trouble[] => [
    {
      name: `dropped before ${step}`,
      rule: (computer) => ({ at: `link/${computer}/${step}`, fault: 'drop' }),
      probability: 0.01,
    },
    {
      name: `dropped after ${step}`,
      rule: (computer) => ({ at: `link/${computer}/${step}`, fault: 'drop', with: { when: 'after' } }),
      probability: 0.01,
    },
    {
      name: `cut in the middle of ${step}`,
      rule: (computer) => ({ at: `link/${computer}/${step}`, fault: 'truncate' }),
      probability: 0.005,
    },
  ]),
  ...CRASH_POINTS.map((point): Trouble => ({
    name: point,
    rule: (computer) => ({ at: `computer/${computer}`, fault: point, for: '300ms' }),
    probability: 0.005,
  })),
];

const COMPUTERS = 20;
/** Each kind of trouble is certain to hit this many computers. */
const CERTAIN_AT = 4;
/** How long the traffic lasts at least: it goes on until everything has happened. */
const SHORTEST_MS = 12_000;
const LONGEST_MS = 90_000;
/** After the second request to a receiver that fails: each death puts the next one off. */
const KILLS_AT_MS = [6_800, 9_200, 11_600];
const EVENT = { share: 0, forMs: 300, withinMs: 300 };
/** Longer than the wait before a second request: what it fails as well is given up, the rest comes twice. */
const OUTAGE = { atMs: 0, forMs: 7_500 };
const LONGEST_BACKOFF_MS = 500;

const NO_EVENTS = Object.fromEntries(WEBHOOK_CLASSES.map((name) => [name, 0])) as Record<WebhookClass, number>;

export async function chaosRun(seed: number): Promise<ChaosRun> {
  const random = createRandom(`chaos ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'platen-chaos-'));
  const target = await processTarget({ dataFile: join(folder, 'service.db'), limits: 'off', seed });
  const faults = new FaultPlan(systemClock, random.stream('faults'));
  const enough = new AbortController();
  let named: ReadonlyMap<string, string> = new Map();
  let kills = 0;
  let restarts = 0;
  try {
    const { record } = await runShardHere(chaos(seed, random), target.baseUrl, {
      apiKey: target.apiKey,
      link: webSocketLink({ clock: systemClock, faults }),
      faults,
      stop: enough.signal,
      service: {
        async restart() {
          await target.restart();
          restarts++;
        },
        async kill() {
          await target.kill();
          if (await isGone(target.baseUrl)) kills++;
        },
      },
      // They begin with the traffic, and end with it: a drain is for what is left over.
      onProgress: ({ phase, second }) => {
        if (phase === 'running' && second?.second === 0) named = addFaults(faults, random);
        if (phase === 'draining') faults.clear();
        const isLongEnough = second !== null && (second.second + 1) * 1_000 >= SHORTEST_MS;
        const isBack = restarts === KILLS_AT_MS.length;
        if (isLongEnough && isBack && notYet(faults, named).length === 0) enough.abort();
      },
    });
    return {
      seed,
      totals: record.ledger.totals,
      faults: faults.log.length,
      kills,
      ambiguous: record.settlement.wereAccepted + record.settlement.submittedAgain,
      webhooks: record.webhooks?.classes ?? NO_EVENTS,
      missing: [...notYet(faults, named), ...missingIn(record)],
      wrong: wrongWith(record),
    };
  } finally {
    await target.close();
    await rm(folder, { recursive: true });
  }
}

async function isGone(url: string): Promise<boolean> {
  return fetch(`${url}/ping`).then(
    () => false,
    () => true,
  );
}

/** The kinds of trouble that have not happened so far. */
function notYet(faults: FaultPlan, named: ReadonlyMap<string, string>): readonly string[] {
  const happened = new Set(faults.log.map(({ rule }) => named.get(rule)));
  return TROUBLES.filter(({ name }) => !happened.has(name)).map(({ name }) => name);
}

/**
 * Each kind by chance everywhere, and for certain once at some. The kinds are spread evenly: where many fall on
 * one computer, those late on a job's way wait until it has got over all others.
 *
 * @returns the kind, by the id of a rule
 */
function addFaults(faults: FaultPlan, random: Random): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const first = random.integer(0, COMPUTERS - 1);
  for (const [place, { name, rule, probability }] of TROUBLES.entries()) {
    for (let next = 0; next < CERTAIN_AT; next++) {
      const shop = `Shop ${((first + place * CERTAIN_AT + next) % COMPUTERS) + 1}`;
      named.set(faults.add({ ...rule(shop), times: 1 }), name);
    }
    named.set(faults.add({ ...rule('*'), probability, times: 1_000 }), name);
  }
  // Whatever a service sends again without need then prints again.
  faults.add({ at: 'computer/*', fault: FORGET_JOB });
  return named;
}

function chaos(seed: number, random: Random): LoadScenario {
  return loadScenario({
    seed,
    accounts: 2,
    computers: shops(COMPUTERS),
    documents: [madeDocument('invoice', 'pdf', 1_500), madeDocument('label', 'raw', 1_500)],
    streams: [submissions('invoices', 0, 40, LONGEST_MS), submissions('labels', 1, 60, LONGEST_MS)],
    webhooks: {
      receiver: { answers: 'ok', delayMs: 0 },
      outage: {
        ...OUTAGE,
        receiver: { answers: random.pick(['error', 'reset', 'no-header']), delayMs: 0 },
      },
    },
    timeoutMs: 2_000,
    drainMs: 45_000,
    longestBackoffMs: LONGEST_BACKOFF_MS,
    chaos: chaosEvents(random),
  });
}

/** Three deaths of the service, and what happens to sites meanwhile. */
function chaosEvents(random: Random): readonly ChaosEvent[] {
  const around = (ms: number): number => ms + random.integer(-200, 200);
  return [
    ...KILLS_AT_MS.map((ms): ChaosEvent => ({ ...EVENT, what: 'service-killed', atMs: around(ms) })),
    { ...EVENT, what: 'power-cut', atMs: around(2_500), share: 0.4 },
    { ...EVENT, what: 'reconnect-storm', atMs: around(4_000), share: 1 },
    { ...EVENT, what: 'rolling-restart', atMs: around(7_500), share: 0.5 },
  ];
}

/** What should have happened beside the faults at computers, and did not. */
function missingIn({ disasters, webhooks, settlement }: LoadFacts): readonly string[] {
  const classes = webhooks?.classes ?? NO_EVENTS;
  const { wereAccepted, submittedAgain } = settlement;
  const hit = (what: ChaosEvent['what']): number =>
    disasters.filter((one) => one.what === what).reduce((all, one) => all + one.hit, 0);
  const seen: Readonly<Record<string, number>> = {
    'computers hit by a power cut': hit('power-cut'),
    'computers in a reconnect storm': hit('reconnect-storm'),
    'computers in a rolling restart': hit('rolling-restart'),
    'submissions without an answer': wereAccepted + submittedAgain,
    'webhook events sent twice': classes.repeated,
    'requests that receivers failed': webhooks?.receipts.failed ?? 0,
  };
  return Object.keys(seen).filter((what) => seen[what] === 0);
}

function wrongWith({ ledger: { totals }, webhooks, settlement, disasters }: LoadFacts): readonly string[] {
  const sum = LEDGER_CLASSES.reduce((all, name) => all + totals.classes[name], 0);
  const counts: readonly (readonly [number, string])[] = [
    ...BAD_LEDGER_CLASSES.map((name) => [totals.classes[name], name] as const),
    ...BAD_WEBHOOK_CLASSES.map((name) => [webhooks?.classes[name] ?? 0, `webhook events ${name}`] as const),
    ...BAD_STRAYS.map((kind) => [webhooks?.strays[kind] ?? 0, `webhook events ${kind}`] as const),
    [Math.abs(totals.intents - sum), 'jobs in no class'],
    [totals.clashes, 'clashes'],
    [totals.unreported, 'unreported'],
    [settlement.open, 'never settled'],
    [disasters.filter(({ recoveredMs }) => recoveredMs === null).length, 'chaos events without a recovery'],
  ];
  return counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '20' }, first: { type: 'string', default: '1' } },
  });
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.first) + index);
  let exact = 0;
  for (const seed of seeds) {
    const lasted = startStopwatch();
    const run = await chaosRun(seed);
    const flaws = [...run.wrong, ...run.missing.map((what) => `no ${what}`)];
    if (flaws.length === 0) exact++;
    const { totals, webhooks } = run;
    const classes = LEDGER_CLASSES.filter((name) => totals.classes[name] > 0).map(
      (name) => `${totals.classes[name]} ${name}`,
    );
    const events = WEBHOOK_CLASSES.filter((name) => webhooks[name] > 0).map((name) => `${webhooks[name]} ${name}`);
    process.stdout.write(
      `seed ${seed}: ${flaws.join(', ') || 'exact'}, ${Math.round(lasted() / 1_000)} s ` +
        `(${totals.intents} jobs: ${classes.join(', ')}; events: ${events.join(', ')}; ` +
        `${run.faults} faults, ${run.kills} kills, ${run.ambiguous} ambiguous settled, ` +
        `${totals.redelivered} delivered again)\n`,
    );
  }
  process.stdout.write(`${exact} of ${seeds.length} exact\n`);
  process.exitCode = exact === seeds.length ? 0 : 1;
}
