/**
 * Tabs: views of one page side by side, each with its address.
 */

import type { JSX } from 'preact';

import { Link } from '../routing/link.tsx';
import type { RouteTo } from '../routing/route.ts';

export interface Tab {
  readonly name: string;
  readonly to: RouteTo;
  readonly count?: number;
  readonly isCurrent: boolean;
}

interface TabsProps {
  readonly name: string;
  readonly tabs: readonly Tab[];
}

export function Tabs({ name, tabs }: TabsProps): JSX.Element {
  return (
    <nav class="tabs" aria-label={name}>
      {tabs.map(({ name, to, count, isCurrent }) => (
        <Link key={name} to={to} current={isCurrent}>
          {name}
          {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
        </Link>
      ))}
    </nav>
  );
}
