/**
 * Empty state: what to do where there is nothing to see yet.
 */

import type { ComponentChildren, JSX } from 'preact';

import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

interface NotLoadedProps {
  /** As the beginning of a sentence: `The room`. */
  readonly what: string;
  readonly why?: string | undefined;
  readonly onRetry: () => void;
}

/** Stands where something would be that the workbench did not give. */
export function NotLoaded({ what, why, onRetry }: NotLoadedProps): JSX.Element {
  return (
    <EmptyState icon="warning" title={`${what} could not be loaded`}>
      {why !== undefined && <p>{why}</p>}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </EmptyState>
  );
}

export function EmptyState({ icon, title, children }: EmptyStateProps): JSX.Element {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
