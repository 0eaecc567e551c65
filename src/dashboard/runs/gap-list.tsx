/**
 * Gap list: where the specification is silent, and what the target did there.
 */

import type { JSX } from 'preact';

import type { CheckRunRecord } from '../../record/check-record.ts';

export function GapList({ record }: { readonly record: CheckRunRecord }): JSX.Element {
  return (
    <dl class="gaps">
      {Object.entries(record.gaps).map(([id, { question, observations }]) => (
        <div key={id}>
          <dt>
            {question} <code class="hint">{id}</code>
          </dt>
          {observations.length === 0 && <dd class="hint">not observed in this run</dd>}
          {observations.map((observation) => (
            <dd key={observation}>{observation}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
