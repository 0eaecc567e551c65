/**
 * Publishes runs: as files, on the terminal, and on GitHub.
 */

import path from 'node:path';

import { InvalidArgumentError, Option } from 'commander';

import { systemClock } from '../../common/clock.ts';
import { meantOrAll } from '../../common/nearest-name.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { DEFAULT_REPORTERS, REPORTER_NAMES, type ReporterName } from '../../report/reporter-names.ts';
import { lastly } from '../interruption.ts';
import type { RunFeed, RunStarter } from '../remote/run-feed.ts';
import { addToStepSummary, isGithubWorkflow } from '../screen/github-log.ts';
import { annotate, err, out, outJson, type Lines } from '../screen/terminal.ts';
import { writeFileWhole } from './whole-file.ts';

/** When and in which process a run began: `run-20260131T080000Z-1f3a`; or as the workbench that started it says. */
export function newRunId(
  kind: 'run' | 'load' | 'explore' | 'caller',
  { starter }: { readonly starter?: RunStarter },
): string {
  if (starter !== undefined) return starter.runId;
  const at = new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${kind}-${at}-${process.pid.toString(16)}`;
}

/** `-r html,junit`. */
export function reporterOption(): Option {
  return new Option('-r, --reporter <names>', `reports, separated by commas: ${REPORTER_NAMES.join(', ')}`).argParser(
    reporterNames,
  );
}

function reporterNames(text: string): readonly ReporterName[] {
  return text.split(',').map((written) => {
    const name = REPORTER_NAMES.find((known) => known === written.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`there is no reporter '${written}'; ${meantOrAll(written, REPORTER_NAMES)}`);
  });
}

export interface PublishFlags {
  readonly reporter?: readonly ReporterName[];
  readonly json?: true;
  readonly quiet?: true;
}

/**
 * Shows a run by the lines of `show`, and writes its reports into its folder: what came out is known whatever the disk
 * does. A quiet run that did not pass says what did not pass, its verdict, and where the reports are.
 */
export async function publishRun(
  record: RunRecord,
  folder: string,
  flags: PublishFlags,
  show: () => Lines,
): Promise<void> {
  const { writeReports } = await import('../../report/write-reports.ts');
  const { renderQuietly } = await import('../../report/terminal/run-terminal.ts');
  const isShown = !flags.json && (!flags.quiet || record.summary.exitCode !== 0);
  if (flags.json) outJson(record);
  else if (isShown) out(flags.quiet ? renderQuietly(record) : show());
  const files = await writeReports(record, folder, withGithub(flags.reporter));
  if (isShown) err(`${files.length === 1 ? 'Report' : 'Reports'}: ${files.join(', ')}`);
  await publishOnGithub([record], flags);
}

/** A run whose time runs out before its reports are written leaves its record so far. */
export function keepAtLimit({ soFar }: RunFeed, { out: folder }: { readonly out?: string }): void {
  lastly(() => {
    const record = soFar();
    if (!record) return;
    const file = path.join(folder ?? path.join('reports', record.runId), 'run.json');
    writeFileWhole(file, `${JSON.stringify(record, null, 2)}\n`);
  });
}

/** The chosen reporters; in a GitHub workflow also its own. */
export function withGithub(
  chosen: readonly ReporterName[] | undefined,
  fallback?: readonly ReporterName[],
): readonly ReporterName[] | undefined {
  const names = chosen ?? fallback;
  if (names?.includes('github') || !isGithubWorkflow()) return names;
  return [...(names ?? DEFAULT_REPORTERS), 'github'];
}

/** Annotations and the step summary, if the reporter is chosen. */
export async function publishOnGithub(records: readonly RunRecord[], flags: PublishFlags): Promise<void> {
  if (!withGithub(flags.reporter)?.includes('github')) return;
  const { annotationsOf, renderGithubSummary } = await import('../../report/github.ts');
  annotate(annotationsOf(records), flags.json === true);
  addToStepSummary(renderGithubSummary(records));
}
