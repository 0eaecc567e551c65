/**
 * Body block: the body of a request or an answer, laid out when it is JSON.
 */

import type { JSX } from 'preact';

import type { BodyText } from '../../record/control-types.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatBytes, prettyJson } from '../parts/format.ts';

interface BodyBlockProps {
  readonly body: BodyText | null;
  readonly what: string;
}

export function BodyBlock({ body, what }: BodyBlockProps): JSX.Element {
  if (body === null) return <p class="hint">Bodies are kept of the newest requests alone.</p>;
  if (body.bytes === 0) return <p class="hint">No body</p>;
  return (
    <>
      <CodeBlock code={prettyJson(body.text)} what={what} />
      {body.cut && <p class="hint">The beginning of {formatBytes(body.bytes)}.</p>}
    </>
  );
}
