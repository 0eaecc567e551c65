/**
 * Close entry: back from an entry to the list alone.
 */

import type { JSX } from 'preact';

import { Icon } from '../parts/icon.tsx';
import { Link } from '../routing/link.tsx';
import { useRoute } from '../routing/navigation.ts';

export function CloseEntry(): JSX.Element {
  const { page, query } = useRoute();
  return (
    <Link to={{ page, query: { ...query, id: undefined } }} class="back" title="Back to the list (Esc)">
      <Icon name="cross" />
      <span class="off-screen">Close</span>
    </Link>
  );
}
