/**
 * Clause matrix: every clause of the specification as a square, by family; behind a family its clauses
 * in words.
 */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { CheckRunRecord, ClauseRecord } from '../../record/check-record.ts';
import { StateChip } from '../parts/state-chip.tsx';

interface NamedClause extends ClauseRecord {
  readonly id: string;
}

export function ClauseMatrix({ record }: { readonly record: CheckRunRecord }): JSX.Element {
  const families = new Map<string, NamedClause[]>();
  for (const [id, clause] of Object.entries(record.clauses)) {
    const family = id.split('/')[0] ?? id;
    families.set(family, [...(families.get(family) ?? []), { id, ...clause }]);
  }
  return (
    <>
      <p class="legend">
        <Square outcome="kept" /> kept <Square outcome="broken" /> broken <Square outcome="observed" />{' '}
        observed <Square outcome="not-judged" /> not judged <Square outcome="excluded" /> cannot be judged,
        with a reason
      </p>
      <ul class="families">
        {[...families].map(([family, clauses]) => (
          <li key={family}>
            <Family name={family} clauses={clauses} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface FamilyProps {
  readonly name: string;
  readonly clauses: readonly NamedClause[];
}

function Family({ name, clauses }: FamilyProps): JSX.Element {
  const [isDrawn, setDrawn] = useState(false);
  const broken = clauses.filter(({ outcome }) => outcome === 'broken').length;
  const kept = clauses.filter(({ outcome }) => outcome === 'kept').length;
  return (
    <details class="family" onToggle={() => setDrawn(true)}>
      <summary>
        <span class="family-name">{name.replaceAll('-', ' ')}</span>
        <span class="squares" aria-hidden="true">
          {clauses.map((clause) => (
            <Square key={clause.id} outcome={outcomeOf(clause)} title={`${clause.id}: ${clause.statement}`} />
          ))}
        </span>
        <span class="family-count">
          {broken > 0 && <strong>{broken} broken, </strong>}
          {kept} of {clauses.length} kept
        </span>
      </summary>
      {isDrawn && <ClauseList clauses={clauses} />}
    </details>
  );
}

function ClauseList({ clauses }: Pick<FamilyProps, 'clauses'>): JSX.Element {
  return (
    <ul class="clauses">
      {clauses.map(({ id, statement, reason, checks, outcome, status, level }) => (
        <li key={id}>
          <StateChip state={status === 'covered' ? outcome : status} />
          <span>
            {statement}
            <span class="hint">
              {' '}
              {level} · <code>{id}</code>
              {checks.length > 0 && ` · ${checks.join(', ')}`}
              {reason !== undefined && ` · ${reason}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Square({ outcome, title }: { readonly outcome: string; readonly title?: string }): JSX.Element {
  return <span class={`square ${outcome}`} title={title} />;
}

function outcomeOf({ status, outcome }: ClauseRecord): string {
  return status === 'covered' ? outcome : 'excluded';
}
