/**
 * The record of a run of scenarios: run.json of the kind `run`.
 */

import { packageVersion } from '../../common/package-version.ts';
import type { PlayedScenario, ScenarioRun } from '../../scenario/run-scenarios.ts';

export interface ScenarioRunRecord {
  readonly tool: 'platen';
  readonly recordVersion: 1;
  /** Version of the platen that made the run. */
  readonly platenVersion: string;
  readonly kind: 'run';
  readonly runId: string;
  /** Null when each scenario had its own. */
  readonly seed: number | string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: ScenarioRun['target'];
  readonly summary: {
    /** Number of scenarios by verdict; verdicts that did not occur are left out. */
    readonly scenarios: Readonly<Partial<Record<PlayedScenario['verdict'], number>>> & {
      readonly total: number;
    };
    /** The scenario in which the service stopped answering; those after it were not played. */
    readonly lostIn: string | null;
    readonly exitCode: number;
  };
  readonly scenarios: readonly ScenarioRecord[];
}

/** One scenario; its file is its id. */
export interface ScenarioRecord extends Omit<PlayedScenario, 'file' | 'at'> {
  readonly id: string;
  /** The step it ended at, when it did not come to its end. */
  readonly at: string | null;
}

export function buildScenarioRecord(run: ScenarioRun, runId: string): ScenarioRunRecord {
  const counts: Partial<Record<PlayedScenario['verdict'], number>> = {};
  for (const { verdict } of run.played) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return {
    tool: 'platen',
    recordVersion: 1,
    platenVersion: packageVersion(),
    kind: 'run',
    runId,
    seed: run.seed,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    target: run.target,
    summary: {
      scenarios: { total: run.played.length, ...counts },
      lostIn: run.lostIn,
      exitCode: run.exitCode,
    },
    scenarios: run.played.map(({ file, at = null, ...rest }) => ({
      id: file,
      ...rest,
      at,
      durationMs: Math.round(rest.durationMs),
    })),
  };
}
