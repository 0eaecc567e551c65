/**
 * platen check: does a service keep its word? Without an address, the reference service does the talking,
 * on a virtual clock.
 */

import path from 'node:path';

import { Option, type Command } from 'commander';

import { systemClock } from '../common/clock.ts';
import type { CheckProgress } from '../conformance/run-conformance.ts';
import type { RunRecord } from '../report/run-record.ts';
import type { Target } from '../target/target.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { interruption } from './interruption.ts';
import { jsonOption, keyOption, wholeNumber } from './option-values.ts';
import { err, out, outJson, table } from './terminal.ts';

interface CheckFlags {
  readonly key: string;
  readonly secondKey?: string;
  readonly link?: 'websocket';
  readonly grep?: string;
  readonly list?: true;
  readonly seed?: number;
  readonly out?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export function checkCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('check')
    .description('check a service against the specification')
    .argument('[url]', 'address of the service (default: the reference service, on a virtual clock)')
    .addOption(keyOption())
    .option('--second-key <key>', 'API key of another account, to see that accounts are kept apart')
    .addOption(linkOption())
    .option('-g, --grep <pattern>', 'only checks whose id, clauses or chapters match')
    .option('--list', 'list the checks instead of running them')
    .option('--seed <number>', 'repeat the run that had this seed', wholeNumber)
    .option('--out <folder>', 'where the reports go (default: reports/<run>)')
    .addOption(jsonOption())
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (url: string | undefined, flags: CheckFlags) => {
      finish(flags.list ? await list(flags) : await run(url, flags));
    });
}

function linkOption(): Option {
  return new Option(
    '--link <kind>',
    'how virtual computers reach the service: websocket, if it speaks docs/device-link.md',
  ).choices(['websocket']);
}

async function list({ grep, json }: CheckFlags): Promise<ExitCode> {
  const { listChecks } = await import('../conformance/run-conformance.ts');
  const checks = listChecks(grep);
  if (json) outJson(checks.map(({ id, title, clauses }) => ({ id, title, clauses })));
  else out(table(checks.map(({ id, title }) => [id, title])));
  return EXIT.good;
}

async function run(url: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const { listChecks, runConformance } = await import('../conformance/run-conformance.ts');
  const { buildRunRecord } = await import('../report/run-record.ts');
  // A pattern that matches nothing is told before anything is started.
  listChecks(flags.grep);
  const interrupted = interruption();
  const target = await openTarget(url, flags);
  try {
    const { grep, seed } = flags;
    const result = await runConformance({
      target,
      onProgress: await progressPrinter(flags),
      signal: interrupted,
      ...(grep !== undefined && { grep }),
      ...(seed !== undefined && { seed }),
    });
    await report(buildRunRecord(result), flags);
    return interrupted.aborted ? EXIT.interrupted : exitCodeOf(result.exitCode);
  } finally {
    await target.close();
  }
}

async function openTarget(url: string | undefined, flags: CheckFlags): Promise<Target> {
  if (url === undefined) {
    const { embeddedTarget } = await import('../target/embedded.ts');
    return embeddedTarget(flags.seed === undefined ? {} : { seed: flags.seed });
  }
  const { remoteTarget } = await import('../target/remote.ts');
  const { webSocketLink } = await import('../link/websocket-link.ts');
  return remoteTarget({
    url,
    apiKey: flags.key,
    ...(flags.secondKey !== undefined && { secondApiKey: flags.secondKey }),
    ...(flags.link === 'websocket' && { link: webSocketLink({ clock: systemClock }) }),
  });
}

async function progressPrinter({ json, quiet }: CheckFlags): Promise<(progress: CheckProgress) => void> {
  if (json || quiet) return () => undefined;
  const { renderProgress, usesColor } = await import('../report/terminal.ts');
  const color = usesColor(process.stdout);
  return (progress) => out(renderProgress(progress, { color }));
}

async function report(record: RunRecord, flags: CheckFlags): Promise<void> {
  const { renderTerminal, usesColor } = await import('../report/terminal.ts');
  const { writeReports } = await import('../report/write-reports.ts');
  const folder = flags.out ?? path.join('reports', record.runId);
  const files = await writeReports(record, folder);
  if (flags.json) outJson(record);
  else if (!flags.quiet) {
    out(renderTerminal(record, { color: usesColor(process.stdout) }));
    err(`Reports: ${files.join(', ')}`);
  }
}

function exitCodeOf(code: number): ExitCode {
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.harness;
}
