/**
 * Code block: text to read and to copy: a command, a body, a test.
 */

import type { JSX } from 'preact';

import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, for the button that copies it. */
  readonly what: string;
}

export function CodeBlock({ code, what }: CodeBlockProps): JSX.Element {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={what}>
        {code}
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  );
}
