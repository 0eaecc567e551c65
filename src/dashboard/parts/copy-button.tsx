/**
 * Copy button: puts a text on the clipboard and says so for a moment.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { after } from '../browser/timing.ts';
import { attempt } from '../state/notices.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for who cannot see it: `the API key`. */
  readonly what: string;
  /** Words on the button; a mark alone unless given. */
  readonly label?: string;
}

const SAID_FOR_MS = 1_600;

export function CopyButton({ text, what, label }: CopyButtonProps): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => (isCopied ? after(SAID_FOR_MS, () => setCopied(false)) : undefined), [isCopied]);
  const copy = async (): Promise<void> => {
    await attempt(copyText(text).then(() => setCopied(true)));
  };
  return (
    <button
      type="button"
      class={label === undefined ? 'quiet icon-only' : ''}
      title={`Copy ${what}`}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {label !== undefined && <span>{isCopied ? 'Copied' : label}</span>}
    </button>
  );
}

/** Also where the browser offers no clipboard because the page is not secure. */
async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

interface CodeBlockProps {
  readonly code: string;
  /** What it is, for the button that copies it. */
  readonly what: string;
}

/** A command, a body or a test, to read and to copy. */
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
