/**
 * Header: where one is, how to reach the service, and what holds for the whole workbench: its clock, the
 * faults in force, and the way back to the start.
 */

import type { JSX } from 'preact';

import { keysOf } from '../../common/keys-of.ts';
import { clearFaults, PRINTING_API_PAGE, resetWorkbench } from '../api/workbench.ts';
import { changeFaults, FaultLine } from '../faults/fault-dialog.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { Link } from '../routing/link.tsx';
import { PAGES, type PageName } from '../routing/route.ts';
import { reloadEverything } from '../state/live-state.ts';
import { attempt, notify } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { workbench, type WorkbenchState } from '../state/workbench-store.ts';
import { ClockControl } from './clock-control.tsx';

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
        <a
          class="api-link"
          href={PRINTING_API_PAGE}
          target="_blank"
          rel="noreferrer"
          title="The printing API, as a page"
        >
          API
        </a>
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
      question="Forget jobs, accounts, faults, and the room as it is?"
      class="reset"
      onConfirm={() => void reset()}
    >
      <Icon name="again" />
      <span class="word">Reset</span>
    </ConfirmButton>
  );
}

async function reset(): Promise<void> {
  const done = await attempt(resetWorkbench());
  if (done === undefined) return;
  notify('done', 'Back at the seed: no jobs, the room as it was at the start');
  reloadEverything();
}

/** The base URL and the key that a program needs to print here. */
const CONNECTION_WORDS: Readonly<Record<WorkbenchState['connection'], string>> = {
  live: 'Live',
  connecting: 'Connecting',
  lost: 'Not connected',
};

function Address(): JSX.Element {
  const { info, apiKey, connection } = useStore(workbench);
  return (
    <div class="address">
      <span class={`connection ${connection}`}>{CONNECTION_WORDS[connection]}</span>
      {info && (
        <span class="credential">
          <span class="name">URL</span>
          <code>{info.url}</code>
          <CopyButton text={info.url} what="the base URL" />
        </span>
      )}
      {apiKey !== undefined && (
        <span class="credential">
          <span class="name">Key</span>
          <code>{apiKey}</code>
          <CopyButton text={apiKey} what="the API key" />
        </span>
      )}
    </div>
  );
}

/** How many rules there are, and which, with a button to lift each. */
function FaultsInForce(): JSX.Element {
  const { faults } = useStore(workbench);
  if (faults.length === 0) return <span class="faults none">No faults in force</span>;
  return (
    <Popover class="faults">
      <summary>
        <Icon name="bolt" />
        {count(faults.length, 'fault')} in force
      </summary>
      <div class="popover">
        <ul class="fault-list">
          {faults.map((fault) => (
            <FaultLine key={fault.id} fault={fault} />
          ))}
        </ul>
        <button type="button" onClick={() => void changeFaults(clearFaults())}>
          Clear all
        </button>
      </div>
    </Popover>
  );
}
