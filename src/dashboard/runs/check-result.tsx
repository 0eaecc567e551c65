/**
 * Check result: one check: what it found, and for each clause that was broken the words of the
 * specification beside what was seen.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { CheckRecord, CheckRunRecord } from '../../record/check-record.ts';
import { count, formatSpan } from '../parts/format.ts';
import { StateChip } from '../parts/state-chip.tsx';
import { BrokenClause } from './broken-clause.tsx';
import { ExchangeView } from './exchange-view.tsx';

interface CheckResultProps {
  readonly check: CheckRecord;
  readonly record: CheckRunRecord;
  readonly isOpen: boolean;
}

export function CheckResult({ check, record, isOpen }: CheckResultProps): JSX.Element {
  // What is not looked at is not drawn: a run has hundreds of checks and thousands of exchanges.
  const [isDrawn, setDrawn] = useState(isOpen);
  const { id, title, verdict, known } = check;
  return (
    <details
      class={`result ${verdict}`}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setDrawn(true);
      }}
    >
      <summary>
        <StateChip state={verdict} />
        <span class="result-title">{title}</span>
        {known && <span class="chip plain">known</span>}
        <code class="hint">{id}</code>
      </summary>
      {isDrawn && <CheckEvidence check={check} record={record} />}
    </details>
  );
}

function CheckEvidence({ check, record }: Omit<CheckResultProps, 'isOpen'>): JSX.Element {
  const { message, known, durationMs, waitedMs, requests, clauses, evidence } = check;
  const broken = evidence.judgements.filter(({ mismatch }) => mismatch !== undefined);
  const observed = evidence.judgements.filter(({ observation }) => observation !== undefined);
  return (
    <div class="evidence">
      {message !== '' && <p class="message">{message}</p>}
      {known && (
        <p>
          Known: {known.reason}{' '}
          <span class="hint">
            ({known.owner}, until {known.expires})
          </span>
        </p>
      )}
      {broken.map((judgement, index) => (
        <BrokenClause key={index} judgement={judgement} record={record} />
      ))}
      {observed.map(({ clause, observation }) => (
        <p key={clause}>
          <code>{clause}</code> {observation}
        </p>
      ))}
      {evidence.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
      {evidence.exchanges.length > 0 && <h3>What was said</h3>}
      <div class="exchanges">
        {evidence.exchanges.map((exchange) => (
          <ExchangeView
            key={exchange.position}
            exchange={exchange}
            isOpen={broken.some(({ mismatch }) => mismatch?.exchange === exchange.position)}
          />
        ))}
      </div>
      <p class="hint">
        {formatSpan(durationMs)}, {count(requests, 'request')}
        {waitedMs > 0 && `, ${formatSpan(waitedMs)} of the target's time`} · clauses {clauses.join(', ')}
      </p>
    </div>
  );
}
