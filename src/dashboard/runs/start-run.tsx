/**
 * Start run: checks the reference service, or plays a scenario on it, in a process of its own. This
 * workbench and its jobs stay as they are.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { RunRequest, ScenarioView } from '../../record/control-types.ts';
import { startRun } from '../api/workbench.ts';
import { Icon } from '../parts/icon.tsx';
import { goTo } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { takeRuns } from '../state/runs-store.ts';

const CHECK = 'check';

export function StartRun({ scenarios }: { readonly scenarios: readonly ScenarioView[] }): JSX.Element {
  const [chosen, choose] = useState(CHECK);
  const [isStarting, setStarting] = useState(false);
  const scenario = scenarios.find(({ path }) => path === chosen);
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    setStarting(true);
    const wanted: RunRequest = scenario ? { kind: 'run', scenario: scenario.path } : { kind: 'check' };
    const run = await attempt(startRun(wanted));
    setStarting(false);
    if (!run) return;
    takeRuns([run]);
    goTo({ page: 'runs', id: run.id });
  };
  return (
    <form class="start-run" onSubmit={(event) => void start(event)}>
      <select
        aria-label="What to run"
        title={scenario?.why}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value={CHECK}>All checks of the reference service</option>
        <optgroup label="Scenarios">
          {scenarios.map(({ path, title }) => (
            <option key={path} value={path}>
              {title}
            </option>
          ))}
        </optgroup>
      </select>
      <button type="submit" class="primary" disabled={isStarting}>
        <Icon name="play" />
        Run
      </button>
    </form>
  );
}
