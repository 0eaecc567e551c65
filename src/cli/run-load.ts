/**
 * platen run, for scenarios with traffic: plans, asks for permission, runs in processes, reports.
 *
 *   file ─► plan ─┬─► --plan: what would be sent, and that is all
 *                 ├─► --find-knee: steps, until thresholds break
 *                 └─► a run ─► reports and ledger.bin ─► verdict, exit code
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { InvalidArgumentError, Option, type Command } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { durationMs, formatDuration } from '../common/duration.ts';
import type { FleetPlan } from '../load/plan/fleet-plan.ts';
import type { LoadPlan } from '../load/plan/load-plan.ts';
import type { LoadScenario } from '../load/plan/load-scenario.ts';
import type { LoadEstimate } from '../load/plan/plan-estimate.ts';
import type { KillableService } from '../load/room/chaos.ts';
import type { LoadResult, RunLoadOptions } from '../load/run-load.ts';
import type { LinkKind, LoadTarget } from '../load/shard/shard-messages.ts';
import type { LoadComparison } from '../record/load-comparison.ts';
import type { LoadRecord } from '../record/load-record.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { writeFileWhole } from './files/whole-file.ts';
import { interruptions, type Interruptions } from './interruption.ts';
import { duration, positiveNumber, shard } from './options/option-values.ts';
import { publishOnGithub, withGithub, type PublishFlags } from './files/publish.ts';
import { addFleetOptions, playOnFleet, type FleetFlags } from './run-fleet.ts';
import { guarded } from './screen/github-log.ts';
import { err, out, outJson, table } from './screen/terminal.ts';

/** Where the reference service of a run listens, whatever its port. */
const OWN_SERVICE_URL = 'http://127.0.0.1';

export interface LoadFlags extends FleetFlags, PublishFlags {
  readonly key: string;
  readonly link?: string;
  readonly callbackHost?: string;
  readonly seed?: string;
  readonly out?: string;
  readonly quiet?: true;
  readonly plan?: true;
  readonly processes?: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly startAt?: Date;
  readonly findKnee?: true;
  readonly stepFor?: string;
  readonly probe?: true;
  readonly baseline?: string;
  readonly calibration: boolean;
  readonly allowLoadOn?: readonly string[];
  readonly loadToken?: string;
}

/** Options of `platen run` that only scenarios with traffic know. */
export function addLoadOptions(command: Command): Command {
  return addFleetOptions(command)
    .option('--plan', 'load: say what would be sent, and send nothing')
    .option(
      '--processes <n>',
      'load: spread it over so many processes of this machine (default: 1)',
      positiveNumber,
    )
    .option('--shard <i/n>', "load: this machine's part of the plan; platen report adds the parts up", shard)
    .option('--start-at <time>', 'load: ISO time at which all machines start; at once without it', isoTime)
    .option('--find-knee', 'load: find the highest rate at which every threshold is kept')
    .option('--step-for <duration>', 'load: how long each step of --find-knee takes (default: 10s)', duration)
    .option('--probe', 'load: saturate single endpoints first, with autocannon and with our own lanes')
    .option('--baseline <file>', 'load: compare with the run.json of an earlier run')
    .option('--no-calibration', 'load: do not measure the generator against the null service first')
    .option('--allow-load-on <host>', 'load: a host beside this machine that may be loaded', hosts)
    .addOption(
      new Option('--load-token <token>', 'load: what such a host serves at /.well-known/platen-load').env(
        'PLATEN_LOAD_TOKEN',
      ),
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
  const pressed = interruptions();
  let worst: ExitCode = EXIT.good;
  for (const { file, load } of files) {
    const code = await runOne(load, url, files.length > 1 ? withOwnFolder(flags, file) : flags, pressed);
    if (worst === EXIT.good || code === EXIT.failed) worst = code;
    if (pressed.stop.aborted) return EXIT.interrupted;
  }
  return worst;
}

/** Several runs in one folder would each write over the last. */
function withOwnFolder(flags: LoadFlags, file: string): LoadFlags {
  return flags.out === undefined
    ? flags
    : { ...flags, out: path.join(flags.out, path.basename(file, path.extname(file))) };
}

async function runOne(
  scenario: LoadScenario,
  url: string | undefined,
  flags: LoadFlags,
  pressed: Interruptions,
): Promise<ExitCode> {
  const { planLoad } = await import('../load/plan/load-plan.ts');
  const seed = seedOf(flags.seed) ?? scenario.seed;
  const plan = planLoad(scenario, seed);
  refuseAboveCaps(scenario, plan.estimate);
  if (flags.plan) {
    const fleet = await fleetPlanOf(plan, url, flags);
    if (flags.json) outJson({ ...plan.estimate, hash: plan.hash, seed, sources: scenario.sources, ...fleet });
    else
      out([renderPlan(scenario, plan.hash, plan.estimate), ...(fleet ? renderFleet(fleet) : [])].join('\n'));
    return EXIT.good;
  }
  if (url === undefined && flags.shard !== undefined) {
    throw new ActionableError(
      'usage',
      'a shard has nothing to share a service with',
      'Give the address of the service that all shards load; or leave --shard away, and say --processes.',
    );
  }
  await using service = await openService(scenario, url, flags);
  const options: RunLoadOptions = {
    scenario,
    seed,
    target: service.target,
    permission: { allowedHosts: flags.allowLoadOn ?? [], token: flags.loadToken },
    runId: `load-${new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${process.pid.toString(16)}`,
    shard: flags.shard ?? { index: 1, count: 1 },
    processes: flags.processes ?? 1,
    calibrates: flags.calibration,
    startAtMs: flags.startAt?.getTime(),
    service: service.mortal,
    ...pressed,
    onProgress: await progressPrinter(flags),
  };
  if (flags.probe) await probe(service.target, options);
  if (flags.findKnee) return searchKnee(options, flags);
  const isForFleet = flags.workers !== undefined || flags.resume !== undefined;
  if (isForFleet) return report(await playOnFleet(options, flags), options, flags);
  const { runLoad } = await import('../load/run-load.ts');
  return report(await runLoad(options), options, flags);
}

/** A number where it is one, as it is in a scenario file. */
function seedOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function refuseAboveCaps({ caps, title }: LoadScenario, { requests, connections }: LoadEstimate): void {
  if (requests <= caps.requests) return;
  throw new ActionableError(
    'usage',
    `'${title}' would send about ${requests} requests over ${connections} links, and its cap is ${caps.requests} requests`,
    'Lower its rates or its duration, or raise traffic.caps.requests.',
  );
}

function renderPlan(
  { title, sources, accounts, caps, streams }: LoadScenario,
  hash: string,
  estimate: LoadEstimate,
): string {
  const { requests, jobs, connections, bytes, peakRate, durationMs: lasts, warnings } = estimate;
  const rows = [
    ['plan', hash],
    ['streams', streams.map(({ name }) => name).join(', ')],
    ['requests', `about ${requests}, ${jobs} of them submissions`],
    ['peak rate', `${Math.round(peakRate)} requests a second`],
    ['connections', `${connections} of computers, up to ${caps.connections} for requests`],
    ['bytes', `about ${(bytes / 1e6).toFixed(1)} MB in requests`],
    ['accounts', String(accounts)],
    ['from', sources.length > 0 ? sources.join(', ') : 'the address that the system chooses'],
    ['takes', `up to ${formatDuration(lasts)}`],
  ];
  return [title, table(rows, '  '), ...warnings.map((warning) => `  ! ${warning}`)].join('\n');
}

/** What each of several machines would send: of those that would join, or that play a shard each by hand. */
async function fleetPlanOf(
  plan: LoadPlan,
  url: string | undefined,
  { workers, shard: one }: LoadFlags,
): Promise<FleetPlan | undefined> {
  const count = workers ?? one?.count;
  if (count === undefined) return undefined;
  const { planFleet } = await import('../load/plan/fleet-plan.ts');
  return planFleet(plan, count, url ?? OWN_SERVICE_URL);
}

function renderFleet({ shards, sum }: FleetPlan): readonly string[] {
  const head = ['shard', 'requests', 'submissions', 'computers', 'connections', 'bytes', 'accounts', 'from'];
  const rows = shards.map((share) => shareRow(`${share.shard}/${shards.length}`, share));
  return ['', table([head, ...rows, shareRow('sum', sum)], '  ')];
}

function shareRow(name: string, share: FleetPlan['sum']): readonly string[] {
  return [
    name,
    String(share.requests),
    String(share.submissions),
    String(share.computers),
    `up to ${share.connections}`,
    `${(share.bytes / 1e6).toFixed(1)} MB`,
    String(share.accounts),
    share.sources.join(', ') || 'chosen by the system',
  ];
}

interface OpenService extends AsyncDisposable {
  readonly target: LoadTarget;
  /** The service that was started for the run, where it was. */
  readonly mortal: KillableService | undefined;
}

async function openService(
  scenario: LoadScenario,
  url: string | undefined,
  flags: LoadFlags,
): Promise<OpenService> {
  if (url === undefined) return openOwnService(scenario);
  const { remoteTarget } = await import('../target/remote.ts');
  const target = await remoteTarget({ url, apiKey: flags.key });
  const { name, baseUrl, apiKey } = target;
  return {
    target: { name, baseUrl, apiKey, link: linkOf(flags.link), callbackHost: flags.callbackHost },
    mortal: undefined,
    [Symbol.asyncDispose]: () => target.close(),
  };
}

/** The reference service in a process of its own; on a file where it is to be killed. */
async function openOwnService({ disasters }: LoadScenario): Promise<OpenService> {
  const { processTarget } = await import('../target/process.ts');
  const mustSurvive = disasters.some(({ what }) => what === 'service-killed');
  const folder = mustSurvive ? await mkdtemp(path.join(tmpdir(), 'platen-load-')) : undefined;
  const dataFile = folder === undefined ? {} : { dataFile: path.join(folder, 'service.db') };
  const service = await processTarget({ limits: 'off', ...dataFile });
  const { name, baseUrl, apiKey } = service;
  return {
    target: { name, baseUrl, apiKey, link: { kind: 'websocket' } },
    mortal: service,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function linkOf(link: string | undefined): LinkKind {
  if (link === undefined || link === 'websocket') return { kind: 'websocket' };
  return { kind: 'module', file: path.resolve(link) };
}

async function probe({ baseUrl, apiKey }: LoadTarget, { permission }: RunLoadOptions): Promise<void> {
  const { ensurePermission } = await import('../load/permission.ts');
  const { PROBED_PATHS, crossCheck } = await import('../load/traffic/saturation-probe.ts');
  await ensurePermission(baseUrl, permission);
  const rows = [['endpoint', 'lanes /s', 'autocannon /s', 'ratio', 'CPU µs', 'CPU µs']];
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

async function searchKnee(options: RunLoadOptions, flags: LoadFlags): Promise<ExitCode> {
  const { findKnee } = await import('../load/verdict/find-knee.ts');
  const { planLoad } = await import('../load/plan/load-plan.ts');
  const { runLoad } = await import('../load/run-load.ts');
  let last: LoadResult | undefined;
  let isFirst = true;
  const knee = await findKnee({
    scenario: options.scenario,
    stepMs: durationMs(flags.stepFor ?? '10s'),
    run: async (scenario) => {
      last = await runLoad({ ...options, scenario, calibrates: options.calibrates && isFirst });
      isFirst = false;
      return last.record;
    },
    peakRateOf: (scenario) => planLoad(scenario, options.seed).estimate.peakRate,
    onStep: ({ peakRate, record }) => {
      if (!flags.quiet) err(`${Math.round(peakRate)} /s  ${record.verdict}  ${record.reasons.join('; ')}`);
    },
    signal: options.stop,
  });
  const { best, endedBy } = knee;
  if (last) await keep(last, options, flags);
  if (flags.json)
    outJson({ best: best && { factor: best.factor, peakRate: best.peakRate }, endedBy, steps: knee.steps });
  else
    out(
      best
        ? `The knee: ${Math.round(best.peakRate)} requests a second (${KNEE_END[endedBy]}).`
        : `No step kept every threshold (${KNEE_END[endedBy]}).`,
    );
  if (endedBy === 'interrupted') return EXIT.interrupted;
  return best ? EXIT.good : EXIT.failed;
}

const KNEE_END = {
  found: 'the next step broke a threshold',
  generator: 'beyond it the generator itself was too late',
  interrupted: 'the search was interrupted',
  'most-steps': 'the search went no further',
} as const;

async function progressPrinter({ json, quiet }: LoadFlags): Promise<RunLoadOptions['onProgress']> {
  if (json || quiet) return undefined;
  const { LoadProgress } = await import('./screen/load-progress.ts');
  const progress = new LoadProgress(process.stderr);
  return (sample) => progress.take(sample);
}

async function report(result: LoadResult, options: RunLoadOptions, flags: LoadFlags): Promise<ExitCode> {
  const { record } = result;
  const files = await keep(result, options, flags);
  const comparison = flags.baseline === undefined ? undefined : await compare(flags.baseline, record);
  if (flags.json) outJson(comparison ? { ...record, comparison } : record);
  else {
    const { renderComparison } = await import('../report/load/load-terminal.ts');
    const { renderRun } = await import('../report/terminal-run.ts');
    const { usesColor } = await import('../report/terminal.ts');
    const color = usesColor(process.stdout);
    if (!flags.quiet || record.verdict !== 'pass') out(guarded(renderRun(record, { color })));
    if (comparison) out(renderComparison(comparison, { color }));
    err(`Reports: ${files.join(', ')}`);
  }
  await publishOnGithub([record], flags);
  return exitCodeFrom(record.summary.exitCode);
}

async function compare(file: string, now: LoadRecord): Promise<LoadComparison> {
  const { compareLoad } = await import('../load/verdict/compare.ts');
  const { readRecordFile } = await import('./files/record-file.ts');
  const baseline = readRecordFile(file);
  if (baseline.kind === 'load') return compareLoad(baseline, now);
  throw new ActionableError(
    'usage',
    `${file} is no record of a load`,
    'Name the run.json of a run with traffic.',
  );
}

/** Writes the reports, and the ledger beside them for whoever merges it with other machines'. */
async function keep(
  { record, parts }: LoadResult,
  { runId }: RunLoadOptions,
  flags: LoadFlags,
): Promise<readonly string[]> {
  const { Ledger } = await import('../oracle/ledger.ts');
  const { writeReports } = await import('../report/write-reports.ts');
  const folder = flags.out ?? path.join('reports', runId);
  const reports = await writeReports(record, folder, withGithub(flags.reporter));
  const ledgerFile = path.join(folder, 'ledger.bin');
  writeFileWhole(ledgerFile, Ledger.fromBytes(parts.map(({ ledger }) => ledger)).toBytes());
  return [...reports, ledgerFile];
}

function isoTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('write for example 2026-01-31T08:00:00Z');
  return time;
}

function hosts(host: string, before: readonly string[] = []): readonly string[] {
  return [...before, host];
}
