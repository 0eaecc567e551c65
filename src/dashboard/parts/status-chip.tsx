/**
 * Status chip: an HTTP status, with a word for who has no hold on the numbers.
 */

import type { JSX } from 'preact';

export function StatusChip({ status }: { readonly status: number | null }): JSX.Element {
  return <span class={`chip status ${toneOf(status)}`}>{status ?? 'no answer'}</span>;
}

function toneOf(status: number | null): string {
  if (status === null || status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'plain' : 'good';
}
