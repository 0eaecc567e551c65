/**
 * Back link: closes what is open beside a list.
 */

import type { JSX } from 'preact';

import { Link } from '../routing/link.tsx';
import type { RouteTo } from '../routing/route.ts';
import { Icon } from './icon.tsx';

export function BackLink({ to }: { readonly to: RouteTo }): JSX.Element {
  return (
    <Link to={to} class="back" title="Back to the list (Esc)">
      <Icon name="cross" />
      <span class="off-screen">Close</span>
    </Link>
  );
}
