/**
 * Scenario run: what became of each scenario, failures first, with what was expected and the stories of
 * its jobs.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ScenarioRecord, ScenarioRunRecord } from '../../record/scenario-record.ts';
import { count, formatSpan } from '../parts/format.ts';
import { StateChip } from '../parts/state-chip.tsx';
import { RunFacts } from './run-facts.tsx';
import { byVerdict } from './verdict-order.ts';

export function ScenarioRun({ record }: { readonly record: ScenarioRunRecord }): JSX.Element {
  const { total, ...counts } = record.summary.scenarios;
  const sorted = record.scenarios.toSorted((a, b) => byVerdict(a.verdict, b.verdict));
  return (
    <>
      <RunFacts
        title={headlineOf(counts, total)}
        runId={record.runId}
        target={record.target.name}
        startedAt={record.startedAt}
        durationMs={record.durationMs}
        seed={record.seed}
        exitCode={record.summary.exitCode}
        counts={counts}
      />
      <ul class="results">
        {sorted.map((scenario) => (
          <li key={scenario.id}>
            <ScenarioResult scenario={scenario} isOpen={scenario.verdict !== 'pass' || total === 1} />
          </li>
        ))}
      </ul>
    </>
  );
}

function headlineOf({ fail = 0, pass = 0 }: Readonly<Record<string, number>>, total: number): string {
  return fail > 0
    ? `${fail} of ${count(total, 'scenario')} failed`
    : `${pass} of ${count(total, 'scenario')} passed`;
}

interface ScenarioResultProps {
  readonly scenario: ScenarioRecord;
  readonly isOpen: boolean;
}

function ScenarioResult({ scenario, isOpen }: ScenarioResultProps): JSX.Element {
  const [isDrawn, setDrawn] = useState(isOpen);
  const { id, title, verdict } = scenario;
  return (
    <details class={`result ${verdict}`} open={isOpen} onToggle={() => setDrawn(true)}>
      <summary>
        <StateChip state={verdict} />
        <span class="result-title">{title}</span>
        <code class="hint">{id}</code>
      </summary>
      {isDrawn && <ScenarioEvidence scenario={scenario} />}
    </details>
  );
}

function ScenarioEvidence({ scenario }: Pick<ScenarioResultProps, 'scenario'>): JSX.Element {
  const { why, message, at, breaks, stories, log, elapsedMs, durationMs } = scenario;
  return (
    <div class="evidence">
      <p>{why}</p>
      {message !== '' && <p class="message">{message}</p>}
      {at !== null && <p class="hint">It ended at {at}.</p>}
      {breaks.map((broken, index) => (
        <div key={index} class="broken-clause">
          <blockquote>
            <p>{broken.expected}</p>
            <footer>
              <code>{broken.at}</code>
            </footer>
          </blockquote>
          <dl>
            <div>
              <dt>got</dt>
              <dd class="actual">{broken.actual}</dd>
            </div>
          </dl>
        </div>
      ))}
      {stories.map((story) => (
        <div key={story.id} class="story">
          <h3>
            {story.name} <span class="hint">job {story.id}</span>
          </h3>
          <ol>
            {story.timeline.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ol>
        </div>
      ))}
      {log.length > 0 && (
        <div class="story">
          <h3>What was done</h3>
          <ol>
            {log.map(({ atMs, what }, index) => (
              <li key={index}>
                <span class="hint">+{formatSpan(atMs)}</span> {what}
              </li>
            ))}
          </ol>
        </div>
      )}
      <p class="hint">
        {formatSpan(elapsedMs)} for the service, {formatSpan(durationMs)} of ours
      </p>
    </div>
  );
}
