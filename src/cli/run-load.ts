/**
 * platen run, for scenarios with traffic: plans, asks for permission, runs in processes, reports.
 *
 *   file ─► plan ─┬─► --plan: what would be sent, and nothing more
 *                 ├─► --find-knee: steps, until a threshold breaks
 *                 └─► a run ─► reports and ledger.bin ─► verdict, exit code
 */

import path from 'node:path';

import { InvalidArgumentError, Option, type Command } from 'commander';

import { usageError, type ActionableError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { durationMs } from '../common/duration.ts';
import { isLoopback } from '../common/loopback.ts';
import type { Permission } from '../load/permission.ts';
import type { OpenMetrics } from '../load/metrics/open-metrics.ts';
import type { LoadPlan } from '../load/plan/load-plan.ts';
import type { ProcessCount } from '../load/plan/process-count.ts';
import type { LoadScenario } from '../load/plan/load-scenario.ts';
import type { LoadResult, RunLoadOptions } from '../load/run-load.ts';
import type { ShardProgress } from '../load/shard/shard-monitor.ts';
import type { LoadTarget } from '../load/shard/shard-messages.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { newRunId } from './files/publish.ts';
import { interruptions, type Interruptions } from './interruption.ts';
import { openService, type ServiceFlags } from './load/open-service.ts';
import { readBaseline, reportLoad, type OutputFlags } from './load/report-load.ts';
import { searchKnee } from './load/search-knee.ts';
import { showPlan } from './load/show-plan.ts';
import { placeNamed } from './options/open-target.ts';
import { addMetricsOption, openAskedMetrics, type MetricsFlags } from './options/metrics-option.ts';
import { duration, numberOfProcesses, shard } from './options/option-values.ts';
import { addFleetOptions, playOnFleet, type FleetFlags } from './run-fleet.ts';
import { openFeed, type FeedFlags, type RunFeed } from './remote/run-feed.ts';
import { tellLeftBehind } from './screen/left-behind.ts';
import { err } from './screen/terminal.ts';

export interface LoadFlags extends ServiceFlags, FleetFlags, OutputFlags, FeedFlags, MetricsFlags {
  readonly callbackHost?: string;
  readonly quiet?: true;
  readonly seed?: number | string;
  readonly plan?: true;
  readonly processes?: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly startAt?: Date;
  readonly findKnee?: true;
  readonly stepFor?: string;
  readonly probe?: true;
  readonly calibration: boolean;
  readonly allowLoadOn?: readonly string[];
  readonly loadToken?: string;
}

/** Options of `platen run` for scenarios with traffic. */
export function addLoadOptions(command: Command): Command {
  return addMetricsOption(addFleetOptions(command).optionsGroup('Loads:'))
    .option('--plan', 'show what would be sent, and send nothing')
    .option(
      '--processes <n>',
      'split it over n processes of this machine (default: by the plan and the cores)',
      numberOfProcesses,
    )
    .option('--shard <i/n>', "this machine's part of the plan; platen report adds the parts up", shard)
    .option('--start-at <time>', 'ISO time at which all machines start (default: at once)', isoTime)
    .option('--find-knee', 'find the highest rate at which every threshold is kept')
    .option('--step-for <duration>', 'how long each step of --find-knee takes (default: 10s)', duration)
    .option('--probe', 'saturate single endpoints first, with autocannon and with our own connections')
    .option('--baseline <file>', 'compare with the run.json of an earlier run')
    .option('--no-calibration', 'do not measure the generator against the null service first')
    .option('--allow-load-on <host>', 'allow load on this host, beside this machine', hosts)
    .addOption(
      new Option('--load-token <token>', 'what such a host serves at /.well-known/platen-load').env(
        'PLATEN_LOAD_TOKEN',
      ),
    );
}

/** Flags that mean nothing where there is no traffic. */
const LOAD_FLAGS = {
  plan: '--plan',
  processes: '--processes',
  shard: '--shard',
  startAt: '--start-at',
  findKnee: '--find-knee',
  stepFor: '--step-for',
  probe: '--probe',
  baseline: '--baseline',
  metrics: '--metrics',
  allowLoadOn: '--allow-load-on',
  nats: '--nats',
  workers: '--workers',
  resume: '--resume',
} as const satisfies Readonly<Partial<Record<keyof LoadFlags, string>>>;

/** @throws ActionableError when one of them is given for scenarios without traffic */
export function refuseLoadFlags(place: string, flags: LoadFlags): void {
  const given = Object.entries(flags).find(([name, value]) => name in LOAD_FLAGS && value !== undefined)?.[0];
  if (given === undefined) return;
  throw usageError(
    `${LOAD_FLAGS[given as keyof typeof LOAD_FLAGS]} needs traffic, and ${place} has none`,
    'Name a scenario with traffic (docs/load.md), or omit the option.',
  );
}

export interface LoadFile {
  readonly file: string;
  readonly load: LoadScenario;
}

/** Runs scenarios with traffic, one after the other. @returns the worst exit code */
export async function runLoads(
  files: readonly LoadFile[],
  url: string | undefined,
  flags: LoadFlags,
): Promise<ExitCode> {
  if (flags.findKnee && flags.baseline !== undefined) {
    throw usageError('--baseline compares with one run, and --find-knee makes many', 'Omit one of them.');
  }
  const baseline = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  const pressed = interruptions();
  await using feed = await openFeed(flags);
  await using metrics = flags.plan ? undefined : await openAskedMetrics(flags, newRunId('load', flags));
  let worst: ExitCode = EXIT.good;
  for (const { file, load } of files) {
    const own = files.length > 1 ? withOwnFolder(flags, file) : flags;
    const code = await runOne(load, url, { ...own, baselineRecord: baseline }, { pressed, feed, metrics });
    if (worst === EXIT.good || code === EXIT.failed) worst = code;
    if (pressed.stop.aborted) return EXIT.interrupted;
  }
  return worst;
}

/** What the runs of one command share. */
interface Surroundings {
  readonly pressed: Interruptions;
  readonly feed: RunFeed;
  readonly metrics: OpenMetrics | undefined;
}

/** In one folder, several runs would overwrite each other's reports. */
function withOwnFolder(flags: LoadFlags, file: string): LoadFlags {
  if (flags.out === undefined) return flags;
  return { ...flags, out: path.join(flags.out, path.basename(file, path.extname(file))) };
}

async function runOne(
  scenario: LoadScenario,
  url: string | undefined,
  flags: LoadFlags,
  { pressed, feed, metrics: asked }: Surroundings,
): Promise<ExitCode> {
  const { planLoad } = await import('../load/plan/load-plan.ts');
  const plan = planLoad(scenario, flags.seed);
  refuseAboveCaps(plan);
  if (flags.plan) {
    const shards = flags.workers ?? flags.shard?.count;
    const processes = shards === undefined ? await processCount(plan, url, flags) : undefined;
    await showPlan(plan, { url, shards, processes, json: flags.json === true });
    return EXIT.good;
  }
  if (placeNamed(url, flags) === undefined && flags.shard !== undefined) throw noSharedService();
  await using venue = await openService(scenario, url, flags);
  const { target, service } = venue;
  const settings = await runOptions(plan, target.baseUrl, flags);
  const { LoadSoFar } = await import('../load/load-so-far.ts');
  const shards = flags.workers ?? settings.shard.count * settings.processes;
  const soFar = new LoadSoFar({ plan, runId: settings.runId, target, shards });
  const metrics = asked?.metrics;
  metrics?.begin({ run: settings.runId, title: scenario.title });
  const onProgress = (progress: ShardProgress): void => {
    metrics?.take(progress);
    settings.onProgress?.(progress);
    soFar.take(progress);
    feed.show(() => soFar.record());
  };
  const options = { ...settings, ...pressed, target, service, onProgress };
  if (flags.probe) await showProbe(target, options.permission);
  // Awaited here, or the service would be closed before the run.
  if (flags.findKnee) return await searchKnee(options, durationMs(flags.stepFor ?? '10s'), flags);
  const played = await play(options, flags).catch((error: unknown) => {
    // What a service refused to one that hurries says nothing.
    throw pressed.stop.aborted ? pressed.stop.reason : error;
  });
  const result = { ...played, record: feed.whole(played.record) };
  const code = await reportLoad(result, options.runId, flags);
  if (service === undefined && scenario.accounts === 1) {
    const computers = target.link.kind === 'none' ? '' : 'the computers and ';
    tellLeftBehind(target.name, `${computers}the print jobs of this load`, flags);
  }
  await feed.end(result.record);
  return code;
}

function refuseAboveCaps({ scenario: { caps, title }, estimate: { requests, connections } }: LoadPlan): void {
  if (requests <= caps.requests) return;
  throw usageError(
    `'${title}' would send about ${requests} requests over ${connections} links, and its cap is ${caps.requests} requests`,
    'Lower its rates or its duration, or raise traffic.caps.requests.',
  );
}

function noSharedService(): ActionableError {
  return usageError(
    'several machines cannot share a service that this one starts for itself',
    'Give the address of the service that all shards load; or use --processes instead of --shard.',
  );
}

type Settings = Omit<RunLoadOptions, 'target' | 'service' | keyof Interruptions>;

async function runOptions(plan: LoadPlan, url: string, flags: LoadFlags): Promise<Settings> {
  const { scenario, seed } = plan;
  const { count: processes, because: processesBecause } = await processCount(plan, url, flags);
  return {
    scenario,
    seed,
    permission: { allowedHosts: flags.allowLoadOn ?? [], token: flags.loadToken },
    runId: newRunId('load', flags),
    shard: flags.shard ?? { index: 1, count: 1 },
    processes,
    processesBecause,
    calibrates: flags.calibration,
    startAtMs: flags.startAt?.getTime(),
    onProgress: flags.json || flags.quiet ? undefined : await progressPrinter(),
  };
}

/** @param url - of the service; undefined where the run starts its own */
async function processCount(
  plan: LoadPlan,
  url: string | undefined,
  { processes, shard, findKnee }: LoadFlags,
): Promise<ProcessCount> {
  if (processes !== undefined) return { count: processes, because: 'given with --processes' };
  if (shard !== undefined) return { count: 1, because: 'all machines split their parts alike' };
  const { chooseProcessCount } = await import('../load/plan/process-count.ts');
  return chooseProcessCount(plan, { hasService: url === undefined || isLoopback(url), sendsMost: findKnee === true });
}

async function progressPrinter(): Promise<RunLoadOptions['onProgress']> {
  const { LoadProgress } = await import('./screen/load-progress.ts');
  const progress = new LoadProgress();
  return (sample) => progress.take(sample);
}

async function play(options: RunLoadOptions, flags: LoadFlags): Promise<LoadResult> {
  if (flags.workers !== undefined || flags.resume !== undefined) return playOnFleet(options, flags);
  const { runLoad } = await import('../load/run-load.ts');
  return runLoad(options);
}

function isoTime(text: string): Date {
  const time = new Date(text);
  // Date reads much else, -1 for a day in 2001.
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('write for example 2026-01-31T08:00:00Z');
  if (time.getTime() < systemClock.now()) throw new InvalidArgumentError('it has passed: write a later time');
  return time;
}

function hosts(host: string, before: readonly string[] = []): readonly string[] {
  return [...before, host];
}

/** @throws ActionableError when the target must not be loaded */
async function showProbe({ baseUrl, apiKey }: LoadTarget, permission: Permission): Promise<void> {
  const { ensurePermission } = await import('../load/permission.ts');
  const { PROBED_PATHS, crossCheck } = await import('../load/traffic/saturation-probe.ts');
  await ensurePermission(baseUrl, permission);
  const rows = [['endpoint', 'platen /s', 'autocannon /s', 'ratio', 'CPU µs', 'CPU µs']];
  for (const probed of PROBED_PATHS) {
    const { own, autocannon } = await crossCheck({ baseUrl, apiKey, path: probed });
    rows.push([
      `GET ${probed}`,
      own.requestsPerSecond.toFixed(0),
      autocannon.requestsPerSecond.toFixed(0),
      (own.requestsPerSecond / autocannon.requestsPerSecond).toFixed(2),
      own.cpuPerRequestUs.toFixed(0),
      autocannon.cpuPerRequestUs.toFixed(0),
    ]);
  }
  err(table(rows, '  '));
}
