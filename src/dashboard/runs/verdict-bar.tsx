/**
 * Verdict bar: how many results of each verdict, as a strip. The figures stand beside it wherever it is
 * used; it adds the proportion at a glance.
 */

import type { JSX } from 'preact';

import { byVerdict } from './verdict-order.ts';

export function VerdictBar({ counts }: { readonly counts: Readonly<Record<string, number>> }): JSX.Element {
  const parts = Object.entries(counts)
    .filter(([verdict, number]) => verdict !== 'total' && number > 0)
    .toSorted(([a], [b]) => byVerdict(a, b));
  return (
    <span class="verdict-bar" title={parts.map(([verdict, number]) => `${number} ${verdict}`).join(', ')}>
      {parts.map(([verdict, number]) => (
        <span key={verdict} class={`part ${verdict}`} style={{ flexGrow: number }} />
      ))}
    </span>
  );
}
