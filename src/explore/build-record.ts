/**
 * Builds the record of exploring, and the page of what was tried.
 */

import type { ExploreRecord, FindingRecord } from '../record/explore-record.ts';
import type { PlayedGiven } from '../record/fields.ts';
import { headOfRun } from '../record/head-of-run.ts';
import { playedTargetOf, SERVICE_LOST } from '../scenario/play/run-scenarios.ts';
import type { Target } from '../targets/target.ts';
import { NEVER_DRAWN } from './draw/never-drawn.ts';
import type { Explored } from './explore.ts';
import { SOURCES } from '../specification/outline.ts';
import { folderOf, statementOf, type Finding } from './findings.ts';
import { textOf } from './play-day.ts';

interface RecordOptions {
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Undefined for the reference service. */
  readonly target: Target | undefined;
  readonly given: PlayedGiven;
  readonly without: readonly string[];
  readonly wasInterrupted: boolean;
  /** Where the report stands. */
  readonly folder: string;
}

export function buildExploreRecord(explored: Explored, options: RecordOptions): ExploreRecord {
  const { runId, startedAt, target, given, without, folder } = options;
  const { seed, days, unplayed, lostOn, events, elapsedMs, durationMs, findings, known, coverage } = explored;
  return {
    ...headOfRun('explore', { runId, startedAt, durationMs: Math.round(durationMs) }),
    seed,
    without,
    target: playedTargetOf(target ? { kind: 'shared', target, given } : { kind: 'own' }),
    days,
    unplayed,
    unplayedBecause: explored.unplayedBecause ?? null,
    events,
    elapsedMs,
    findings: findings.map((finding) => findingRecord(finding, folder)),
    known: [...known].map(([signature, count]) => ({ signature, count })),
    coverage: [...coverage].toSorted(inOrder).map(([pair, count]) => ({ pair, count })),
    summary: {
      findings: { total: findings.length },
      ...(lostOn !== undefined && { lostIn: `day ${lostOn}` }),
      exitCode: exitCodeOf(explored, options),
    },
  };
}

function findingRecord(finding: Finding, folder: string): FindingRecord {
  const { signature, day, breaks, message, seed, count } = finding;
  const source = SOURCES.get(signature);
  return {
    signature,
    statement: statementOf(signature) ?? '',
    ...(source === undefined ? {} : { source }),
    count,
    seed,
    steps: day.steps.length,
    message,
    breaks: breaks.map(({ expected, actual, at }) => ({ expected, actual, at })),
    scenario: textOf(day),
    file: `${folder}/${fileOf(signature)}`,
  };
}

/** Where the scenario of a finding stands, within the folder of its run. */
export function fileOf(signature: string): string {
  return `found/${folderOf(signature)}/scenario.yaml`;
}

function exitCodeOf({ days, unplayed, lostOn, findings }: Explored, { wasInterrupted }: RecordOptions): number {
  if (wasInterrupted) return 130;
  if (findings.length > 0) return 1;
  if (lostOn !== undefined) return SERVICE_LOST;
  return unplayed === days ? 2 : 0;
}

/** What was tried and how often: a table of operations and the conditions that they met. */
export function renderCoverage({ coverage, days }: Pick<Explored, 'coverage' | 'days'>): string {
  const rows = [...coverage].toSorted(inOrder).map(([pair, count]) => `| ${pair.replace(' × ', ' | ')} | ${count} |`);
  return [
    '# What was tried',
    '',
    `${days} days: each operation under each condition that it met, and how often. What is not here was not tried.`,
    '',
    '| operation | condition | times |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '## What is never drawn',
    '',
    'Steps and faults of the scenario format that no day has:',
    '',
    '| step or fault | why not |',
    '| --- | --- |',
    ...NEVER_DRAWN.map(({ what, why }) => `| ${what.map((one) => `\`${one}\``).join(', ')} | ${why} |`),
    '',
  ].join('\n');
}

function inOrder([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}
