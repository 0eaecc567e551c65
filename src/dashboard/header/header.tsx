/**
 * Header: where one is, how to reach the service, and what holds for the whole workbench: its clock, the
 * faults in force, and the way back to the start.
 */

import type { JSX } from 'preact';

import { keysOf } from '../../common/keys-of.ts';
import { resetWorkbench } from '../api/workbench.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../routing/link.tsx';
import { PAGES, type PageName } from '../routing/route.ts';
import { reloadEverything } from '../state/live-state.ts';
import { attempt, notify } from '../state/notices.ts';
import { Address } from './address.tsx';
import { ClockControl } from './clock-control.tsx';
import { FaultsInForce } from './faults-in-force.tsx';

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

/** Back to the seed, for the whole workbench. */
function ResetButton(): JSX.Element {
  return (
    <ConfirmButton
      name="Reset the workbench to its seed"
      question="Forget all jobs?"
      class="reset"
      onConfirm={() => void reset()}
    >
      <Icon name="again" />
      Reset
    </ConfirmButton>
  );
}

async function reset(): Promise<void> {
  const done = await attempt(resetWorkbench());
  if (done === undefined) return;
  notify('done', 'Back at the seed: no jobs, the room as it was at the start');
  reloadEverything();
}
