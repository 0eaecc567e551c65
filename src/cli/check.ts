/**
 * platen check: does a service conform to the specification? Without an address it checks the reference service on
 * a virtual clock.
 */

import { addAbortListener } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';

import { Option, type Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { ensureWritable } from '../common/folder.ts';
import { formatProblem } from '../common/problem.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { readTextFile } from '../common/given-file.ts';
import type { CheckProgress, ConformanceResult } from '../conformance/run/run-conformance.ts';
import type { Selection, Shard } from '../conformance/run/selection.ts';
import type { Baseline } from '../conformance/verdict/baseline.ts';
import type { CheckRunRecord } from '../record/check-record.ts';
import { isCutShort, PROFILES, type Profile, type Verdict } from '../record/words.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Target } from '../targets/target.ts';
import { table } from '../report/terminal/table.ts';
import { explain } from './explain.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { againHint, endNow, interruption } from './interruption.ts';
import { addTargetOptions, openTarget, placeNamed, tellLost, type TargetFlags } from './options/open-target.ts';
import { filled, integer, jsonOption, numberOfProcesses, positiveInteger, shard } from './options/option-values.ts';
import { readRunRecord, recordFileOf } from './files/record-file.ts';
import { keepAtLimit, publishRun, reporterOption, type PublishFlags } from './files/publish.ts';
import { addOpenOption, openFeed, progressOf, type FeedFlags } from './remote/run-feed.ts';
import { liveLine } from './screen/live-line.ts';
import { refusedWrites } from './screen/refused-writes.ts';
import { err, out, outJson } from './screen/terminal.ts';
import type { CheckRound } from './watch-checks.ts';

interface CheckFlags extends TargetFlags, PublishFlags, FeedFlags {
  readonly seed?: number;
  readonly known?: string;
  readonly baseline?: string | undefined;
  readonly strict?: true;
  readonly grep?: string;
  readonly profile: Profile;
  readonly shard?: Shard;
  /** In a round of --watch: these alone. */
  readonly ids?: readonly string[];
  readonly maxFailures?: number;
  readonly watch?: true;
  readonly list?: true;
  readonly plan?: true;
  readonly processes?: number;
  readonly out?: string;
}

export function checkCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = program
    .command('check')
    .description('check a service against the specification')
    .argument('[url]', 'address of the service (default: the reference service, on a virtual clock)');
  addOpenOption(addTargetOptions(command))
    .option('--known <file>', 'known failures, which do not count: see docs/checks.md')
    .option('--baseline <run>', 'say what is fixed and what is new since this earlier run: its folder or run.json')
    .option('--strict', 'fail the run for a broken `should` too, which otherwise only warns')
    .option('-g, --grep <pattern>', 'only checks whose id, clauses or chapters match (a regular expression)')
    .addOption(new Option('--profile <name>', 'which part of the suite to run').choices(PROFILES).default('full'))
    .option('--shard <part>', 'run one of several parts, such as 2/4', shard)
    .addOption(new Option('-x', 'stop at the first failure').implies({ maxFailures: 1 }))
    .option('--max-failures <number>', 'stop after this many failures', positiveInteger)
    .addOption(
      new Option(
        '-w, --watch',
        'check again what failed when the service is restarted, or with --start when its files change',
      ).conflicts(['json', 'list', 'open', 'plan', 'shard']),
    )
    .option('--list', 'list the checks instead of running them')
    .option('--plan', 'show how long a run on a real clock would take, and run nothing')
    .option(
      '--processes <number>',
      'share the checks of the reference service among this many processes (default: 2, where there are cores for them)',
      numberOfProcesses,
    )
    .option('--seed <number>', 'repeat the run with this seed', integer)
    .addOption(reporterOption())
    .option('--out <folder>', 'folder for the reports (default: reports/<run>)', filled)
    .addOption(jsonOption())
    .option('-q, --quiet', 'print only verdicts other than pass')
    .action(async (url: string | undefined, flags: CheckFlags) => {
      const code = flags.list ? await list(flags) : flags.plan ? await plan(flags) : await runChecks(url, flags);
      // Checks that were cut short may hold connections, which would keep the process alive.
      if (code === EXIT.interrupted || code === EXIT.unreachable) endNow(code);
      finish(code);
    });
}

function selectionOf({ grep, profile, shard, ids }: CheckFlags): Selection {
  return ids ? { ids } : { profile, grep, shard };
}

async function list(flags: CheckFlags): Promise<ExitCode> {
  const { listChecks } = await import('../conformance/run/run-conformance.ts');
  const { json } = flags;
  const checks = listChecks(selectionOf(flags));
  if (json) outJson(checks.map(({ id, title, clauses }) => ({ id, title, clauses })));
  else out(table(checks.map(({ id, title }) => [id, title])));
  return EXIT.good;
}

async function plan(flags: CheckFlags): Promise<ExitCode> {
  const { listChecks } = await import('../conformance/run/run-conformance.ts');
  const { planRun } = await import('../conformance/run/plan.ts');
  const { embeddedTarget } = await import('../targets/embedded.ts');
  const { renderPlan } = await import('./screen/plan.ts');
  const checks = listChecks(selectionOf(flags));
  const rehearsal = await embeddedTarget();
  try {
    const found = await planRun(checks, rehearsal, DEFAULT_REQUESTS_PER_SECOND);
    if (flags.json) outJson(found);
    else out(renderPlan(found));
    return EXIT.good;
  } finally {
    await rehearsal.close();
  }
}

/** Once, or with --watch again and again. */
export async function runChecks(url: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const interrupted = interruption();
  if (!flags.watch) return (await checkOnce(url, flags, interrupted)).code;
  const { watchChecks } = await import('./watch-checks.ts');
  return watchChecks({
    // What is fixed since an earlier run is asked of whole runs.
    check: (ids) => checkOnce(url, ids ? { ...flags, ids, baseline: undefined } : flags, interrupted),
    explain,
    stopped: interrupted,
  });
}

async function checkOnce(url: string | undefined, flags: CheckFlags, interrupted: AbortSignal): Promise<CheckRound> {
  const { listChecks, runConformance } = await import('../conformance/run/run-conformance.ts');
  const { buildRunRecord } = await import('../conformance/record/build-record.ts');
  const { CheckProcesses } = await import('../conformance/run/check-processes.ts');
  const { describeForecast } = await import('../conformance/run/forecast.ts');
  // Refuses a pattern that matches nothing before anything starts.
  const checks = listChecks(selectionOf(flags));
  ensureWritable(flags.out ?? 'reports');
  const known = flags.known === undefined ? undefined : await readKnownFile(flags.known);
  const earlier = flags.baseline === undefined ? undefined : await readRunRecord(recordFileOf(flags.baseline));
  const printer = await progressPrinter(flags);
  using listeners = new DisposableStack();
  const onInterrupted = (): void => err(`Interrupted: removing what the checks made.${againHint(interrupted)}`);
  listeners.use(addAbortListener(interrupted, onInterrupted));
  await using feed = await openFeed(flags);
  keepAtLimit(feed, flags);
  using others = new CheckProcesses(othersFor(checks.length, url, flags));
  const target = await openTarget(url, flags, interrupted);
  const elapsedMs = startStopwatch();
  let shown = 0;
  try {
    if (flags.watch) refuseUnchanging(target);
    const seed = flags.seed ?? (flags.shard ? SEED_OF_SHARDS : undefined);
    const result = await runConformance({
      ...selectionOf(flags),
      target,
      others: others.all,
      baseline: known,
      strict: flags.strict,
      maxFailures: flags.maxFailures,
      onProgress: (progress) => {
        // What was not run has no line, and the lines have no gap.
        if (!isCutShort(progress.outcome)) printer.onProgress({ ...progress, position: ++shown });
        const { position, total, outcome, soFar } = progress;
        feed.show(() => ({
          ...buildRunRecord(soFar(), flags.starter?.runId),
          progress: progressOf(position, total, elapsedMs(), outcome.check.id),
        }));
      },
      onBegin: (forecast) => printer.begin(describeForecast(forecast)),
      signal: interrupted,
      seed,
    });
    printer.end();
    const record = feed.whole(buildRunRecord(result, flags.starter?.runId));
    await report(record, result, flags);
    tellLost(target);
    const refused = refusedWrites(result.exchanges);
    if (refused !== undefined) err(refused);
    if (earlier !== undefined) await tellDifference(earlier, record, flags);
    await feed.end(record);
    const code = interrupted.aborted ? EXIT.interrupted : exitCodeFrom(result.exitCode);
    return { code, record, place: target.program ? { folder: target.program.cwd } : { baseUrl: target.baseUrl } };
  } finally {
    await target.close();
  }
}

/** @throws ActionableError for a service that runs for this command alone */
function refuseUnchanging({ kind }: Target): void {
  if (kind === 'remote') return;
  throw usageError(
    '--watch waits until your service is restarted, and none is named',
    'Give its address, or its command with --start.',
  );
}

/** The last line, so that progress is seen at a glance. */
async function tellDifference(earlier: CheckRunRecord, record: CheckRunRecord, { json, baseline }: CheckFlags) {
  const { differenceOf, differenceLine } = await import('../report/view/difference.ts');
  const line = `Since ${baseline}: ${differenceLine(differenceOf(earlier, record), record)}.`;
  if (json) err(line);
  else out(line);
}

/** A second process earns back what its start costs. */
const MANY_CHECKS = 100;

/** How many processes share the checks with this one. */
function othersFor(checks: number, url: string | undefined, flags: CheckFlags): number {
  const { processes, link } = flags;
  const place = placeNamed(url, flags);
  if (place !== undefined && processes !== undefined && processes > 1)
    throw usageError(`${place} is a single service: its checks run in one process`, 'Omit --processes.');
  if (place !== undefined || link !== undefined || checks < MANY_CHECKS) return 0;
  return (processes ?? Math.min(2, availableParallelism())) - 1;
}

/** All shards of a run have the same seed. */
const SEED_OF_SHARDS = 1;

async function readKnownFile(file: string): Promise<Baseline> {
  const { readBaseline } = await import('../conformance/verdict/baseline.ts');
  const read = readBaseline(await readTextFile(file, 'Name an existing file.'));
  if (read.ok) return read.value;
  throw usageError(
    read.error.map((problem) => formatProblem(file, problem)),
    'docs/checks.md shows what a list of known failures looks like.',
  );
}

/** Shows the progress of a run. */
interface ProgressPrinter {
  readonly begin: (forecast: string) => void;
  readonly onProgress: (progress: CheckProgress) => void;
  readonly end: () => void;
}

const NO_PRINTER: ProgressPrinter = { begin: () => undefined, onProgress: () => undefined, end: () => undefined };

/** A line for each check; on a terminal, the next line replaces one that passed. */
async function progressPrinter({ json, quiet }: CheckFlags): Promise<ProgressPrinter> {
  if (json || quiet) return NO_PRINTER;
  const { renderProgress } = await import('../report/terminal/run-terminal.ts');
  const live = liveLine();
  if (!live) return { begin: out, onProgress: (progress) => out(renderProgress(progress)), end: NO_PRINTER.end };
  return {
    begin: (forecast) => live.keep(forecast),
    onProgress: (progress) => {
      const isFine = FINE.includes(progress.outcome.verdict);
      const line = renderProgress(progress);
      if (isFine) live.show(line);
      else live.keep(line);
    },
    end: () => live.clear(),
  };
}

const FINE: readonly Verdict[] = ['pass', 'observed', 'not-applicable'];

async function report(record: CheckRunRecord, result: ConformanceResult, flags: CheckFlags): Promise<void> {
  const { renderRun } = await import('../report/terminal/run-terminal.ts');
  const { renderExchangeLog } = await import('../conformance/record/exchange-log.ts');
  const { writeBeside } = await import('../report/write-reports.ts');
  const folder = flags.out ?? path.join('reports', record.runId);
  const file = path.join(folder, 'run.json');
  await publishRun(record, folder, flags, () => renderRun(record, file));
  await writeBeside(record, renderExchangeLog(result), folder);
}
