/**
 * Builds the record of a run of scenarios.
 */

import { packageVersion } from '../../common/package-version.ts';
import type { ScenarioRecord, ScenarioRunRecord } from '../../record/scenario-record.ts';
import type { ScenarioVerdict } from '../../record/words.ts';
import type { PlayedScenario, ScenarioRun } from './run-scenarios.ts';

export function buildScenarioRunRecord(run: ScenarioRun, runId: string): ScenarioRunRecord {
  const counts: Partial<Record<ScenarioVerdict, number>> = {};
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
    scenarios: run.played.map(buildScenarioRecord),
  };
}

/** One scenario of the record; its file is its id. */
export function buildScenarioRecord({ file, at, ...rest }: PlayedScenario): ScenarioRecord {
  return { id: file, ...rest, at: at ?? null, durationMs: Math.round(rest.durationMs) };
}
