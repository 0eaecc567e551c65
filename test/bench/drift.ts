/**
 * Soaks of services with a known drift: one that leaks 1 MB a minute, one that slows by 5 % an hour, one that loses
 * 1 job of 100,000; and of ten sound ones. Each has a load of its own; all go on at the same time.
 *
 *   load ─► reference service with a drift ─► what the soak says of it, and of nothing else
 *
 * In less than an hour, what slows does so by 5 % over the soak: there is as much to find, and less to find it in.
 * The others drift as they are said to.
 *
 * Usage: node test/bench/drift.ts [--minutes 12] [--from 1] [--to 13]
 * Soaks replace their rows of reports/baseline/drift.md. Exits 1 when the page has a drift that was not named, or a
 * sound service that was accused.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import { runLoad } from '../../src/load/run-load.ts';
import type { LoadRecord, TrendRecord } from '../../src/record/load-record.ts';
import { viewOf } from '../../src/report/view/view-of.ts';
import { readBaselineRows, writeBaselinePage } from '../support/baseline-page.ts';
import { loadOperation, loadStream, madeDocument, plainLoad, shops, submissions } from '../support/load-scenario.ts';
import { FIRST_KEY } from '../support/running-service.ts';
import { machineLine } from './paired.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '12' },
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: '13' },
  },
});
const PAGE = 'drift.md';
const minutes = Number(values.minutes);
const forMs = minutes * 60_000;
const LEAK_BYTES_A_SECOND = 1_000_000 / 60;
const SLOWER_AN_HOUR = (0.05 * 60) / minutes;
const LOSES_ONE_OF = 100_000;
/** More than LOSES_ONE_OF in all. */
const JOBS_A_SECOND = Math.ceil((LOSES_ONE_OF * 1.05) / (minutes * 60));
const HELD_MS = 20;
/** Timers have whole milliseconds: 5 % must be some of them. */
const SLOWING_HELD_MS = 100;
const MEGABYTE = 1e6;

interface Soak {
  readonly service: string;
  /** The arguments of the drifting server. */
  readonly argv: readonly [kind: string, amount: number, heldMs: number];
  readonly scenario: LoadScenario;
  /** What a soak must say of it; nothing of a sound one. */
  readonly finding: string;
}

/** Twenty requests a second, and nothing that a service has to keep. */
function reading(): LoadScenario {
  const operations = [loadOperation('list-printers'), loadOperation('states'), loadOperation('whoami')];
  const arrivals = { kind: 'open', pacer: { kind: 'constant', rate: 20 } } as const;
  return soaking({ streams: [loadStream({ operations, arrivals, forMs })] });
}

function printing(): LoadScenario {
  return soaking({
    accounts: 2,
    computers: shops(20),
    documents: [madeDocument('label', 'raw', 200)],
    streams: [submissions('labels', 0, JOBS_A_SECOND, forMs)],
    drainMs: 30_000,
  });
}

/** That the machine is busy is no verdict on the service. */
function soaking(parts: Partial<LoadScenario>): LoadScenario {
  return plainLoad({ timeoutMs: 30_000, thresholds: ['lateness.p99 <= 10s'], ...parts });
}

const DRIFTING: readonly Soak[] = [
  {
    service: 'leaks 1 MB a minute',
    argv: ['leaks', LEAK_BYTES_A_SECOND, HELD_MS],
    scenario: reading(),
    finding: 'service-memory',
  },
  {
    service: `slows by ${Math.round(SLOWER_AN_HOUR * 100)} % an hour`,
    argv: ['slows', SLOWER_AN_HOUR, SLOWING_HELD_MS],
    scenario: reading(),
    finding: 'response',
  },
  {
    service: `loses 1 job of ${LOSES_ONE_OF.toLocaleString('en')}`,
    argv: ['loses', LOSES_ONE_OF, 0],
    scenario: printing(),
    finding: '1 job lost',
  },
];
const SOUND: readonly Soak[] = Array.from({ length: 10 }, (_, place) => ({
  service: `is sound (${place + 1})`,
  argv: ['none', 0, place % 2 === 0 ? HELD_MS : 0],
  scenario: reading(),
  finding: '',
}));

async function soak({ argv, scenario }: Soak, seed: number): Promise<LoadRecord> {
  const file = fileURLToPath(new URL('servers/drifting-server.ts', import.meta.url));
  const child = fork(file, argv.map(String), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }];
  const never = new AbortController().signal;
  try {
    const { record } = await runLoad({
      scenario,
      seed,
      target: { name: 'drifting', baseUrl: url, apiKey: FIRST_KEY, link: { kind: 'websocket' } },
      permission: { allowedHosts: [], token: undefined },
      runId: `drift-${seed}`,
      shard: { index: 1, count: 1 },
      processes: 1,
      calibrates: false,
      stop: never,
      halt: never,
    });
    return record;
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

/** Nothing else may be said of it: but one that keeps 100,000 jobs grows, which is as it should be. */
function isRight({ finding }: Soak, { reasons, drift }: LoadRecord): boolean {
  const drifting = drift?.trends.filter(({ isDrift }) => isDrift).map(({ what }) => what) ?? ['not judged'];
  const found = [...reasons, ...drifting].filter((one) => finding !== '1 job lost' || one !== 'service-memory');
  return found.join() === finding;
}

function trendOf({ drift }: LoadRecord, what: TrendRecord['what'], size: number): string {
  const trend = drift?.trends.find((one) => one.what === what);
  if (!trend) return '';
  const [low, high] = [trend.low, trend.high].map((value) => (value / size).toFixed(1));
  return `${low} to ${high}`;
}

const WRONG = 'wrong';
const soaks = [...DRIFTING, ...SOUND].slice(Number(values.from) - 1, Number(values.to));
const soaked = await Promise.all(
  soaks.map(async (one, place) => {
    const record = await soak(one, place + 1);
    const row = [
      `${minutes} min`,
      one.service,
      String(record.streams.reduce((sum, { response }) => sum + response.count, 0)),
      trendOf(record, 'service-memory', MEGABYTE),
      trendOf(record, 'response', 0.01),
      viewOf(record).sentence,
      isRight(one, record) ? '' : WRONG,
    ];
    process.stdout.write(`${row.join('  ')}\n`);
    return row;
  }),
);
/** By the length of a soak and its service; those of the page that did not go on now. */
const rows = new Map([...readBaselineRows(PAGE), ...soaked].map((row) => [row.slice(0, 2).join(), row]));
const wrong = [...rows.values()].filter((row) => row.at(-1) === WRONG).length;
writeBaselinePage(PAGE, {
  title: 'Soaks of services with a known drift',
  command: 'npm run bench drift',
  about: [
    `${rows.size - wrong} of ${rows.size} soaks name the drift that there is, and no other (bar all).`,
    'What slows does so by 5 % over its soak: as much to find as in an hour, in fewer seconds, each of them as noisy.',
    'Leaks and losses are as large as they are said to be. Requests are answered after 100 ms where that grows, else after 20 or at once.',
    `99 of 100 growths lie between the two that are given. ${machineLine()}.`,
  ].join('\n'),
  columns: ['', 'the service', 'requests', 'memory, MB an hour', 'response, % an hour', 'said of it', ''],
  rows: [...rows.values()].toSorted((a, b) =>
    a.slice(0, 2).join().localeCompare(b.slice(0, 2).join(), 'en', { numeric: true }),
  ),
});
if (wrong > 0) process.exitCode = 1;
