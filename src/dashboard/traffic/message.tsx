/**
 * Message: body and headers of a request or an answer.
 */

import type { JSX } from 'preact';

import { formatBytes } from '../../common/format-bytes.ts';
import type { BodyText } from '../../record/control-types.ts';
import { CodeBlock } from '../parts/copy-button.tsx';
import { prettyJson } from '../parts/format.ts';

interface BodyBlockProps {
  readonly body: BodyText | null;
  /** Whether bodies of this request are still kept: then a missing body was empty, not dropped. */
  readonly isKept: boolean;
  readonly what: string;
}

/** Laid out when it is JSON. */
export function BodyBlock({ body, isKept, what }: BodyBlockProps): JSX.Element {
  if (body === null && !isKept) return <p class="hint">The bodies of the newest 200 requests are kept.</p>;
  if (body === null || body.bytes === 0) return <p class="hint">No body</p>;
  return (
    <>
      <CodeBlock code={prettyJson(body.text)} what={what} />
      {body.cut && <p class="hint">The beginning of {formatBytes(body.bytes)}.</p>}
    </>
  );
}

export function HeadersTable({ headers }: { readonly headers: Readonly<Record<string, string>> | null }): JSX.Element {
  if (headers === null) return <p class="hint">The headers of the newest 200 requests are kept.</p>;
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
