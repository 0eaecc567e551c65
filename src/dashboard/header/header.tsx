/**
 * Header: where one is, how to reach the service, and what holds for the whole workbench: its clock, the
 * faults in force, and the way back to the start.
 */

import type { JSX } from 'preact';

import { keysOf } from '../../common/keys-of.ts';
import { Link } from '../routing/link.tsx';
import { PAGES, type PageName } from '../routing/route.ts';
import { Address } from './address.tsx';
import { ClockControl } from './clock-control.tsx';
import { FaultsInForce } from './faults-in-force.tsx';
import { ResetButton } from './reset-button.tsx';

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
          {keysOf(PAGES).map((place) => (
            <Link key={place} to={{ page: place }} current={place === page}>
              {PAGES[place]}
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
