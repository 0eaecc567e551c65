/**
 * Repetition: the request that repeats the run of a record.
 */

import type { RunRequest, ScenarioView } from '../../record/control-types.ts';
import type { ExploreRecord } from '../../record/explore-record.ts';
import type { LoadRecord } from '../../record/load-record.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { ScenarioRunRecord } from '../../record/scenario-record.ts';

/** Undefined where the page cannot: of several scenarios, or of one that is not among those that ship. */
export function repetitionOf(record: RunRecord, scenarios: readonly ScenarioView[]): RunRequest | undefined {
  if (record.kind === 'check') {
    const { seed, selection, target } = record;
    const { profile, grep } = selection;
    const isElsewhere = target.kind === 'remote';
    return {
      kind: 'check',
      profile,
      seed,
      ...(grep !== null && { grep }),
      ...(isElsewhere && { url: target.baseUrl, ...(target.link === 'websocket' && { link: 'websocket' as const }) }),
    };
  }
  if (record.kind === 'load') return scenarioNamed(record.plan.title, record, scenarios);
  if (record.kind === 'explore') return { kind: 'explore', seed: record.seed, days: record.days, ...elsewhere(record) };
  // The command of an app is for a person to run.
  if (record.kind === 'caller') return undefined;
  const [only, ...others] = record.scenarios;
  return only && others.length === 0 ? scenarioNamed(only.title, record, scenarios) : undefined;
}

export interface RepeatedOne {
  readonly record: RunRecord;
  /** Whether the workbench plays what the run found. */
  readonly isPlayable: boolean;
}

/** The same for one check of a run, for one scenario, or for the day that shows a finding. */
export function repetitionOfOne(
  id: string,
  { record, isPlayable }: RepeatedOne,
  scenarios: readonly ScenarioView[],
): RunRequest | undefined {
  const whole = repetitionOf(record, scenarios);
  if (record.kind === 'check') return whole && { ...whole, profile: 'full', grep: `^${id}$` };
  if (record.kind === 'explore') {
    if (!isPlayable) return undefined;
    return { kind: 'run', finding: { run: record.runId, signature: id }, ...elsewhere(record) };
  }
  if (record.kind !== 'run') return undefined;
  const scenario = record.scenarios.find((one) => one.id === id);
  return scenario && scenarioNamed(scenario.title, record, scenarios);
}

/** The address of a service that is not of the run's own. */
function elsewhere({ target }: ExploreRecord): Pick<RunRequest, 'url'> {
  return target.kind === 'remote' && target.baseUrl !== null ? { url: target.baseUrl } : {};
}

function scenarioNamed(
  title: string,
  { target: { name, baseUrl } }: LoadRecord | ScenarioRunRecord,
  scenarios: readonly ScenarioView[],
): RunRequest | undefined {
  const found = scenarios.find((one) => one.title === title);
  if (!found) return undefined;
  // A service elsewhere is named by its address; one of the run's own is gone.
  return { kind: 'run', scenario: found.path, ...(baseUrl !== null && name === baseUrl && { url: baseUrl }) };
}
