/**
 * Header: where one is, how to reach the service, and what holds for the whole workbench: its clock, the
 * faults in force, and the way back to the start.
 */

import type { JSX } from 'preact';

import { Link } from '../routing/link.tsx';
import type { PageName } from '../routing/route.ts';
import { Address } from './address.tsx';
import { ClockControl } from './clock-control.tsx';
import { FaultsInForce } from './faults-in-force.tsx';
import { ResetButton } from './reset-button.tsx';

const PLACES: readonly { readonly page: PageName; readonly name: string }[] = [
  { page: 'jobs', name: 'Jobs' },
  { page: 'room', name: 'Room' },
  { page: 'traffic', name: 'Traffic' },
  { page: 'runs', name: 'Runs' },
];

interface HeaderProps {
  readonly page: PageName;
  readonly onHelp: () => void;
}

export function Header({ page, onHelp }: HeaderProps): JSX.Element {
  return (
    <header class="top">
      <div class="top-row">
        <h1>
          <Link to={{ page: 'jobs' }} class="brand">
            platen
          </Link>
        </h1>
        <nav class="places" aria-label="Pages">
          {PLACES.map((place) => (
            <Link key={place.page} to={{ page: place.page }} current={place.page === page}>
              {place.name}
            </Link>
          ))}
        </nav>
        <Address />
        <button type="button" class="quiet help" title="Keys (?)" aria-label="Keys" onClick={onHelp}>
          ?
        </button>
      </div>
      <div class="workbench-row">
        <ClockControl />
        <FaultsInForce />
        <ResetButton />
      </div>
    </header>
  );
}
