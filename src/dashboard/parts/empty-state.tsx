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

export function EmptyState({ icon, title, children }: EmptyStateProps): JSX.Element {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
