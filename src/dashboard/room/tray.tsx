/**
 * Trays of paper and toner: how much lies in one, with a way to take it out and to put it back.
 */

import type { JSX } from 'preact';

import type { PrinterChange, RoomPrinterView, TrayView } from '../../record/control-types.ts';
import { changePrinter } from '../api/workbench.ts';
import { assumePrinter, changeRoom } from '../state/room-store.ts';

interface TrayProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
  readonly tray: TrayView;
}

/** Where the capacity is unknown. */
const REAM = 500;

export function Tray({ computer, printer, tray }: TrayProps): JSX.Element {
  const { name, sheets, capacity } = tray;
  const load = (loaded: number): void => {
    const trays = printer.trays.map((one) => (one.name === name ? { ...one, sheets: loaded } : one));
    assumePrinter(computer, printer.key, { trays });
    void changeRoom(changePrinter(computer, printer.key, { tray: { name, sheets: loaded } }));
  };
  const full = capacity ?? REAM;
  const offered = sheets === 0 ? 'Fill' : 'Take out';
  return (
    <li class={sheets === 0 ? 'tray out' : 'tray'}>
      <span class="tray-name">{name}</span>
      <span
        class="stack"
        role="meter"
        aria-label={`Paper in ${name} of ${printer.name}`}
        aria-valuemin={0}
        aria-valuemax={full}
        aria-valuenow={sheets ?? full}
      >
        <span style={{ width: `${Math.min(100, ((sheets ?? full) / full) * 100)}%` }} />
      </span>
      <span class="tray-sheets">{sheets === null ? 'never runs out' : `${sheets} of ${full}`}</span>
      <button
        type="button"
        class="quiet"
        aria-label={`${offered} ${name} of ${printer.name}`}
        onClick={() => load(sheets === 0 ? full : 0)}
      >
        {offered}
      </button>
    </li>
  );
}

type Level = NonNullable<PrinterChange['toner']>;
const LEVELS: readonly Level[] = ['full', 'low', 'empty'];

/** How much toner there is, with a way to use it up and to put a new cartridge in. */
export function Toner({ computer, printer: { key, name, reasons } }: Omit<TrayProps, 'tray'>): JSX.Element {
  return (
    <li class="tray">
      <span class="tray-name">Toner</span>
      <select
        aria-label={`Toner: ${name}`}
        value={levelOf(reasons)}
        onChange={({ currentTarget }) =>
          void changeRoom(changePrinter(computer, key, { toner: currentTarget.value as Level }))
        }
      >
        {LEVELS.map((level) => (
          <option key={level} value={level}>
            {level}
          </option>
        ))}
      </select>
    </li>
  );
}

function levelOf(reasons: readonly string[]): Level {
  if (reasons.includes('toner-empty')) return 'empty';
  return reasons.includes('toner-low') ? 'low' : 'full';
}
