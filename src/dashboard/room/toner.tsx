/**
 * Toner: how much there is, with a way to use it up and to put a new cartridge in.
 */

import type { JSX } from 'preact';

import type { PrinterChange, RoomPrinterView } from '../../record/control-types.ts';
import { changePrinter } from '../api/workbench.ts';
import { changeRoom } from '../state/room-store.ts';

interface TonerProps {
  readonly computer: string;
  readonly printer: RoomPrinterView;
}

type Level = NonNullable<PrinterChange['toner']>;
const LEVELS: readonly Level[] = ['full', 'low', 'empty'];

export function Toner({ computer, printer: { key, name, reasons } }: TonerProps): JSX.Element {
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
