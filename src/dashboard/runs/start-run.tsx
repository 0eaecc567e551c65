/**
 * Start run: a check, scenario or load, in a process of its own. Without an address it has a service of its own: this
 * workbench and its jobs stay as they are.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { RunRequest, ScenarioView } from '../../record/control-types.ts';
import { PROFILES, type Profile } from '../../record/words.ts';
import { startRun } from '../api/workbench.ts';
import { Icon } from '../parts/icon.tsx';
import { goTo } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { runs, takeRuns } from '../state/runs-store.ts';
import { useStore } from '../state/store.ts';

export async function startAndShow(wanted: RunRequest): Promise<void> {
  const { isStarting, isBeside } = runs.get();
  if (isStarting) return;
  runs.patch({ isStarting: true });
  const run = await attempt(startRun({ ...wanted, ...(isBeside && { beside: true }) }));
  runs.patch({ isStarting: false });
  if (!run) return;
  takeRuns([run]);
  goTo({ page: 'runs', id: run.id });
}

const PROFILE_NAMES: Readonly<Record<Profile, string>> = {
  full: 'All checks',
  smoke: 'The smoke checks',
};

/** Not the path of any scenario. */
const EXPLORE = 'explore';

const GROUPS = [
  ['run', 'Scenarios'],
  ['load', 'Loads'],
] as const;

interface Options {
  readonly grep: string;
  readonly url: string;
  readonly key: string;
  readonly hasLink: boolean;
}

const NO_OPTIONS: Options = { grep: '', url: '', key: '', hasLink: false };

export function StartRun({ scenarios }: { readonly scenarios: readonly ScenarioView[] }): JSX.Element {
  const [chosen, choose] = useState<string>(PROFILES[0]);
  const [options, setOptions] = useState(NO_OPTIONS);
  const { isStarting } = useStore(runs);
  const scenario = scenarios.find(({ path }) => path === chosen);
  const start = (event: Event): void => {
    event.preventDefault();
    void startAndShow(requestOf(chosen, scenario, options));
  };
  return (
    <form class="start-run" onSubmit={start}>
      <div class="start-line">
        <select aria-label="What to run" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <optgroup label="Checks">
            {PROFILES.map((profile) => (
              <option key={profile} value={profile}>
                {PROFILE_NAMES[profile]}
              </option>
            ))}
          </optgroup>
          <optgroup label="Exploring">
            <option value={EXPLORE}>A hundred days, made up from a seed</option>
          </optgroup>
          {GROUPS.map(([kind, label]) => (
            <optgroup key={kind} label={label}>
              {scenarios
                .filter((one) => one.kind === kind)
                .map(({ path, title }) => (
                  <option key={path} value={path}>
                    {title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        <button type="submit" class="primary" aria-disabled={isStarting}>
          <Icon name="play" />
          Run
        </button>
      </div>
      {scenario && <p class="hint">{scenario.why}</p>}
      <RunOptions
        isCheck={!scenario && chosen !== EXPLORE}
        options={options}
        onChange={(change) => setOptions({ ...options, ...change })}
      />
    </form>
  );
}

interface RunOptionsProps {
  readonly isCheck: boolean;
  readonly options: Options;
  readonly onChange: (change: Partial<Options>) => void;
}

function RunOptions({ isCheck, options: { grep, url, key, hasLink }, onChange }: RunOptionsProps): JSX.Element {
  const { isBeside } = useStore(runs);
  return (
    <details class="run-options">
      <summary>Which checks, which service</summary>
      <div class="fields">
        {isCheck && (
          <label class="rule-field">
            Only checks that match
            <input
              value={grep}
              placeholder="^print-jobs/"
              autocomplete="off"
              onInput={({ currentTarget }) => onChange({ grep: currentTarget.value })}
            />
          </label>
        )}
        <label class="rule-field">
          Address of the service
          <input
            value={url}
            type="url"
            placeholder="its own reference service"
            autocomplete="off"
            onInput={({ currentTarget }) => onChange({ url: currentTarget.value })}
          />
        </label>
        {url !== '' && (
          <>
            <label class="rule-field">
              Its API key
              <input
                value={key}
                placeholder="test-key"
                autocomplete="off"
                onInput={({ currentTarget }) => onChange({ key: currentTarget.value })}
              />
            </label>
            <label class="tick">
              <input
                type="checkbox"
                checked={hasLink}
                onChange={({ currentTarget }) => onChange({ hasLink: currentTarget.checked })}
              />
              Connect computers to it over docs/device-link.md
            </label>
          </>
        )}
        <label class="tick">
          <input
            type="checkbox"
            checked={isBeside}
            onChange={({ currentTarget }) => runs.patch({ isBeside: currentTarget.checked })}
          />
          Start beside a run that is under way
        </label>
      </div>
    </details>
  );
}

function requestOf(
  chosen: string,
  scenario: ScenarioView | undefined,
  { grep, url, key, hasLink }: Options,
): RunRequest {
  const service = url === '' ? {} : { url, ...(key !== '' && { key }), ...(hasLink && { link: 'websocket' as const }) };
  if (scenario) return { kind: 'run', scenario: scenario.path, ...service };
  if (chosen === EXPLORE) return { kind: 'explore', ...service };
  const profile = PROFILES.find((name) => name === chosen) ?? PROFILES[0];
  return { kind: 'check', profile, ...(grep !== '' && { grep }), ...service };
}
