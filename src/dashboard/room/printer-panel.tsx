/**
 * Printer panel: one printer: how it stands, its switches, its trays.
 */

import type { JSX } from 'preact';

import type { RoomPrinterView } from '../../record/control-types.ts';
import { removePrinter } from '../api/workbench.ts';
import { RemoveButton } from '../parts/confirm-button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { Link } from '../routing/link.tsx';
import { changeRoom } from '../state/room-store.ts';
import { PrinterSwitches } from './printer-switches.tsx';
import { TestPageButton } from './test-page-button.tsx';
import { Toner, Tray } from './tray.tsx';

interface PrinterPanelProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
}

export function PrinterPanel({ computer, printer }: PrinterPanelProps): JSX.Element {
  const { key, name, profile, id, state, reasons, trays, addresses } = printer;
  return (
    <section class={reasons.length > 0 ? 'device printer troubled' : 'device printer'} aria-label={`Printer ${name}`}>
      <header>
        <Icon name="printer" />
        <div class="device-name">
          <h3>{name}</h3>
          <span class="hint">
            {profile}
            {id !== undefined && ` · printer ${id}`}
          </span>
        </div>
        <span class="chips">
          <StateChip state={state ?? 'no state'} />
          {reasons.map((reason) => (
            <span key={reason} class="chip bad">
              <Icon name="warning" />
              {reason}
            </span>
          ))}
        </span>
        <RemoveButton what={name} onConfirm={() => void changeRoom(removePrinter(computer, key))} />
      </header>
      <PrinterSwitches computer={computer} printer={printer} />
      <ul class="trays">
        {trays.map((tray) => (
          <Tray key={tray.name} computer={computer} printer={printer} tray={tray} />
        ))}
        <Toner computer={computer} printer={printer} />
      </ul>
      {addresses && <Addresses name={name} addresses={addresses} />}
      <PrinterFoot computer={computer} printer={printer} />
    </section>
  );
}

/** Where operating systems reach the printer. */
function Addresses({ name, addresses }: { name: string; addresses: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <ul class="addresses" aria-label={`Addresses of ${name}`}>
      {Object.values(addresses).map((uri) => (
        <li key={uri}>
          <code>{uri}</code>
          <CopyButton text={uri} what={uri} />
        </li>
      ))}
    </ul>
  );
}

function PrinterFoot({ computer, printer }: PrinterPanelProps): JSX.Element {
  const { key, name, jobsHeld, lastJobId } = printer;
  return (
    <footer>
      {jobsHeld > 0 && <p class="held">{count(jobsHeld, 'job')} waiting for paper</p>}
      {lastJobId !== undefined && (
        <Link to={{ page: 'jobs', id: String(lastJobId) }}>Last printed: job {lastJobId}</Link>
      )}
      <span class="grow" />
      <TestPageButton printer={printer} />
      <Link
        to={{ page: 'room', query: { computer, printer: key } }}
        class="button quiet"
        title={`Capabilities of ${name} as JSON`}
      >
        Capabilities
      </Link>
    </footer>
  );
}
