/**
 * Headers table: names and values of a request or an answer.
 */

import type { JSX } from 'preact';

export function HeadersTable({
  headers,
}: {
  readonly headers: Readonly<Record<string, string>> | null;
}): JSX.Element {
  if (headers === null) return <p class="hint">Headers are kept of the newest requests alone.</p>;
  return (
    <dl class="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
