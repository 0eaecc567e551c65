/**
 * Fault link: opens the faults of a place of the room, and says how many are in force there.
 */

import type { JSX } from 'preact';

import { Icon } from '../parts/icon.tsx';
import { Link } from '../routing/link.tsx';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';

interface FaultLinkProps {
  readonly name: string;
  /** As rules name it; the first names it in the address. */
  readonly places: readonly [string, ...string[]];
}

export function FaultLink({ name, places }: FaultLinkProps): JSX.Element {
  const { faults } = useStore(workbench);
  const { length } = faults.filter(({ rule }) => places.includes(rule.at));
  return (
    <Link to={{ page: 'room', query: { fault: places[0] } }} class="button quiet" title={`What goes wrong at ${name}`}>
      <Icon name="bolt" />
      Faults<span class="off-screen"> of {name}</span>
      {length > 0 && <span class="count">{length}</span>}
    </Link>
  );
}
