/**
 * Printer panel: one printer: how it stands, its switches, its trays.
 */

import type { JSX } from 'preact';

import type { PrinterChange, RoomPrinterView } from '../../record/control-types.ts';
import { print } from '../api/service.ts';
import { changePrinter, removePrinter } from '../api/workbench.ts';
import { testPage } from '../jobs/test-page.ts';
import { RemoveButton } from '../parts/confirm-button.tsx';
import { count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { Switch } from '../parts/switch.tsx';
import { Link } from '../routing/link.tsx';
import { attempt, notify } from '../state/notices.ts';
import { assumePrinter, changeRoom } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';
import { Addresses } from './addresses.tsx';
import { FaultLink } from './fault-link.tsx';
import { Printouts } from './printouts.tsx';
import { Toner, Tray } from './tray.tsx';

interface PrinterPanelProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
}

/** Without toner. */
const PRINTS_BY_HEAT: ReadonlySet<string> = new Set(['label', 'receipt']);

export function PrinterPanel({ computer, printer }: PrinterPanelProps): JSX.Element {
  const { key, name, profile, kind, id, state, reasons, trays, addresses } = printer;
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
          {reasons
            .filter((reason) => reason !== state)
            .map((reason) => (
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
        {!PRINTS_BY_HEAT.has(kind) && <Toner computer={computer} printer={printer} />}
      </ul>
      {addresses && <Addresses name={name} addresses={addresses} />}
      {addresses && <Printouts computer={computer} printer={printer} />}
      <PrinterFoot computer={computer} printer={printer} />
    </section>
  );
}

function PrinterFoot({ computer, printer }: PrinterPanelProps): JSX.Element {
  const { key, name, jobsHeld, lastJobId } = printer;
  return (
    <footer>
      {jobsHeld > 0 && <p class="held">{count(jobsHeld, 'job')} waiting</p>}
      {lastJobId !== undefined && (
        <Link to={{ page: 'jobs', id: String(lastJobId) }}>Last printed: job {lastJobId}</Link>
      )}
      <span class="actions">
        <TestPageButton printer={printer} />
        <FaultLink name={name} places={[printer.place]} />
        <Link
          to={{ page: 'room', query: { computer, printer: key } }}
          class="button quiet"
          title={`Capabilities of ${name} as JSON`}
        >
          Capabilities
        </Link>
      </span>
    </footer>
  );
}

/** Prints one sheet on a printer, through the service as any program would. */
function TestPageButton({ printer }: { readonly printer: RoomPrinterView }): JSX.Element | null {
  const { apiKey } = useStore(workbench);
  const { id: printerId, name } = printer;
  if (apiKey === undefined || printerId === undefined) return null;
  const printPage = async (): Promise<void> => {
    const title = `Test page of ${name}`;
    const id = await attempt(print({ printerId, title, ...testPage(title) }, apiKey));
    if (id !== undefined) notify('done', `Job ${id} was submitted to ${name}`);
  };
  return (
    <button type="button" class="quiet" aria-label={`Print a test page on ${name}`} onClick={() => void printPage()}>
      Test page
    </button>
  );
}

/**
 * What a hand at the printer would do. What is switched shows at once; the workbench has
 * the last word.
 */
interface PrinterSwitchesProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
}

const JAM = 'media-jam';
const COVER_OPEN = 'cover-open';

function PrinterSwitches({ computer, printer }: PrinterSwitchesProps): JSX.Element {
  const { key, name, online, reasons } = printer;
  const change = (what: PrinterChange, assumed: Partial<RoomPrinterView>): void => {
    assumePrinter(computer, key, assumed);
    void changeRoom(changePrinter(computer, key, what));
  };
  const hasJam = reasons.includes(JAM);
  const isOpen = reasons.includes(COVER_OPEN);
  return (
    <div class="switches" role="group" aria-label={`Switches of ${name}`}>
      <Switch
        label="Online"
        name={`Online: ${name}`}
        on={online}
        onChange={(on) => change({ online: on }, { online: on, state: on ? 'online' : 'offline' })}
      />
      <Switch
        label="Cover open"
        name={`Cover open: ${name}`}
        on={isOpen}
        isAlarm
        onChange={(on) => change({ cover: on ? 'open' : 'closed' }, { reasons: withReason(reasons, COVER_OPEN, on) })}
      />
      <Switch
        label="Jam"
        name={`Jam: ${name}`}
        on={hasJam}
        isAlarm
        onChange={(on) => change({ jam: on }, { reasons: withReason(reasons, JAM, on) })}
      />
    </div>
  );
}

function withReason(reasons: readonly string[], reason: string, isThere: boolean): readonly string[] {
  const others = reasons.filter((one) => one !== reason);
  return isThere ? [...others, reason] : others;
}
