/**
 * Broken clause: what the specification says, beside what was seen.
 */

import type { JSX } from 'preact';

import type { CheckRecord, CheckRunRecord } from '../../record/check-record.ts';

interface BrokenClauseProps {
  readonly judgement: CheckRecord['evidence']['judgements'][number];
  readonly record: CheckRunRecord;
}

export function BrokenClause({
  judgement: { clause, mismatch },
  record,
}: BrokenClauseProps): JSX.Element | null {
  if (!mismatch) return null;
  const said = record.clauses[clause];
  return (
    <div class="broken-clause">
      <blockquote>
        <p>{said?.statement ?? clause}</p>
        <footer>
          <code>{clause}</code>
          {said && <span class="hint"> · {said.level}</span>}
        </footer>
      </blockquote>
      <dl>
        <div>
          <dt>at</dt>
          <dd>{mismatch.at}</dd>
        </div>
        <div>
          <dt>expected</dt>
          <dd class="expected">{mismatch.expected}</dd>
        </div>
        <div>
          <dt>got</dt>
          <dd class="actual">{mismatch.actual}</dd>
        </div>
      </dl>
    </div>
  );
}
