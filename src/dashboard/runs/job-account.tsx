/**
 * Job account: how many jobs ended in each class of the ledger; every job is in one.
 */

import type { JSX } from 'preact';

export function JobAccount({ totals }: { readonly totals: unknown }): JSX.Element {
  const counts = countsIn(totals);
  return (
    <table class="figures">
      <tbody>
        {counts.map(([name, number]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{number.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Every number in the totals under its name, also those of classes that come later. */
function countsIn(value: unknown, path: readonly string[] = []): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path.join(' ').replaceAll('-', ' '), value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => countsIn(member, [...path, name]));
}
