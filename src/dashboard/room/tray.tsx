/**
 * Tray: how much paper lies in it, with a way to take it out and to put it back.
 */

import type { JSX } from 'preact';

import type { RoomPrinterView, TrayView } from '../../record/control-types.ts';
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
  const offered = sheets === 0 ? 'Fill' : 'Empty';
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
