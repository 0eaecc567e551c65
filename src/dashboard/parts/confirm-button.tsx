/**
 * Confirm button: for what cannot be undone. The first press asks, the second does it.
 */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { after } from '../browser/timing.ts';
import { Icon } from './icon.tsx';

interface ConfirmButtonProps {
  /** What is done, for who sees only a mark. */
  readonly name: string;
  readonly question: string;
  readonly class?: string;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}

const ASKS_FOR_MS = 4_000;

export function ConfirmButton(props: ConfirmButtonProps): JSX.Element {
  const { name, question, class: className = '', onConfirm, children } = props;
  const [isAsking, setAsking] = useState(false);
  useEffect(() => (isAsking ? after(ASKS_FOR_MS, () => setAsking(false)) : undefined), [isAsking]);
  const press = (): void => {
    setAsking(!isAsking);
    if (isAsking) onConfirm();
  };
  return (
    <button
      type="button"
      class={isAsking ? `${className} asking` : className}
      aria-label={isAsking ? question : name}
      title={name}
      onClick={press}
    >
      {isAsking ? question : children}
    </button>
  );
}

interface RemoveButtonProps {
  readonly what: string;
  readonly onConfirm: () => void;
}

export function RemoveButton({ what, onConfirm }: RemoveButtonProps): JSX.Element {
  return (
    <ConfirmButton name={`Remove ${what}`} question="Remove it?" class="quiet icon-only" onConfirm={onConfirm}>
      <Icon name="trash" />
    </ConfirmButton>
  );
}
