/**
 * Verdict bar: the share of each verdict, as a strip. The figures stand beside it.
 */

import type { JSX } from 'preact';

import { VERDICTS } from '../../record/words.ts';

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

const ORDER: readonly string[] = VERDICTS;

/** What needs attention comes first. */
export function byVerdict(a: string, b: string): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}
